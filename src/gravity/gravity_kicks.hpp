// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity as a drive: half a kick before the drift and half a kick after it, with the accelerations at the
// particles' places then. Between them particles drift exactly, from contact to contact. Kick-drift-kick is symmetric
// in time, so the energy of orbits oscillates and does not drift (Hairer, Lubich & Wanner, Geometric Numerical
// Integration, section I.3).
//
// Only the part of a kick along axes that a particle moves along changes its velocity. What rests attracts all others.
//
// It acts in an equilibration too, as uniform fields do.
#pragma once

#include "dynamics/collective_drive.hpp"
#include "gravity/kept_fields.hpp"

namespace ricochet {

class GravityKicks final : public CollectiveDrive {
  public:
    /// Keeps the reference. `dt`: the timestep.
    GravityKicks(KeptFields& fields, double dt) : fields_(fields), half_(0.5 * dt) {}

    /// Throw RunError as KeptFields::at.
    void before_drift(Particles& owned, DrivenStep step) override;
    void after_drift(Particles& owned, DrivenStep step) override;

  private:
    void kick(Particles& owned, WithPotential potential);

    KeptFields& fields_;
    double half_;
};

}  // namespace ricochet
