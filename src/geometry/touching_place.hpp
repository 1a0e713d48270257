// SPDX-License-Identifier: BSD-3-Clause
//
// Where two convex bodies touch. The corners of a body that are farthest along the normal span a corner, an edge or a
// face. The place is in the middle of what these two have in common. It decides no contact.
#pragma once

#include <vector>

#include "geometry/polytope.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// The places that are farthest along a direction, and others that are nearly as far, by less than the slack.
std::vector<Vec3> farthest_of(const std::vector<Vec3>& places, Vec3 direction, double slack);

/// The corners that are farthest along a normal, moved.
std::vector<Vec3> farthest_corners(const Polytope& of, Vec3 normal, Vec3 shift);

/// The middle of places; requires some.
Vec3 middle_of(const std::vector<Vec3>& places);

/// A place in both of what two sets of farthest corners span. `normal`: from the first body to the second, of length 1.
Vec3 common_place(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 normal);

}  // namespace ricochet
