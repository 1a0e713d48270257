// SPDX-License-Identifier: BSD-3-Clause
//
// The certificate of an edge in two dimensions: whether a fourth disc stays outside the power circle of three others.
//
// With d_k = x_k - x_0 and l_k = |d_k|^2 - w_k + w_0, the certificate is the determinant of the three rows (d_k, l_k).
// The d are linear in time and the l quadratic, so it is a polynomial of degree four. It changes its sign when two
// discs change places.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1,
// equation (1), with the first row subtracted from the others.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/bernstein.hpp"
#include "kinetic/torus_frame.hpp"

namespace ricochet {

/// Twice the area of a triangle; positive where its corners turn to the left.
inline double two_areas(Vec3 a, Vec3 b, Vec3 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// In time from now. Where discs 1-3 turn to the left it is negative where disc 0 is outside of their power circle.
inline Polynomial<4> power_determinant(const std::array<MovingDisc, 4>& discs) {
    struct Row {
        Polynomial<1> x, y;
        Polynomial<2> lifted;
    };
    std::array<Row, 3> rows;
    for (std::size_t k = 0; k < 3; ++k) {
        const MovingDisc &first = discs[0], &disc = discs[k + 1];
        Row& row = rows[k];
        row.x = {{disc.position.x - first.position.x, disc.velocity.x - first.velocity.x}};
        row.y = {{disc.position.y - first.position.y, disc.velocity.y - first.velocity.y}};
        row.lifted = row.x * row.x + row.y * row.y;
        row.lifted.c[0] -= disc.weight - first.weight;
    }
    const auto minor = [&](std::size_t j, std::size_t k) {
        return rows[j].x * rows[k].y - rows[j].y * rows[k].x;
    };
    return rows[0].lifted * minor(1, 2) + rows[1].lifted * minor(2, 0) + rows[2].lifted * minor(0, 1);
}

}  // namespace ricochet
