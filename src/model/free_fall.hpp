// SPDX-License-Identifier: BSD-3-Clause
//
// How fast a body's own gravity is at its surface.
#pragma once

#include <cmath>

#include "ricochet/model/world.hpp"

namespace ricochet {

/// (r^3/(G m))^1/2, for the law `inverse` (r^2/(G m))^1/2; r^2 softened: in which what is released at the surface of
/// such a body falls by about half its radius. The same for all sizes of one density, but for the law `inverse`.
inline double free_fall_time(const GravityLaw& law, double radius, double mass) {
    const double squared = radius * radius + law.softening * law.softening;
    const double power = law.form == GravityForm::inverse ? squared : squared * std::sqrt(squared);
    return std::sqrt(power / (law.constant * mass));
}

}  // namespace ricochet
