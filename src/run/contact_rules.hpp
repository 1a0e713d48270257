// SPDX-License-Identifier: BSD-3-Clause
//
// The rules by which the contacts of the recorded steps are resolved, as the input describes them.
#pragma once

#include "ricochet/config/config.hpp"
#include "ricochet/contact/rules.hpp"

namespace ricochet {

/// The number of a rule is its place in contacts.pairs.
ContactRules contact_rules(const Config& config);

}  // namespace ricochet
