// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/solid_pair.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/box_parts.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// All places from which some place of a line that starts at 0 is in the hull of the corners.
std::optional<Polytope> swept_back(const std::vector<Vec3>& corners, Vec3 line, int dimension) {
    std::vector<Vec3> points = corners;
    for (const Vec3 corner : corners) points.push_back(corner - line);
    return convex_hull(points, dimension);
}

/// As much of a box as a sum asks for, with its low corner at 0: one edge along each axis, and faces without rims. It
/// may be as flat as it likes.
Polytope box_from_low_corner(const BodyBox& box, int dimension) {
    const Vec3 size = box.high - box.low;
    Polytope result;
    result.dimension = dimension;
    for (int k = 0; k < (1 << dimension); ++k)
        result.corners.push_back(
            {(k & 1) != 0 ? size.x : 0, (k & 2) != 0 ? size.y : 0, (k & 4) != 0 ? size.z : 0});
    for (int axis = 0; axis < dimension; ++axis) {
        const Vec3 along = unit_along(axis);
        result.faces.push_back({{Vec3{} - along, 0}, {}});
        result.faces.push_back({{along, size[axis]}, {}});
        if (dimension == 3) result.edges.push_back({0, 1u << axis, along, size[axis]});
    }
    return result;
}

}  // namespace

SolidPair SolidPair::beside_spheres(const Polytope& of) { return SolidPair(RoundedPair(of)); }

SolidPair SolidPair::beside(const Polytope& of, const BodyCapsule& capsule) {
    const Vec3 line = capsule.to - capsule.from;
    if (line == Vec3{}) return beside_spheres(of);
    const std::optional<Polytope> sum = swept_back(of.corners, line, of.dimension);
    RICOCHET_CHECK(sum.has_value());
    return SolidPair(RoundedPair(*sum));
}

SolidPair SolidPair::beside(const Polytope& of, const BodyCylinder& cylinder) {
    return SolidPair(RoundedPair::endless(of, cylinder.axis));
}

SolidPair SolidPair::beside(const Polytope& of, const BodyBox& box) {
    return SolidPair(SharpPair(of, box_from_low_corner(box, of.dimension)));
}

bool SolidPair::has_sum(const std::vector<Vec3>& corners, const BodyCapsule& capsule, int dimension) {
    return swept_back(corners, capsule.to - capsule.from, dimension).has_value();
}

ConvexTouch SolidPair::first_touch(Vec3 r, Vec3 u, double radius) const {
    if (const auto* const sharp = std::get_if<SharpPair>(&pair_)) return sharp->first_touch(r, u);
    return std::get<RoundedPair>(pair_).first_touch(r, u, radius);
}

ConvexTouch SolidPair::first_touch_of_fall(const Fall& fall, double radius) const {
    if (const auto* const sharp = std::get_if<SharpPair>(&pair_)) return sharp->first_touch_of_fall(fall);
    return std::get<RoundedPair>(pair_).first_touch_of_fall(fall, radius);
}

ConvexGap SolidPair::gap(Vec3 r, double radius) const {
    if (const auto* const sharp = std::get_if<SharpPair>(&pair_)) return sharp->gap(r);
    const ConvexGap of_line = std::get<RoundedPair>(pair_).gap(r);
    return {of_line.distance - radius, of_line.normal};
}

}  // namespace ricochet
