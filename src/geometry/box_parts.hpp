// SPDX-License-Identifier: BSD-3-Clause
//
// The faces, edges and corners of a box with edges along the axes. A sphere that comes from outside touches the box
// where it first touches one of them.
#pragma once

#include <limits>

#include "geometry/obstacle_shapes.hpp"

namespace ricochet {

constexpr Vec3 unit_along(int axis, double sign = 1) {
    Vec3 unit;
    unit[axis] = sign;
    return unit;
}

/// Whether a place is deeper than all faces of the box.
inline bool holds(const BoxSide& side, Vec3 place) {
    for (int axis = 0; axis < side.dimension; ++axis)
        if (!(side.low[axis] < place[axis] && place[axis] < side.high[axis])) return false;
    return true;
}

/// The normal of the face that is nearest to a place inside, or at the surface.
Vec3 outwards_at(Vec3 place, const BoxSide& side);

/// A face, touched from outside. Endless along the third axis in two dimensions. Rounding puts no centre deeper behind
/// it than a small part of the box. What lies deeper is beside it.
inline Face face_of_box(Vec3 low, Vec3 high, int dimension, int axis, bool is_high) {
    constexpr double rounding = 0x1p-30;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto half = [&](int k) {
        return k < dimension ? 0.5 * (high[k] - low[k]) : std::numeric_limits<double>::infinity();
    };
    Vec3 centre = 0.5 * (low + high);
    centre[axis] = is_high ? high[axis] : low[axis];
    return {centre,
            unit_along(axis, is_high ? 1 : -1),
            {unit_along(u), unit_along(v)},
            {half(u), half(v)},
            rounding * half(axis)};
}

/// Calls `visit` with a Face, a Rod or a Ball, in the order of their numbers.
template <class Visit>
void for_each_part_of_box(Vec3 low, Vec3 high, int dimension, Visit&& visit) {
    for (int axis = 0; axis < dimension; ++axis)
        for (const bool is_high : {false, true}) visit(face_of_box(low, high, dimension, axis, is_high));
    for (int axis = 0; axis < 3 && dimension == 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int corner = 0; corner < 4; ++corner) {
            Vec3 start = low;
            if (corner % 2 == 1) start[u] = high[u];
            if (corner / 2 == 1) start[v] = high[v];
            visit(Rod{start, unit_along(axis), high[axis] - low[axis], 0});
        }
    }
    for (int corner = 0; corner < (1 << dimension); ++corner) {
        Vec3 at = low;
        for (int axis = 0; axis < dimension; ++axis)
            if ((corner >> axis) % 2 == 1) at[axis] = high[axis];
        visit(Ball{at, 0});
    }
}

}  // namespace ricochet
