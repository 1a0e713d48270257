// SPDX-License-Identifier: BSD-3-Clause
//
// Partners that pass through each other. Nothing changes: what either does next with a third is as if the two had not
// met. So a reaction at a rate is not decided anew.
#include <stdexcept>

#include "contact/encounter.hpp"

namespace ricochet {

ContactOutcome outcome(const Pass& /*rule*/, const PairContact& contact) {
    const Encounter at = geometry_of(contact);
    return {.impact = {.normal = at.normal, .distance = at.distance, .speed = minus(at.normal_velocity)},
            .low = {},
            .high = {},
            .effect = ContactEffect::pass};
}

ContactOutcome outcome(const Pass& /*rule*/, const ObstacleContact& /*contact*/) {
    throw std::logic_error("a wall does not let pass");
}

}  // namespace ricochet
