// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of a file that have been dealt out, and what is wrong with pairs of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/core/offenders.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/engine/particle_table.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::detail {

/// Where a row stood in its file.
struct RowPlace {
    std::uint64_t row = 0;        ///< from 0
    std::uint64_t line = 0;       ///< from 1; 0: the file has no lines
    std::uint32_t id_column = 0;  ///< where the id begins in the line
    std::uint32_t x_column = 0;
    std::uint32_t is_placed = 0;  ///< its position is in the box
    std::uint32_t unused = 0;
};

/// This rank's share, in file order.
struct DealtRows {
    Particles particles;
    std::vector<RowPlace> places;
};

/// Ids given twice, of all rows of all ranks. Complete on rank 0, empty elsewhere. Collective.
Offenders repeated_ids(const DealtRows& rows, const std::string& file, Exchange& exchange);

struct Overlaps {
    Offenders offenders;
    bool is_complete = true;  ///< else there are more than were looked for
};

/// Pairs nearer than (1 - tolerance) times the sum of their radii. Complete on rank 0, empty elsewhere.
/// Collective.
Overlaps overlapping_rows(const DealtRows& rows, const StartRules& rules, double largest_radius,
                          double tolerance, const std::string& file, Exchange& exchange);

}  // namespace ricochet::detail
