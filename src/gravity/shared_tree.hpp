// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of all ranks' particles, as one rank needs it: its own cells, and those of others that its leaves may open.
// Cells, moments and lists have the bits that one rank alone would find.
//
// Algorithm (locally essential trees: Warren & Salmon, Supercomputing 1993; Salmon & Warren, J. Comput. Phys. 111
// (1994) 136):
// 1. Each rank has whole leaves (whole_leaves.hpp). It builds its *branches*, the largest cells with no particle of
//    another rank in them. All cells above branches contain a cut between ranks: there is one per level and cut.
// 2. All ranks get all branches, with moments. Each builds the cells above them, children first, in the order of
//    octants, as the builder does in a branch.
// 3. In rounds, a rank asks the owners of cells for their children, or for the particles of a leaf. It asks for
//    cells that some leaf of its own would open. Own cells stand for their leaves: a leaf is not nearer than the cell
//    that it is in, in every rounding (squared_gap). This holds when both are moved to an image, too. There are as many
//    rounds as levels below branches.
// 4. What is here is put together in depth-first order. Cells that no leaf opens stay without children.
//
// So no rank gets more than it may open, O(n^2/3) cells for n particles per rank, beside the branches of all ranks.
// Disadvantage: a round costs messages among all ranks, and there are some five to ten rounds.
#pragma once

#include <span>
#include <vector>

#include "gravity/tree.hpp"
#include "gravity/whole_leaves.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// How much came from other ranks, for tests and statistics.
struct FetchedParts {
    std::uint64_t num_cells = 0, num_points = 0;
    int num_rounds = 0;
};

/// The tree whose target leaves have the particles of `sorted`, in their order, for walks to these images.
/// Requires: `sorted` is from sort_into_leaves. Collective.
GravityTree build_shared_tree(Exchange& exchange, const CellKeys& cell_keys, const Opening& opening,
                              std::span<const SortedSource> sorted, std::span<const Vec3> images,
                              FetchedParts* fetched = nullptr);

}  // namespace ricochet
