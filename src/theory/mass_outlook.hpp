// SPDX-License-Identifier: BSD-3-Clause
//
// Whether reactions of ballistic particles keep momentum. Products part as the partners would, so they keep it where
// each has the mass of the partner that it replaces. One product of two keeps it where it has the mass of both.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/world.hpp"

namespace ricochet {

/// A sentence for each reaction of ballistic particles whose products have other masses. None of Brownian particles,
/// which have no masses of their own.
std::vector<std::string> describe_masses(const World& world);

}  // namespace ricochet
