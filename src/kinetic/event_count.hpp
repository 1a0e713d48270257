// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the topological events of a kinetic structure by their kinds.
#pragma once

#include "kinetic/kinetic_structure.hpp"
#include "ricochet/engine/step_counters.hpp"

namespace ricochet {

/// A report belongs to the event before it, and is none of its own.
inline void count_event(StepStatistics& counts, BoundEventKind kind) {
    if (kind == BoundEventKind::report) return;
    ++counts.num_topological;
    counts.num_entered += kind == BoundEventKind::enters ? 1 : 0;
    counts.num_left += kind == BoundEventKind::leaves ? 1 : 0;
    counts.num_resets += kind == BoundEventKind::reset ? 1 : 0;
    counts.num_bound_pairs += kind == BoundEventKind::pair ? 1 : 0;
    counts.num_bound_walls += kind == BoundEventKind::wall ? 1 : 0;
}

}  // namespace ricochet
