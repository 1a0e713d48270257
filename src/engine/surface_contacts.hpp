// SPDX-License-Identifier: BSD-3-Clause
//
// Where and how slots meet obstacles, at contacts that are due: before they take effect.
#pragma once

#include "engine/local_motion.hpp"
#include "engine/ruled_times.hpp"
#include "engine/step_context.hpp"
#include "geometry/obstacle.hpp"

namespace ricochet {

class SurfaceContacts {
  public:
    /// Refers to all three.
    SurfaceContacts(const StepContext& context, const LocalMotion& local, const RuledTimes& ruled)
        : context_(context), local_(local), ruled_(ruled) {}

    /// Where the slot's centre is at `time`, as the obstacle sees it. Bodies are listed with the images about the box,
    /// and rest in the laboratory. Walls see all as if they were in their faces.
    Vec3 centre(Slot slot, const Obstacle& obstacle, double time) const;
    /// Where both touch, as the obstacle sees it. The normal is from the particle into the obstacle.
    Surface surface(Slot slot, const Obstacle& obstacle, double time) const;
    /// How far the particle reaches into the obstacle, if by more than rounding; else 0. What may pass meets it as a
    /// point.
    double overlap(Slot slot, const Obstacle& obstacle, double time) const;
    /// How far the centre is from the surface, along the normal, where both touch: a radius, or less of a shape.
    double distance(Slot slot, const Obstacle& obstacle, double time) const;

  private:
    const StepContext& context_;
    const LocalMotion& local_;
    const RuledTimes& ruled_;
};

}  // namespace ricochet
