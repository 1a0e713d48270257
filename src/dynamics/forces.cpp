// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/forces.hpp"

#include <cstddef>

namespace ricochet {

Forces::Forces(const std::vector<Species>& species, double thermal_energy, Vec3 common_drift)
    : thermal_energy_(thermal_energy), common_drift_(common_drift) {
    for (const Species& of : species) forces_.push_back(of.force.value_or(Vec3{}));
}

void Forces::before_drift(Particles& owned, DrivenStep /*step*/) const {
    for (std::size_t k = 0; k < owned.size(); ++k) {
        const Attributes& of = owned.attributes[k];
        const Vec3 own_drift =
            without_axes((of.diffusion / thermal_energy_) * forces_[of.species], of.frozen_axes);
        Vec3& velocity = owned.motion[k].velocity;
        velocity = velocity + (own_drift - common_drift_);
    }
}

}  // namespace ricochet
