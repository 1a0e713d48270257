// SPDX-License-Identifier: BSD-3-Clause
//
// Partners that become tethered, and those that are. Whether a tether may form, or exists and is taut, is known from
// both partners' lists before.
#include <stdexcept>

#include "contact/encounter.hpp"

namespace ricochet {
namespace {

bool binds(const Stick& rule, const PairContact& contact) {
    if (contact.tether != TetherState::forms) return false;
    if (contact.rated) return contact.rated->reacts;
    return rule.probability >= 1 ||
           uniform_of(contact.setting, contact.low.id, contact.high.id, contact.num_before_low,
                      contact.num_before_high) < rule.probability;
}

}  // namespace

/// At a rate two may become tethered without touching: then they need not approach.
ContactOutcome outcome(const Stick& rule, const PairContact& contact) {
    if (contact.tether == TetherState::taut) return held(contact);
    if (!binds(rule, contact)) return outcome(Bounce{rule.restitution}, contact);
    ContactOutcome result = contact.rated ? stayed(contact) : outcome(Bounce{rule.restitution}, contact);
    result.effect = ContactEffect::stick;
    return result;
}

ContactOutcome outcome(const Stick& /*rule*/, const ObstacleContact& /*contact*/) {
    throw std::logic_error("a wall does not stick");
}

}  // namespace ricochet
