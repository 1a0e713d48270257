// SPDX-License-Identifier: BSD-3-Clause
//
// Masses, and the moments of cells about their centres of mass (law.hpp). Sums run in the order of the lists, so that
// equal lists give equal bits.
#pragma once

#include <span>

#include "ricochet/model/vec3.hpp"

namespace ricochet {

struct PointMass {
    Vec3 position;
    double mass = 0;  ///< positive
};

struct Moments {
    Vec3 centre;  ///< of mass
    double mass = 0;
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;  ///< sums of mass times distances from the centre
    double trace = 0;                                       ///< xx + yy + zz
};

/// Of particles.
/// Requires: there is one.
Moments moments_of(std::span<const PointMass> points);
/// Of the parts of a cell.
/// Requires: there is one.
Moments moments_of(std::span<const Moments> parts);

/// The smallest box that contains some particles.
struct Bounds {
    Vec3 low, high;
};

Bounds bounds_of(std::span<const PointMass> points);
inline Bounds moved(const Bounds& bounds, Vec3 offset) { return {bounds.low - offset, bounds.high - offset}; }
inline Bounds united(const Bounds& a, const Bounds& b) { return {min(a.low, b.low), max(a.high, b.high)}; }

/// The squared distance from a place to a box, 0 inside. Not larger for a box that contains the other, in every
/// rounding: each operation is monotonic.
inline double squared_gap(Vec3 place, const Bounds& bounds) {
    const Vec3 outside = max(max(bounds.low - place, place - bounds.high), Vec3{});
    return dot(outside, outside);
}
/// The squared distance from a place in a box to its farthest corner.
inline double squared_reach(Vec3 place, const Bounds& bounds) {
    const Vec3 reach = max(bounds.high - place, place - bounds.low);
    return dot(reach, reach);
}

}  // namespace ricochet
