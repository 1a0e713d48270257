// SPDX-License-Identifier: BSD-3-Clause
//
// How a polytope touches a solid body from outside. The body's own shape is a polytope, or what is within a radius of a
// point or a line.
//
// A line is added to the polytope, in reverse: then what is round is a sphere, as in RoundedPair. Across an endless
// line only the shadow of the polytope counts.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "geometry/convex_pair.hpp"
#include "geometry/polytope.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class SolidPair {
  public:
    /// The polytope beside spheres of any radius, beside a capsule, a cylinder or a box. O(corners^4) of the sum of
    /// both. Requires: has_sum.
    static SolidPair beside_spheres(const Polytope& of);
    static SolidPair beside(const Polytope& of, const BodyCapsule& capsule);
    static SolidPair beside(const Polytope& of, const BodyCylinder& cylinder);
    static SolidPair beside(const Polytope& of, const BodyBox& box);

    /// Whether the sum with a capsule is thick enough to be found.
    static bool has_sum(const std::vector<Vec3>& corners, const BodyCapsule& capsule, int dimension);

    /// When they touch; the normal is from the polytope to the body. The arguments:
    ///   r       from the polytope's centre to the anchor of the body. That is a sphere's centre, a capsule's start,
    ///           a point on a cylinder's axis, or a box's low corner
    ///   u       the velocity of r
    ///   radius  of the body, 0 for a box
    ConvexTouch first_touch(Vec3 r, Vec3 u, double radius) const;
    /// The same where r is accelerated: its motion, at time 0.
    ConvexTouch first_touch_of_fall(const Fall& fall, double radius) const;
    /// As first_touch; negative where they overlap.
    ConvexGap gap(Vec3 r, double radius) const;

  private:
    explicit SolidPair(RoundedPair pair) : pair_(std::move(pair)) {}
    explicit SolidPair(SharpPair pair) : pair_(std::move(pair)) {}

    std::variant<RoundedPair, SharpPair> pair_;
};

}  // namespace ricochet
