// SPDX-License-Identifier: BSD-3-Clause
//
// Whether particles fit into a box, apart from each other.
#pragma once

#include <string>
#include <vector>

#include "ricochet/core/box.hpp"

namespace ricochet {

/// The number nearest to x with x - radius >= 0 and length - x >= radius in floating point: a centre whose
/// particle does not reach through the walls at 0 and length (>= 2 radius).
double confined(double x, double radius, double length);

/// What is wrong with a box for particles of which these are the two largest radii (the second may be 0: a
/// single particle): one sentence per axis that is too short, for the diameter between walls, or for unique
/// nearest images along periodic axes, L/2 > r_a + r_b. Empty when all is well.
std::vector<std::string> size_problems(const Box& box, double largest, double second_largest);

}  // namespace ricochet
