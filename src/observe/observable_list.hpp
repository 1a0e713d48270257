// SPDX-License-Identifier: BSD-3-Clause
//
// All observables that results may have, as the observers themselves describe them.
#pragma once

#include <string>

namespace ricochet {

/// Name, components and meaning of each, under headings that say which runs have it. Species are called A and B.
std::string describe_observables();

}  // namespace ricochet
