// SPDX-License-Identifier: BSD-3-Clause
//
// Whether what reactions and decays make has room where it is made.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/world.hpp"

namespace ricochet {

/// A sentence for each body with particles on both sides, and each product that is too wide for its inside and does not
/// pass the body. Bodies that have all particles inside are refused by the input where a species is too wide. What
/// merges may outgrow any body: that is told when it happens.
std::vector<std::string> describe_products(const World& world);

}  // namespace ricochet
