// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/gravity_kicks.hpp"

#include <cstddef>
#include <span>

#include "ricochet/model/vec3.hpp"

namespace ricochet {

void GravityKicks::before_drift(Particles& owned, DrivenStep /*step*/) { kick(owned, WithPotential::no); }

void GravityKicks::after_drift(Particles& owned, DrivenStep step) {
    kick(owned, step.is_sampled ? WithPotential::yes : WithPotential::no);
}

void GravityKicks::kick(Particles& owned, WithPotential potential) {
    const std::span<const GravityField> fields = fields_.at(owned, potential);
    for (std::size_t slot = 0; slot < owned.size(); ++slot) {
        Vec3& velocity = owned.motion[slot].velocity;
        velocity =
            velocity + without_axes(half_ * fields[slot].acceleration, owned.attributes[slot].frozen_axes);
    }
}

}  // namespace ricochet
