// SPDX-License-Identifier: BSD-3-Clause
//
// A uniform field: half a kick before the drift, half a kick after it. Between them paths are straight in the frame of
// the step (model/falling_frame.hpp), which makes parabolas in the laboratory, without an error of the timestep.
//
// It acts in an equilibration too, where walls hold what falls.
#pragma once

#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class Gravity final : public Drive {
  public:
    /// `acceleration`: as World::gravity; `dt`: the timestep.
    Gravity(Vec3 acceleration, double dt) : half_kick_((0.5 * dt) * acceleration) {}

    void before_drift(Particles& owned, DrivenStep /*step*/) const override { kick(owned); }
    void after_drift(Particles& owned, DrivenStep /*step*/) const override { kick(owned); }

  private:
    void kick(Particles& owned) const {
        for (Motion& motion : owned.motion) motion.velocity = motion.velocity + half_kick_;
    }

    Vec3 half_kick_;
};

}  // namespace ricochet
