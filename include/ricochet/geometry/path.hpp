// SPDX-License-Identifier: BSD-3-Clause
//
// The straight path of a particle over one step and its midpoint. Everything spatial is decided in midpoint
// space: cells, slices, slabs and halo all use the midpoint, because a path of length d stays within d/2 of
// it, which halves the reach that a search needs.
#pragma once

#include <cmath>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"

namespace ricochet {

/// x taken into [0, length) by at most one box length either way.
inline double wrapped(double x, double length) {
    if (x < 0) x += length;
    return x >= length ? x - length : x;
}

/// The same, counting the box lengths: afterwards x + image * length is where x was, up to one rounding. A
/// coordinate just below 0 that rounds to `length` when shifted ends at 0 with its count unchanged.
inline void wrap_counting(double& x, double length, std::int64_t& image) {
    if (x < 0) {
        x += length;
        --image;
    }
    if (x >= length) {
        x -= length;
        ++image;
    }
}

/// A midpoint's coordinate taken into the box: wrapped along a periodic axis, projected onto the box along an
/// axis with walls (projection onto a convex set brings points no farther apart, so that the part of the path
/// inside the box stays within half its length of the result).
inline double folded(double middle, int axis, const Box& box) {
    const double length = box.size[axis];
    if (box.is_periodic(axis)) return wrapped(middle, length);
    return middle < 0 ? 0 : middle > length ? length : middle;
}

/// The midpoint of the path that the particle would travel in a step of length dt without contacts, in the
/// box.
inline Vec3 path_midpoint(const Motion& motion, double dt, const Box& box) {
    Vec3 middle = advanced(motion.position, motion.velocity, 0.5 * dt);
    for (int axis = 0; axis < box.dimension; ++axis) middle[axis] = folded(middle[axis], axis, box);
    return middle;
}

/// Its x alone, the same bits.
inline double path_midpoint_x(const Motion& motion, double dt, const Box& box) {
    return folded(std::fma(motion.velocity.x, 0.5 * dt, motion.position.x), 0, box);
}

}  // namespace ricochet
