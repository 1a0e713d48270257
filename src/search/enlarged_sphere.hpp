// SPDX-License-Identifier: BSD-3-Clause
//
// How a bounding sphere is enlarged for a bent path.
#pragma once

#include <algorithm>

#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// The sphere with at least the reach `needed`, of which `radius` is the particle's. The excursion gets some room,
/// because a path that has been bent once is likely to be bent again.
inline BoundingSphere enlarged(const BoundingSphere& sphere, double needed, double radius) {
    constexpr double room = 1.1;
    const double reach = std::max(needed, radius + room * (needed - radius));
    return bounding_sphere(sphere.midpoint(), std::max(reach, static_cast<double>(sphere.reach)));
}

}  // namespace ricochet
