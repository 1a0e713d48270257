// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that one step of one slab works on, shared by WindowResolver (which walks through the windows)
// and IslandRunner (which runs the events of one island).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/boundary_event.hpp"
#include "engine/halo_check.hpp"
#include "engine/islands.hpp"
#include "engine/neighbour_lists.hpp"
#include "engine/window_schedule.hpp"
#include "ricochet/core/block_store.hpp"
#include "ricochet/core/prefetch.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

/// An event that a neighbour reported, on our slot of the particle.
struct RemoteEvent {
    Slot slot = 0;
    BoundaryEvent event;
    friend bool operator==(const RemoteEvent&, const RemoteEvent&) = default;
};

struct StepState {
    StepState(const Box& the_box, const ContactRules& the_rules, const EngineOptions& the_options)
        : box(the_box),
          rules(the_rules),
          options(the_options),
          search(make_search(the_options.search, the_box)),
          neighbours(memory),
          set(the_box, the_options.use_generations, memory),
          forest(memory),
          schedule(memory) {}

    /// Whether a neighbour might have the slot too; nearly always the answer is no, and found in the cache.
    bool may_be_shared(Slot slot) const { return !coverage.is_whole_box && holders->may_be_shared(slot); }
    /// Whether it is for this rank to record a contact of the two, and to tell others of it: of the ranks
    /// that have both, the lowest does.
    bool is_reporting_rank(Slot a, Slot b) const {
        return ((*holders)[a] & (*holders)[b] & coverage.lower_ranks) == 0;
    }
    /// Whether this rank must tell somebody of a contact of the two: of one that it speaks for and that some
    /// rank has one partner of only.
    bool must_report(Slot a, Slot b) const {
        return (*holders)[a] != (*holders)[b] && is_reporting_rank(a, b);
    }
    /// What only slots near the faces are asked for.
    void prefetch_at_faces(Slot slot) const {
        if (!may_be_shared(slot)) return;
        holders->prefetch_mask(slot);
        if (!step_midpoints_x.empty()) prefetch(&step_midpoints_x[slot]);
    }

    /// Whether the bounding spheres hold the paths of the whole step, not of an interval.
    bool has_whole_paths() const { return step_midpoints_x.empty(); }
    /// More than the rounding of a bounding sphere along x.
    double face_slack() const { return ricochet::face_slack(box); }
    /// Starts the record of how far paths lead beyond the faces.
    void set_coverage(const Coverage& of_step) {
        coverage = of_step;
        reach = coverage.straight;
        find_deep_part();
    }
    /// Adds a path of an owned particle that those neighbours have a copy of.
    void include_path(const FaceReach& path, NeighbourMask holders_of_path) {
        reach.include(path, holders_of_path);
        find_deep_part();
    }
    /// Whether a path that leads from x, as kept, no farther than `most` along x, leads no farther beyond a
    /// face than others have. Of one that has crossed the edge of the box, not known: false.
    bool stays_deep(double x, double most) const { return deep_low <= x - most && x + most <= deep_high; }

    bool is_overloaded() const { return statistics.num_searches > most_searches; }

    /// The midpoint of the path that the slot had when the step began, along x.
    double step_midpoint_x(Slot slot) const {
        return step_midpoints_x.empty() ? spheres[slot].midpoint().x
                                        : static_cast<double>(step_midpoints_x[slot]);
    }

    /// Visits the slot's predicted contacts with walls in this interval: at most one per axis.
    template <class Visit>
    void for_each_wall_contact(Slot slot, Visit&& visit) const {
        const Motion& motion = set.motion(slot);
        for (int axis = 0; axis < box.dimension; ++axis) {
            if (!box.has_walls(axis)) continue;
            const int face = 2 * axis + (motion.velocity[axis] > 0 ? 1 : 0);
            const double time = wall_contact_time(motion, set.radius(slot), face, box);
            if (time < interval_end) visit(set.predict_wall(slot, face, time));
        }
    }

    const Box box;
    const ContactRules rules;
    const EngineOptions options;
    BlockStore memory;  ///< of what lives for a part of a step only
    const std::unique_ptr<BroadPhase> search;
    NeighbourLists neighbours;
    LocalSet set;
    IslandForest forest;
    WindowSchedule schedule;

    std::span<const BoundingSphere> spheres;  ///< by slot; the search enlarges them
    TimeSpan span;                            ///< of the step that is done
    double interval_begin = 0,
           interval_end = 0;  ///< what the search and its neighbours cover (search_interval.hpp)
    std::vector<float>
        step_midpoints_x;  ///< by slot; empty where the bounding spheres are those of the whole step
    Coverage coverage;
    double deep_low = 0, deep_high = 0;  ///< along x, within the slab: no path in there changes `reach`
    const Holders* holders = nullptr;    ///< the caller's
    double window_begin = 0, window_end = 0;
    std::vector<RemoteEvent> remote;  ///< of this window, in the order of (slot, key)
    std::uint32_t stamp_at_run = 0;   ///< the latest before the island run under way
    std::uint64_t most_searches = 0;  ///< beyond this count of searches the window is overloaded
    PathReach reach;                  ///< see StepEngine::path_reach
    StepStatistics statistics;
    std::vector<Slot> candidates;  ///< scratch of searches

  private:
    /// Where there is no face, the second argument may be no number: the first, infinite, stands.
    void find_deep_part() {
        deep_low = std::max(coverage.lower, coverage.lower - reach.least().lower);
        deep_high = std::min(coverage.upper, coverage.upper + reach.least().upper);
    }
};

}  // namespace ricochet
