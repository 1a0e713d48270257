// SPDX-License-Identifier: BSD-3-Clause
//
// Partners that become products, for certain or by chance. Of two products each is where its partner was. Masses
// before the contact decide how they part, so a pair that keeps its masses keeps momentum and energy.
#include "contact/frozen_axes.hpp"

namespace ricochet {
namespace {

bool reacts(const React& rule, const PairContact& contact) {
    if (contact.rated) return contact.rated->reacts;
    if (!(rule.probability > 0)) return false;
    return rule.is_certain() ||
           uniform_of(contact.setting, contact.low.id, contact.high.id, contact.num_before_low,
                      contact.num_before_high) < rule.probability;
}
bool reacts(const React& rule, const ObstacleContact& contact) {
    if (contact.rated) return contact.rated->reacts;
    if (!(rule.probability > 0)) return false;
    return rule.is_certain() || uniform_of(contact.setting, contact.motion.id, contact.obstacle,
                                           contact.num_before, 0) < rule.probability;
}

/// Bounces off elastically where it touches. It goes on where it reacts at a distance, or parts from the wall already,
/// as one may that overlaps.
ContactOutcome stayed(const ObstacleContact& contact) {
    ContactOutcome result = outcome(Bounce{}, contact);
    if (!(result.impact.speed > 0) || (contact.rated && !contact.rated->touches)) {
        result.low->velocity = contact.motion.velocity;
        result.impact.impulse = 0;
    }
    return result;
}

/// Both end where they are.
ContactOutcome annihilated(const PairContact& contact) {
    const Encounter at = geometry_of(contact);
    return {.impact = {.normal = at.normal, .distance = at.distance, .speed = minus(at.normal_velocity)},
            .low = NewMotion{at.low, {}},
            .high = NewMotion{at.high, {}},
            .matter = NewMatter{absent_attributes, absent_attributes}};
}

ContactOutcome reacted(const React& rule, const PairContact& contact) {
    const ContactRules& rules = *contact.setting.rules;
    const bool low_is_first = contact.attributes_low.species == rule.first;
    const Attributes& first = low_is_first ? contact.attributes_low : contact.attributes_high;
    const Attributes& second = low_is_first ? contact.attributes_high : contact.attributes_low;
    const Attributes product = product_of(rules, first, rule.products[0]);
    if (rule.products[0] != absent_species && rule.products[1] == absent_species)
        return merged(contact, low_is_first, product);
    ContactOutcome result = rule.products[0] == absent_species ? annihilated(contact) : stayed(contact);
    const Attributes other = product_of(rules, second, rule.products[1]);
    result.matter = low_is_first ? NewMatter{product, other} : NewMatter{other, product};
    result.effect = ContactEffect::react;
    if (rule.products[0] != absent_species) fit_to_axes(result, contact);
    return result;
}

}  // namespace

ContactOutcome outcome(const React& rule, const PairContact& contact) {
    return reacts(rule, contact) ? reacted(rule, contact) : outcome(Bounce{rule.restitution}, contact);
}

/// What ends at a wall gives it the momentum that it had along the normal.
ContactOutcome outcome(const React& rule, const ObstacleContact& contact) {
    if (!reacts(rule, contact)) return outcome(Bounce{rule.restitution}, contact);
    ContactOutcome result = stayed(contact);
    if (rule.products[0] == absent_species) {
        result.impact.impulse = contact.attributes.mass * result.impact.speed;
        result.low->velocity = {};
    }
    result.matter = NewMatter{product_of(*contact.setting.rules, contact.attributes, rule.products[0]), {}};
    result.effect = ContactEffect::react;
    if (rule.products[0] != absent_species) fit_to_axes(result, contact);
    return result;
}

}  // namespace ricochet
