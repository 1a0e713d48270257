// SPDX-License-Identifier: BSD-3-Clause
//
// What the runs of islands change of one slab in one step, slot by slot and island by island. A run writes
// only slots and islands of its own, or gives up.
#pragma once

#include "core/block_store.hpp"
#include "engine/islands.hpp"
#include "engine/local_motion.hpp"
#include "engine/neighbour_lists.hpp"
#include "engine/obstacle_times.hpp"
#include "engine/pair_times.hpp"
#include "engine/ruled_times.hpp"
#include "engine/step_context.hpp"
#include "engine/window_schedule.hpp"

namespace ricochet {

/// Its members refer to each other, so it stays where it is.
struct StepState {
    explicit StepState(const StepContext& context)
        : neighbours(memory),
          local(context.changes_matter, context.rules.remember_absorbed(), context.options.use_generations,
                memory),
          shaped(context, local),
          ruled(context, local, shaped),
          pair_times(context, local, shaped, ruled),
          obstacle_times(context, local, ruled),
          forest(memory),
          schedule(memory) {}

    BlockStore memory;  ///< of what lives for a part of a step only
    NeighbourLists neighbours;
    LocalMotion local;
    ShapedTimes shaped;  ///< asked only where particles are no spheres
    RuledTimes ruled;    ///< asked only where rules change matter
    PairTimes pair_times;
    ObstacleTimes obstacle_times;
    IslandForest forest;
    WindowSchedule schedule;
};

}  // namespace ricochet
