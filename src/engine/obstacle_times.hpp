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
        if (context_.changes_matter) {  // at a rate, a particle may react with a wall that it flies away from
            context_.obstacles.for_each([&](const Obstacle& obstacle) {
                const double time = ruled_.time_at(slot, obstacle);
                if (time < until) visit(local_.predict_obstacle(slot, obstacle.number, time));
            });
            return;
        }
        const Motion& motion = local_.motion(slot);
        if (context_.growth > 0) {  // a particle that grows may touch a wall that it flies away from
            context_.obstacles.for_each([&](const Obstacle& obstacle) {
                const double time = growing_obstacle_contact_time(motion, local_.radius(slot), obstacle.shape,
                                                                  context_.growth);
                if (time < until) visit(local_.predict_obstacle(slot, obstacle.number, time));
            });
            return;
        }
        context_.obstacles.for_each_candidate(motion, [&](const Obstacle& obstacle) {
            const double time = obstacle_contact_time(motion, local_.radius(slot), obstacle.shape);
            if (time < until) visit(local_.predict_obstacle(slot, obstacle.number, time));
        });
    }

  private:
    const StepContext& context_;
    const LocalMotion& local_;
    const RuledTimes& ruled_;
};

}  // namespace ricochet
