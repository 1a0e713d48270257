// SPDX-License-Identifier: BSD-3-Clause
//
// When slots touch obstacles.
#pragma once

#include "engine/local_motion.hpp"
#include "engine/ruled_times.hpp"
#include "engine/step_context.hpp"
#include "geometry/obstacle.hpp"

namespace ricochet {

class ObstacleTimes {
  public:
    /// Refers to all three.
    ObstacleTimes(const StepContext& context, const LocalMotion& local, const RuledTimes& ruled)
        : context_(context), local_(local), ruled_(ruled) {}

    /// visit(prediction) for the slot's contacts with obstacles before `until`.
    template <class Visit>
    void for_each_contact(Slot slot, double until, Visit&& visit) const {
        const ObstacleSearch& obstacles = context_.obstacles;
        if (obstacles.has_bodies()) for_each_contact_with_bodies(slot, until, visit);
        if (!context_.has_plain_walls) {
            for_each_other_contact(slot, until, visit);
            return;
        }
        const Motion& motion = local_.motion(slot);
        obstacles.for_each_wall_ahead(motion, [&](ObstacleIndex index, const Wall& wall) {
            const double time = obstacle_contact_time(motion, local_.radius(slot), wall);
            if (time < until) visit(local_.predict_obstacle(slot, index, time));
        });
    }

  private:
    /// A particle may touch a wall that it flies away from, where it grows, falls, or reacts at a rate, or the wall
    /// moves.
    template <class Visit>
    void for_each_other_contact(Slot slot, double until, Visit&& visit) const {
        const Motion& own = local_.motion(slot);
        context_.obstacles.for_each_wall([&](ObstacleIndex index, const Obstacle& wall) {
            const Motion motion = context_.seen_by(wall, own);
            const double time =
                context_.growth > 0
                    ? growing_obstacle_contact_time(motion, local_.radius(slot), wall.shape, context_.growth)
                    : time_at(slot, motion, wall);
            if (time < until) visit(local_.predict_obstacle(slot, index, time));
        });
    }
    template <class Visit>
    void for_each_contact_with_bodies(Slot slot, double until, Visit&& visit) const {
        const Motion straight = context_.obstacles.in_box(local_.motion(slot));
        const Motion motion = context_.seen_by_bodies(straight);
        double reach = context_.has_rates ? context_.rules.reach_at_bodies(local_.attributes(slot)) : 0;
        if (context_.falls) reach += context_.frame.most_apart();
        context_.obstacles.for_each_surface(straight, local_.radius(slot) + reach, until,
                                            [&](ObstacleIndex index, const Obstacle& surface) {
                                                const double time = time_at(slot, motion, surface);
                                                if (time < until)
                                                    visit(local_.predict_obstacle(slot, index, time));
                                            });
    }
    /// `motion`: as obstacles see it.
    double time_at(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
        return context_.changes_matter ? ruled_.time_at(slot, motion, obstacle)
                                       : context_.touching_time(motion, local_.attributes(slot), obstacle);
    }

    const StepContext& context_;
    const LocalMotion& local_;
    const RuledTimes& ruled_;
};

}  // namespace ricochet
