// SPDX-License-Identifier: BSD-3-Clause
//
// When a sphere that falls touches an obstacle at rest: in the laboratory, on its parabola.
//
// A contact is the first time, at or after the particle's own, at which the gap to the surface falls and is not
// positive. The gap to a flat surface is a quadratic of the time. At a round one the square of a distance decides,
// which is a quartic (geometry/bernstein.hpp).
//
// The product of a reaction may reach into a surface by more than rounding. It touches the surface at once where it
// falls, else at the top of its flight, or when it comes back from above.
//
// Invariants, beside those of straight paths (geometry/obstacle_shapes.hpp):
// * A particle that has just bounced is at the surface but for rounding, and comes back to it. A root at its own time
//   is divided out: then rounding decides neither whether it comes back nor how fast.
// * The result depends on the particle's own state and on the end of the whole step. Search intervals, sub-windows and
//   parts of the step do not enter.
#pragma once

#include "geometry/obstacle_shapes.hpp"
#include "model/rounding.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// A flight with a constant acceleration.
struct Fall {
    Motion motion;      ///< in the laboratory, at its own time
    Vec3 acceleration;  ///< length/time^2
    double end = 0;     ///< of the whole step: curved surfaces are looked for until then
};

/// Where the centre is a time `later` than its own.
inline Vec3 place_after(const Fall& fall, double later) {
    return advanced(advanced(fall.motion.position, fall.motion.velocity, later), fall.acceleration,
                    0.5 * (later * later));
}

/// Time within the step at which a falling sphere of the given radius touches the obstacle, at or after its own time.
/// The value is `never` (geometry/contact_time.hpp) if it does not.
double falling_contact_time(const Fall& fall, double radius, const ObstacleShape& shape);

/// What a gap that is not positive means where a flight begins.
enum class Below {
    rounding,  ///< the sphere touches, and the gap counts as 0
    overlap,   ///< it reaches into the surface
    elsewhere  ///< it is beside the surface or behind it: the gap must become positive before
};

/// The first time, at or after 0, at which gap + rate t + (bend/2) t^2 falls and is not positive; else `never`.
double first_touch(double gap, double rate, double bend, Below below);

/// Whether a sphere of this radius, with its centre this far from a surface, reaches into it by more than rounding. A
/// point does not.
inline bool reaches_into(double distance, double radius) {
    return radius > 0 && distance < deep_overlap_down * radius;
}

}  // namespace ricochet
