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
        if (!context_.has_plain_contacts) {
            for_each_other_contact(slot, until, visit);
            return;
        }
        const Motion& motion = local_.motion(slot);
        context_.obstacles.for_each_candidate(motion, [&](const Obstacle& obstacle) {
            const double time = obstacle_contact_time(motion, local_.radius(slot), obstacle.shape);
            if (time < until) visit(local_.predict_obstacle(slot, obstacle.number, time));
        });
    }

  private:
    /// A particle that grows, or reacts at a rate, may touch a wall that it flies away from.
    template <class Visit>
    void for_each_other_contact(Slot slot, double until, Visit&& visit) const {
        context_.obstacles.for_each([&](const Obstacle& obstacle) {
            const double time = context_.growth > 0
                                    ? growing_obstacle_contact_time(local_.motion(slot), local_.radius(slot),
                                                                    obstacle.shape, context_.growth)
                                    : ruled_.time_at(slot, obstacle);
            if (time < until) visit(local_.predict_obstacle(slot, obstacle.number, time));
        });
    }

    const StepContext& context_;
    const LocalMotion& local_;
    const RuledTimes& ruled_;
};

}  // namespace ricochet
