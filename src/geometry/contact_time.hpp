// SPDX-License-Identifier: BSD-3-Clause
//
// When do two moving spheres touch? Only these functions decide the contact time of a pair; those of obstacles are
// in geometry/obstacle.hpp.
//
// Two spheres with centres x_lo, x_hi (ordered by id) and velocities v_lo, v_hi touch when |r + u t| = s.
// Here r is the nearest image of x_hi - x_lo, u = v_hi - v_lo, and s is the sum of the radii. The contact
// time is the smaller root of
//     a t^2 + 2 b t + c = 0,   a = |u|^2, b = r.u, c = |r|^2 - s^2   (Johnson & Whalley 2002, section 3.3).
//
// The root is computed as c / (-b + sqrt(b^2 - a c)), which does not cancel. Most of the error of a contact
// time comes from c (3e-17 / gap in plain double), so c is summed in double-double. The discriminant uses
// Kahan's fused difference of products.
//
// Invariants:
// * b >= 0 is never a contact, even when rounding left the pair overlapping. Nearly half of all pairs overlap
//   in the last bit after their contact (note 3 of tests/bench/notes.md); they would collide again for ever.
// * b < 0 and c <= 0 is a contact now: an overlapping pair that still approaches must not be lost. Rules that let
//   a pair react or pass say otherwise (Overlap).
// * Both motions are first advanced to the later of their own times. So the result is a function of the two
//   states alone: it does not matter when, where or how often the pair is predicted.
// * Exchanging the spheres negates r and u exactly and changes no bit of the result.
//
// Spheres may grow (GrowingSpheres): from the later time on, the contact distance is s (1 + h t), and they touch when
// |r + u t| = s (1 + h t). With tau = t / (1 + h t) that is |r + (u - h r) tau| = s: the same quadratic for another
// relative velocity. Its root gives t = tau / (1 - h tau), or never where h tau >= 1. All invariants hold, with
// surfaces in place of centres: b < 0 is where surfaces approach.
// (B. D. Lubachevsky & F. H. Stillinger, J. Stat. Phys. 60 (1990) 561 has such spheres.)
//
// For several pairs at once, in vector registers, find_contacts and find_pair_contacts do what
// pair_contact_time does for one. All share one source text (contact_time.cpp), so they agree in every bit.
// They are never inlined, so that one sequence of instructions exists for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// The contact time of those that do not touch.
inline constexpr double never = std::numeric_limits<double>::infinity();

/// Time within the step at which two particles, in any order, touch on straight paths, at or after the later of
/// their own times. The value is `never` if they do not touch. contact_distance: sum of the radii.
double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                         const ImageLengths& images);

/// The images of spheres whose radii all grow. At time t of the step they are 1 + rate t times those given.
struct GrowingSpheres {
    const ImageLengths& images;
    double rate;  ///< 1/time, of the radii at the start of the step; >= 0
};

/// The same for spheres that grow; contact_distance: sum of the radii at the start of the step.
double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                         const GrowingSpheres& spheres);

/// The same for two whose rule says what they do while they overlap.
double pair_contact_time(const Motion& a, const Motion& b, double contact_distance,
                         const ImageLengths& images, Overlap overlap);

/// Time within the step at which two particles, in any order, part and are as far apart as their tether is long. It is
/// at or after the later of their own times; at once if they are that far apart already. `never` if they move alike.
///
/// It is the larger root of the same quadratic, with c counted as 0 where it is positive. So two that are farther
/// apart, by rounding or since their tether formed, turn back where they are as far apart as now.
double tether_time(const Motion& a, const Motion& b, double length, const ImageLengths& images);

/// pair_contact_time for `own` and motions[others[k]], with the contact distances in distances[k]. Finds those that
/// touch before `until`, and those whose own time is later than `ahead_of`. Writes them in the order of
/// `others` to `slots`, and their contact times to `times` (`never` when not before `until`). Returns their
/// number.
///
/// The last three arrays need contacts_room(others.size()) elements; elements beyond the others are
/// undefined.
std::size_t find_contacts(const Motion& own, std::span<const Slot> others, const Motion* motions,
                          const double* distances, const ImageLengths& images, double until, double ahead_of,
                          Slot* slots, double* times);
std::size_t find_contacts(const Motion& own, std::span<const Slot> others, const Motion* motions,
                          const double* distances, const GrowingSpheres& spheres, double until,
                          double ahead_of, Slot* slots, double* times);
inline constexpr std::size_t most_lanes = 8;  ///< of a vector of doubles
constexpr std::size_t contacts_room(std::size_t num_others) { return num_others + most_lanes; }

/// The same for the pairs motions[first[k]], motions[second[k]]. Writes the k of those that touch before
/// `until`, ascending, and their contact times. The last three arrays need contacts_room(first.size())
/// elements.
std::size_t find_pair_contacts(std::span<const Slot> first, std::span<const Slot> second,
                               const Motion* motions, const double* distances, const ImageLengths& images,
                               double until, std::uint32_t* indices, double* times);
std::size_t find_pair_contacts(std::span<const Slot> first, std::span<const Slot> second,
                               const Motion* motions, const double* distances, const GrowingSpheres& spheres,
                               double until, std::uint32_t* indices, double* times);

}  // namespace ricochet
