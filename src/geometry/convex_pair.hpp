// SPDX-License-Identifier: BSD-3-Clause
//
// When do two convex bodies touch that do not turn? Only these functions decide contact times where a partner is no
// sphere; for spheres see geometry/contact_time.hpp.
//
// Two polytopes overlap where the separation r of their centres is in the sum of one and the reflected other
// (Minkowski). That is a polytope too, an intersection of half-spaces n.r <= h. A straight path enters it by the last
// plane that it crosses inwards, if it has left none before. This plane gives the normal of the contact. Of several
// planes crossed at one time the first in the list counts. Faces come before pairs of edges there.
//
// What falls has a parabola for its path. It crosses each plane inwards once at most, and enters by the first crossing
// that is within all other planes.
//
// A sphere touches a polytope where its centre enters the polytope rounded by its radius. Rounded edges and corners are
// those of bodies (geometry/obstacle_shapes.hpp).
//
// Invariants, as for spheres:
// * Two that part are never in contact, even when rounding left them overlapping; two that approach while they overlap
//   are in contact now. Of polytopes the plane of least depth tells which.
// * The result is a function of r and the relative velocity u alone. Exchanging partners negates both and the planes,
//   and changes no bit.
// * Grazing: a path that enters through one plane while it slides along another, or leaves through it, less deep than
//   1e-12 of the size, touches nothing. Else an edge that rounding puts in the way would stop a cube on a row of cubes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/falling_times.hpp"
#include "geometry/obstacle_shapes.hpp"
#include "geometry/polytope.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// When and how two touch.
struct ConvexTouch {
    double time;  ///< from now on; infinite: never
    Vec3 normal;  ///< of length 1, from the first partner to the second
};

/// How far apart two are; negative: how deep they overlap.
struct ConvexGap {
    double distance;  ///< of two polytopes: along the normal of the plane that separates them best
    Vec3 normal;      ///< of length 1, from the first partner to the second
};

/// Two polytopes.
class SharpPair {
  public:
    /// Of none: it has no planes.
    SharpPair() = default;
    /// The same bits as that of the exchanged partners, with all normals reversed.
    SharpPair(const Polytope& first, const Polytope& second);
    /// Of the exchanged partners.
    SharpPair reversed() const;

    /// Two at a distance r, from the first to the second, with the relative velocity u. What lies beyond the horizon
    /// may be left out. O(planes).
    ConvexTouch first_touch(Vec3 r, Vec3 u, double horizon = std::numeric_limits<double>::infinity()) const;
    /// The same where r is accelerated: its motion, at time 0. O(planes^2).
    ConvexTouch first_touch_of_fall(const Fall& fall) const;
    ConvexGap gap(Vec3 r) const;
    const std::vector<HalfSpace>& planes() const { return planes_; }

  private:
    bool is_entered(const Fall& fall, double time, const HalfSpace& by) const;

    std::vector<HalfSpace> planes_;
    double grazing_ = 0;  ///< the depth of what only grazes
};

/// A polytope and spheres.
class RoundedPair {
  public:
    explicit RoundedPair(const Polytope& of);
    /// The polytope with all that lies in the direction of the axis, or against it, from a place in it: a prism without
    /// ends. What touches it is a sphere with its centre on such an axis, or a cylinder about the axis.
    static RoundedPair endless(const Polytope& of, Vec3 axis);

    /// A sphere at r from the polytope, with the relative velocity u. The normal is from the polytope to the sphere.
    /// O(faces x edges).
    ConvexTouch first_touch(Vec3 r, Vec3 u, double radius) const;
    /// The same where r is accelerated: its motion, at time 0.
    ConvexTouch first_touch_of_fall(const Fall& fall, double radius) const;
    /// Of a place and the polytope, with the normal out of it.
    ConvexGap gap(Vec3 place) const;

  private:
    RoundedPair() = default;

    double most_above(Vec3 place) const;
    bool is_in(const Polytope::Face& face, Vec3 place) const;
    void include_faces(Vec3 r, Vec3 u, double radius, ConvexTouch& first) const;

    std::vector<Polytope::Face> faces_;
    std::vector<Rod> edges_;
    std::vector<Ball> corners_;
    double slack_ = 0;  ///< what rounding may put a place beside a face
};

}  // namespace ricochet
