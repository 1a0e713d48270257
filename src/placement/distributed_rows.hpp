// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of a file that have been distributed over the ranks, and conflicts between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/offenders.hpp"
#include "placement/particle_table.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::detail {

/// The position of a row in its file.
struct RowPlace {
    std::uint64_t row = 0;        ///< from 0
    std::uint64_t line = 0;       ///< from 1; 0: the file has no lines
    std::uint32_t id_column = 0;  ///< where the id begins in the line
    std::uint32_t x_column = 0;
    std::uint32_t is_placed = 0;  ///< its position is in the box
    std::uint32_t unused = 0;
};

/// This rank's share, in file order.
struct DistributedRows {
    Particles particles;
    std::vector<RowPlace> places;
};

/// Repeated ids among the rows of all ranks. Complete on rank 0, empty elsewhere. Collective.
Offenders repeated_ids(const DistributedRows& rows, const std::string& file, Exchange& exchange);

struct Overlaps {
    Offenders offenders;
    bool is_complete = true;  ///< false: the search stopped before it had found all
    /// Pairs that overlap as the rules allow, and those that overlap by no more than rounding. Of all ranks.
    std::uint64_t num_allowed = 0, num_touching = 0;
};

struct OverlapLimits {
    double largest_radius = 0;
    double tolerance = 0;   ///< part of the sum of two radii
    double resolution = 0;  ///< of positions in the file, a length
};

/// Pairs closer than (1 - tolerance) times the sum of their radii and than the file's rounding explains, of species
/// that may not overlap. Offenders are complete on rank 0, empty elsewhere. Collective.
Overlaps overlapping_rows(const DistributedRows& rows, const StartRules& rules, const OverlapLimits& limits,
                          const std::string& file, Exchange& exchange);

}  // namespace ricochet::detail
