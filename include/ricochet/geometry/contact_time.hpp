// SPDX-License-Identifier: BSD-3-Clause
//
// When do two swept spheres touch, when does a sphere touch a wall: the only two functions that decide a
// contact time.
//
// Two spheres with centres x_lo, x_hi (ordered by id) and velocities v_lo, v_hi touch when |r + u t| = s,
// with r the nearest image of x_hi - x_lo, u = v_hi - v_lo and s the sum of the radii, i.e. at the smaller
// root of
//     a t^2 + 2 b t + c = 0,   a = |u|^2, b = r.u, c = |r|^2 - s^2   (Johnson & Whalley 2002, section 3.3).
// The root is taken as c / (-b + sqrt(b^2 - a c)), which does not cancel. c is where the error of a contact
// time comes from (3e-17 / gap in plain double), so it is summed in double-double; the discriminant uses
// Kahan's fused difference of products. Sections that a reader may want to doubt:
//  * b >= 0 is never a contact, even when rounding left the pair overlapping: 43-50 % of contacts overlap in
//  the last
//    bit after the move, and would otherwise collide again for ever.
//  * b < 0 and c <= 0 is a contact now: an overlapping pair that still approaches must not be lost.
//  * Both motions are advanced to the later of their own times first. The result is then a function of the
//  two states
//    alone: it does not matter when, where or how often the pair is predicted.
// Exchanging the spheres negates r and u exactly and changes no bit of the result.
//
// find_meetings and find_pair_meetings do for several pairs at once, in vector registers, what
// pair_contact_time does for one: all are the same source text (contact_time.cpp), so that they agree in
// every bit. The functions are never inlined, so that one sequence of instructions exists for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"

namespace ricochet {

/// The contact time of a pair or wall that does not meet.
inline constexpr double never = std::numeric_limits<double>::infinity();

/// Time within the step at which `low` and `high` (low.id < high.id) touch when both fly straight on, at or
/// after the later of their own times; `never` if they do not. contact_distance: sum of the radii.
double pair_contact_time(const Motion& low, const Motion& high, double contact_distance,
                         const ImageLengths& images);

/// The same for `own` and motions[others[k]], with the contact distances in distances[k]: names those that
/// touch before `until`, and those whose own time is later than `ahead_of`, in the order of `others`, in
/// `slots`, with their contact times in `times` (`never` when it is not before `until`). Returns their
/// number. The last three arrays need meetings_room(others.size()) elements, of which those beyond the others
/// may be anything.
std::size_t find_meetings(const Motion& own, std::span<const Slot> others, const Motion* motions,
                          const double* distances, const ImageLengths& images, double until, double ahead_of,
                          Slot* slots, double* times);
std::size_t meetings_room(std::size_t num_others);

/// The same for the pairs motions[first[k]], motions[second[k]]: writes the k of those that touch before
/// `until`, ascending, and their contact times. The last three arrays need meetings_room(first.size())
/// elements.
std::size_t find_pair_meetings(std::span<const Slot> first, std::span<const Slot> second,
                               const Motion* motions, const double* distances, const ImageLengths& images,
                               double until, std::uint32_t* indices, double* times);

/// Time within the step at which a sphere of the given radius touches the wall at the low (0) or high
/// (length) end of `axis`; face = 2 axis + (0 low, 1 high). `never` if it does not approach.
double wall_contact_time(const Motion& motion, double radius, int face, const Box& box);

}  // namespace ricochet
