// SPDX-License-Identifier: BSD-3-Clause
//
// How far the convex hull of points is from the origin, by the points alone: no planes, no edges. Wolfe's method (Math.
// Programming 11 (1976) 128) goes from simplex to simplex, each nearer than the one before.
#pragma once

#include <vector>

#include "ricochet/model/vec3.hpp"

namespace ricochet::test {

/// 0 where the origin is in the hull.
double distance_to_hull(const std::vector<Vec3>& points);

/// All differences of places of two sets, the second moved by r.
std::vector<Vec3> differences(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 r);

}  // namespace ricochet::test
