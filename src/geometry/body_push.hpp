// SPDX-License-Identifier: BSD-3-Clause
//
// Which way leads off a body: for what overlaps one, and is to be moved away from it.
//
// From within a box each face leads inwards by itself, so that what lies in a corner is moved off all of its faces.
// All other shapes have one way, from the nearest point of the surface.
#pragma once

#include <vector>

#include "ricochet/model/bodies.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// A surface beside a place.
struct BodyPush {
    double clearance = 0;  ///< a length; negative where no particle may be
    Vec3 away;             ///< of length 1: the direction in which the clearance grows
};

/// Appends the surfaces of a body with less than this clearance from a place, images not counted. A body with both
/// sides pushes towards the side on which the place is. Where particles may be the least is clearance(body, place)
/// (geometry/body_room.hpp), but for rounding. O(spheres of the body).
void add_body_pushes(const Body& body, Vec3 place, double reach, std::vector<BodyPush>& pushes);

/// The same of the outside of a sphere.
BodyPush push_off(const BodySphere& sphere, Vec3 place);

}  // namespace ricochet
