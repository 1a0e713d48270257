// SPDX-License-Identifier: BSD-3-Clause
//
// Partners that pass through each other. Both motions are counted from the contact on, as after any other, so that
// its time orders what follows.
#include <stdexcept>

#include "contact/encounter.hpp"

namespace ricochet {

ContactOutcome outcome(const Pass& /*rule*/, const PairContact& contact) {
    const Encounter at = geometry_of(contact);
    return {.impact = {.normal = at.normal, .distance = at.distance, .speed = minus(at.normal_velocity)},
            .low = NewMotion{at.low, contact.low.velocity},
            .high = NewMotion{at.high, contact.high.velocity},
            .effect = ContactEffect::pass};
}

ContactOutcome outcome(const Pass& /*rule*/, const ObstacleContact& /*contact*/) {
    throw std::logic_error("a wall does not let pass");
}

}  // namespace ricochet
