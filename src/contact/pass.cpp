// SPDX-License-Identifier: BSD-3-Clause
//
// Partners that pass through each other. Nothing changes: what either does next with a third is as if the two had not
// met. So a reaction at a rate is not decided anew.
//
// A particle at a body that it may pass: it goes straight on, or bounces. At a rate it also passes where its chord does
// not touch. It then turns towards the mirror image of the chord's end, at once, so that no path jumps.
#include "contact/encounter.hpp"

namespace ricochet {

ContactOutcome outcome(const Pass& /*rule*/, const PairContact& contact) {
    const Encounter at = geometry_of(contact);
    return {.impact = {.normal = at.normal, .distance = at.distance, .speed = minus(at.normal_velocity)},
            .low = {},
            .high = {},
            .effect = ContactEffect::pass};
}

static bool passes(const Pass& rule, const ObstacleContact& contact) {
    if (contact.rated) return contact.rated->reacts;
    return rule.is_certain() || uniform_of(contact.setting, contact.motion.id, contact.obstacle,
                                           contact.num_before, 0) < rule.probability;
}

ContactOutcome outcome(const Pass& rule, const ObstacleContact& contact) {
    if (!passes(rule, contact)) {
        ContactOutcome result = outcome(Bounce{}, contact);
        result.impact.distance = 0;
        return result;
    }
    const Motion& motion = contact.motion;
    const double time_left = contact.setting.end - contact.time;
    const bool touches = !contact.rated || contact.rated->touches;
    const Vec3 velocity =
        touches ? motion.velocity : advanced(motion.velocity, contact.to_mirror_image, 1 / time_left);
    return {.impact = {.normal = contact.normal, .speed = dot(motion.velocity, contact.normal) + 0.0},
            .low = NewMotion{position_at(motion, contact.time), velocity},
            .high = {},
            .effect = ContactEffect::pass};
}

}  // namespace ricochet
