// SPDX-License-Identifier: BSD-3-Clause
//
// Particles of all ranks in the order of (key, id), cut between leaves. Each rank has a contiguous range of the order,
// and no leaf of the tree is on two ranks.
//
// Algorithm: a sort across ranks (parallel/global_sort.hpp) cuts the order anywhere. Only cells around a cut contain
// particles of several ranks, one cell per level: the ranks add up their counts. The largest of them with up to 32
// particles, if any, is a leaf of the tree. It goes to the lowest rank that has a part of it.
//
// Why not the slabs of the step: a plane cuts a whole surface of cells, a cut in this order only one cell per level.
// Ranks also get equally many particles, however uneven slabs are. The price is that all particles travel, 56 bytes
// there and 40 back, against microseconds that each takes to sum.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "gravity/cell_keys.hpp"
#include "gravity/moments.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// A particle on its way to the rank that sums for it, and its field on the way back.
struct SortedSource {
    CellKey key = 0;
    ParticleId id = 0;
    PointMass point;
    std::uint32_t rank = 0;   ///< where it came from
    std::uint32_t index = 0;  ///< its place there
};

struct SourceOrder {
    CellKey key;
    ParticleId id;
    friend auto operator<=>(const SourceOrder&, const SourceOrder&) = default;
};
inline SourceOrder order_of_source(const SortedSource& source) { return {source.key, source.id}; }

/// The first and the last key of a rank; none without particles.
struct KeyRange {
    CellKey first = 0, last = 0;
    std::uint64_t count = 0;
};
/// Of all ranks. Collective.
std::vector<KeyRange> key_ranges(Exchange& exchange, std::span<const SortedSource> sorted);

/// Sorts the sources of all ranks into whole leaves. Collective.
std::vector<SortedSource> sort_into_leaves(Exchange& exchange, const CellKeys& cell_keys,
                                           std::vector<SortedSource> sources);

}  // namespace ricochet
