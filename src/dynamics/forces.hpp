// SPDX-License-Identifier: BSD-3-Clause
//
// Constant forces on Brownian particles, by species. A particle alone drifts at D F/kT. In the drift that all have in
// common paths are parabolas, without an error of the timestep (dynamics/gravity.hpp). What a particle's own drift has
// beside that is added to its straight step.
//
// So at a wall the density of a species is right where its drift is the common one. Else it is off by an amount that
// grows with the step times the force over kT (theory/drive_outlook.hpp).
#pragma once

#include <vector>

#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class Forces final : public Drive {
  public:
    /// By the species' numbers. `common_drift`: of the frame in which all particles move.
    Forces(const std::vector<Species>& species, double thermal_energy, Vec3 common_drift);

    /// Cost: one visit of each particle.
    /// Requires: velocities are those of this step, as drive_brownian gives them.
    void before_drift(Particles& owned, DrivenStep step) const override;

  private:
    std::vector<Vec3> forces_;
    double thermal_energy_;
    Vec3 common_drift_;
};

}  // namespace ricochet
