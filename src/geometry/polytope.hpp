// SPDX-License-Identifier: BSD-3-Clause
//
// Convex bodies with flat faces, about their centre of mass: the shapes of particles that are no spheres. They do not
// turn. In two dimensions they are polygons in the plane z = 0, and their sides are called faces too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// All places x with normal . x <= height.
struct HalfSpace {
    Vec3 normal;  ///< of length 1, out of it
    double height = 0;

    /// How far a place is outside; negative inside.
    double above(Vec3 place) const { return dot(normal, place) - height; }
    friend bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

struct Polytope {
    struct Face {
        HalfSpace plane;
        std::vector<HalfSpace> rims;  ///< what is in the plane and in all of these is in the face
    };
    struct Edge {
        std::uint32_t from = 0, to = 0;  ///< corners
        Vec3 direction;                  ///< of length 1
        double length = 0;
    };

    int dimension = 3;
    std::vector<Vec3> corners;
    std::vector<Face> faces;
    std::vector<Edge> edges;  ///< none in two dimensions
    Vec3 centre;              ///< of mass, of uniform density
    double volume = 0;        ///< area in two dimensions
};

/// The convex hull of points: those that are no corners of it are left out, and repeats within 4e-9 of its length. None
/// if the hull is thinner than 1e-9 of its length, or along two axes than about 3e-5. The same bits for the same points
/// in the same order. O(n^4).
std::optional<Polytope> convex_hull(const std::vector<Vec3>& points, int dimension);

constexpr Vec3 cross_product(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Moved, so that the centre of mass is at 0.
Polytope centred(Polytope of);

/// The largest distance of a corner from 0.
double bounding_radius(const std::vector<Vec3>& corners);

/// The largest normal . x of all x in the hull of the corners.
double support(const std::vector<Vec3>& corners, Vec3 normal);

}  // namespace ricochet
