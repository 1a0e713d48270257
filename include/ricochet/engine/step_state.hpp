// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that one step of one slab works on, shared by WindowResolver (which walks through the windows)
// and IslandRunner (which runs the events of one island).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ricochet/core/block_store.hpp"
#include "ricochet/core/prefetch.hpp"
#include "ricochet/engine/islands.hpp"
#include "ricochet/engine/neighbour_lists.hpp"
#include "ricochet/engine/window_schedule.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// An event that a neighbour reported, on the slot of our copy.
struct ImposedEvent {
    Slot slot = 0;
    BoundaryEvent event;
    friend bool operator==(const ImposedEvent&, const ImposedEvent&) = default;
};

template <BroadPhase Search>
struct StepState {
    StepState(const Box& the_box, const ContactRules& the_rules, const EngineOptions& the_options)
        : box(the_box),
          rules(the_rules),
          options(the_options),
          search(the_box),
          neighbours(memory),
          set(the_box, the_options.use_generations, memory),
          forest(memory),
          schedule(memory) {}

    NeighbourMask holders_of(Slot slot) const { return holders.empty() ? 0 : holders[slot]; }
    /// Whether a neighbour might have the slot too. Every contact asks, and nearly always the answer is no: a
    /// bit for many slots side by side stays in the cache, where the masks would come from memory one by one.
    bool may_be_shared(Slot slot) const {
        const Slot block = slot / slots_per_block;
        return !holders.empty() && (shared_blocks[block / 64] >> block % 64 & 1) != 0;
    }
    /// What only slots near the faces are asked for.
    void prefetch_at_faces(Slot slot) const {
        if (!may_be_shared(slot)) return;
        prefetch(&holders[slot]);
        if (!step_midpoints_x.empty()) prefetch(&step_midpoints_x[slot]);
    }
    void set_holders(std::span<const NeighbourMask> of_slots) {
        holders = of_slots;
        const std::size_t num_blocks = holders.size() / slots_per_block + 1;
        shared_blocks.assign(num_blocks / 64 + 1, 0);
        for (std::size_t block = 0; block < num_blocks; ++block) {
            const std::size_t first = block * slots_per_block;
            const std::size_t last = std::min(first + slots_per_block, holders.size());
            NeighbourMask any = 0;
            for (std::size_t slot = first; slot < last; ++slot) any |= holders[slot];
            shared_blocks[block / 64] |= std::uint64_t{any != 0} << block % 64;
        }
    }

    /// Whether the balls hold the paths of the whole step, not of a leg.
    bool has_whole_paths() const { return step_midpoints_x.empty(); }
    /// More than the rounding of a ball.
    double ball_slack() const { return 1e-6 * box.size.x; }
    /// How far the ball, and so the path, leads beyond the faces at most.
    FaceReach reach_of_ball(Slot slot) const {
        const double midpoint = balls[slot].midpoint().x;
        const double most = static_cast<double>(balls[slot].reach) + ball_slack();
        return {coverage.lower - (midpoint - most), midpoint + most - coverage.upper};
    }

    /// Whether a path that leads from x, as kept, no farther than `most` along x, leads no farther beyond a
    /// face than others have. Of one that has crossed the edge of the box, not known: false.
    bool stays_inside(double x, double most) const {
        return coverage.lower <= x && x <= coverage.upper &&
               !reach.may_grow_by({coverage.lower - (x - most), x + most - coverage.upper});
    }

    bool is_overloaded() const { return statistics.num_searches > most_searches; }

    /// The midpoint of the path that the slot had when the step began, along x.
    double step_midpoint_x(Slot slot) const {
        return step_midpoints_x.empty() ? balls[slot].midpoint().x
                                        : static_cast<double>(step_midpoints_x[slot]);
    }

    /// Visits the slot's predicted contacts with walls in this leg: at most one per axis.
    template <class Visit>
    void for_each_wall_contact(Slot slot, Visit&& visit) const {
        const Motion& motion = set.motion(slot);
        for (int axis = 0; axis < box.dimension; ++axis) {
            if (!box.has_walls(axis)) continue;
            const int face = 2 * axis + (motion.velocity[axis] > 0 ? 1 : 0);
            const double time = wall_contact_time(motion, set.radius(slot), face, box);
            if (time < leg_end) visit(set.predict_wall(slot, face, time));
        }
    }

    const Box box;
    const ContactRules rules;
    const EngineOptions options;
    BlockStore memory;  ///< of what lives for a part of a step only
    Search search;
    NeighbourLists neighbours;
    LocalSet set;
    IslandForest forest;
    WindowSchedule schedule;

    std::span<const SweptBall> balls;  ///< by slot; the search enlarges them
    double dt = 0;
    double leg_begin = 0, leg_end = 0;    ///< what the search and its neighbours cover (search_leg.hpp)
    std::vector<float> step_midpoints_x;  ///< by slot; empty where the balls are those of the whole step
    Coverage coverage;
    std::span<const NeighbourMask> holders;  ///< by slot; empty without neighbours
    static constexpr Slot slots_per_block = 64;
    std::vector<std::uint64_t> shared_blocks;  ///< bit by block of slots: some of them have holders
    double window_begin = 0, window_end = 0;
    std::vector<ImposedEvent> imposed;  ///< of this window, in the order of (slot, key)
    std::uint32_t stamp_at_run = 0;     ///< the latest before the island run under way
    std::uint64_t most_searches = 0;    ///< beyond this count of searches the window is overloaded
    PathReach reach;                    ///< see StepEngine::path_reach
    StepStatistics statistics;
    std::vector<Slot> candidates;  ///< scratch of searches
};

}  // namespace ricochet
