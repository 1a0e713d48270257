// SPDX-License-Identifier: BSD-3-Clause
//
// Whether single particles, and pairs, fit into a box, and whether doubles can tell where they are.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/box.hpp"

namespace ricochet {

/// The number nearest to x with x - radius >= 0 and length - x >= radius in floating point. A particle with
/// this centre stays within walls at 0 and length (>= 2 radius).
double confined(double x, double radius, double length);

/// One sentence for each axis that is too short for these two largest radii; none when the box fits. The
/// second radius is 0 for a single particle. Between walls an axis must contain the diameter. Periodic axes
/// must have unique nearest images, L/2 > r_a + r_b.
std::vector<std::string> size_problems(const Box& box, double largest, double second_largest);

/// Positions are doubles in [0, L): an edge has steps of about 2^-53 L.
double position_step(const Box& box);

/// The largest share of the smallest radius, or of the path of a step, that a step of positions may be. Errors
/// of contact times are of this order.
inline constexpr double coarsest_positions = 1e-6;

/// One sentence for each axis along which positions are too coarse for particles of this radius (> 0).
std::vector<std::string> coarseness_problems(const Box& box, double smallest);

}  // namespace ricochet
