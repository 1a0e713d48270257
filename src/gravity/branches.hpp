// SPDX-License-Identifier: BSD-3-Clause
//
// The cells of a rank that no other rank has a part of (shared_tree.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gravity/tree.hpp"
#include "gravity/whole_leaves.hpp"

namespace ricochet {

/// A cell as it travels.
struct CellRecord {
    Moments moments;
    Bounds bounds;
    double opening_squared = 0;
    CellKey key = 0;          ///< of one of its particles; for branches only
    std::uint32_t rank = 0;   ///< its owner
    std::uint32_t index = 0;  ///< in the owner's tree
    std::uint32_t num_children = 0;
    std::uint32_t count = 0;  ///< points of a leaf; 0: a cell with children
};

CellRecord record_of(const GravityTree& tree, std::uint32_t cell, int rank);

/// What a rank's cells must not contain: the nearest keys of other ranks on both sides.
struct ForeignKeys {
    std::optional<CellKey> below, above;
};
ForeignKeys foreign_keys(std::span<const KeyRange> ranges, int rank);

/// Adds this rank's branches and all that is in them to the tree; returns their records in order.
std::vector<CellRecord> add_branches(const CellKeys& cell_keys, const Opening& opening,
                                     const ForeignKeys& foreign, std::span<const CellKey> keys, int rank,
                                     GravityTree& tree);

}  // namespace ricochet
