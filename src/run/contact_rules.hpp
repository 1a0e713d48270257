// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of contacts and decays in the recorded steps, as the input describes them.
#pragma once

#include "contact/decay.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/contact/rules.hpp"

namespace ricochet {

/// The number of a rule is its place in contacts.pairs.
ContactRules contact_rules(const Config& config);
/// The number of a decay is its place in decays.
DecayRules decay_rules(const Config& config);

}  // namespace ricochet
