// SPDX-License-Identifier: BSD-3-Clause
//
// What a search asks of the system, beyond what its own keys say.
#pragma once

#include <string>

#include "ricochet/config/config.hpp"

namespace ricochet {

/// Where the search does not suit the system: which method is expected instead, and why. Empty where it does.
std::string find_search_problem(const Config& config, SearchMethod search);

}  // namespace ricochet
