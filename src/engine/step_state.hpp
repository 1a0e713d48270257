// SPDX-License-Identifier: BSD-3-Clause
//
// What the runs of islands change of one slab in one step, slot by slot and island by island. A run writes
// only slots and islands of its own, or gives up.
#pragma once

#include "core/block_store.hpp"
#include "engine/islands.hpp"
#include "engine/neighbour_lists.hpp"
#include "engine/step_context.hpp"
#include "engine/window_schedule.hpp"

namespace ricochet {

struct StepState {
    explicit StepState(const StepContext& context)
        : neighbours(memory),
          set(context.box, context.changing_rules(), context.options.use_generations, memory),
          forest(memory),
          schedule(memory) {}

    BlockStore memory;  ///< of what lives for a part of a step only
    NeighbourLists neighbours;
    LocalSet set;
    IslandForest forest;
    WindowSchedule schedule;
};

}  // namespace ricochet
