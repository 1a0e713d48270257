// SPDX-License-Identifier: BSD-3-Clause
//
// What the reference's bodies share, whether particles fly straight (reference_bodies.cpp) or fall
// (reference_falls.cpp).
#pragma once

#include <limits>

#include "tests/support/reference_bodies.hpp"

namespace ricochet::test {

inline constexpr double endless = std::numeric_limits<double>::infinity();
inline constexpr double no_time = endless;

/// The first of several times, and its number.
struct First {
    double time = no_time;
    int number = 0;

    void include(double other, int of) {
        if (other < time) *this = {other, of};
    }
};

/// One end of a capsule's line: that of the cap.
Vec3 end_of(const BodySurface& surface);
/// Beyond which end of a line a place along it is: 0, 1, or 2 for neither.
int end_at(const BodySurface& surface, double place);
bool is_over(const BodySurface& flat, Vec3 place);
/// Whether a centre at r from the middle is on the other side of a surface that has two.
bool is_beyond(const BodySurface& surface, Vec3 r);
/// The nearest point of a pill's line.
Vec3 foot_on(const BodySurface& pill, Vec3 centre);
int num_axes_of(const BodySurface& crate);
/// Not in its surface.
bool is_in_crate(const BodySurface& crate, Vec3 place);

}  // namespace ricochet::test
