// SPDX-License-Identifier: BSD-3-Clause
//
// The simulation box: [0, L) along each axis, in two or three dimensions. Each axis is periodic or closed by
// a pair of reflecting walls. Slabs cut the box along x.
//
// The minimum image is one expression; axes without images have image lengths 0. It is unique for every pair
// that can touch within a step as long as L/2 > r_a + r_b + d_a + d_b. Each step checks this.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "ricochet/core/check.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

enum class Boundary : std::uint8_t { periodic, reflecting };

struct Box {
    int dimension = 3;   ///< 2 or 3
    Vec3 size{1, 1, 1};  ///< edge lengths; size.z = 0 in 2D
    std::array<Boundary, 3> boundary{Boundary::periodic, Boundary::periodic,
                                     Boundary::periodic};  ///< entry 2 has no meaning in 2D

    bool is_periodic(int axis) const { return axis < dimension && boundary[axis] == Boundary::periodic; }
    bool has_walls(int axis) const { return axis < dimension && boundary[axis] == Boundary::reflecting; }
    bool has_walls() const { return has_walls(0) || has_walls(1) || has_walls(2); }
    /// Volume, or area in two dimensions.
    double volume() const { return dimension == 2 ? size.x * size.y : size.x * size.y * size.z; }

    friend bool operator==(const Box&, const Box&) = default;
};

/// The lengths that the minimum image needs; apart from Box, so that kernels carry six numbers only.
struct ImageLengths {
    Vec3 length;   ///< L for a periodic axis, otherwise 0
    Vec3 inverse;  ///< 1/L for a periodic axis, otherwise 0

    ImageLengths() = default;
    explicit ImageLengths(const Box& box) {
        RICOCHET_CHECK(box.dimension == 2 || box.dimension == 3);
        for (int axis = 0; axis < 3; ++axis) {
            if (!box.is_periodic(axis)) continue;
            RICOCHET_CHECK_GT(box.size[axis], 0);
            length[axis] = box.size[axis];
            inverse[axis] = 1.0 / box.size[axis];
        }
    }
};

/// The separation r shifted by whole box lengths to its nearest image. Ties round to even; the result is odd
/// in r: minimum_image(-r) == -minimum_image(r) in every bit.
inline Vec3 minimum_image(Vec3 r, const ImageLengths& images) {
    return {std::fma(-images.length.x, std::nearbyint(r.x * images.inverse.x), r.x),
            std::fma(-images.length.y, std::nearbyint(r.y * images.inverse.y), r.y),
            std::fma(-images.length.z, std::nearbyint(r.z * images.inverse.z), r.z)};
}
/// Its component along x alone.
inline double minimum_image_x(double r, const ImageLengths& images) {
    return std::fma(-images.length.x, std::nearbyint(r * images.inverse.x), r);
}

}  // namespace ricochet
