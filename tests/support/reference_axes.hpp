// SPDX-License-Identifier: BSD-3-Clause
//
// Contacts of particles that are fixed along some axes, as the reference has them. Two such partners meet as two beads
// do that each slide along their own axes: only the axes on which one of them slides count. `ease` is how easily a
// particle is moved along an axis: 1/mass, or 0 where it is fixed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

using ByAxis = std::array<double, 3>;

bool is_fixed(const Attributes& attributes, int axis);
/// Whether the two may not meet, whatever they do: both are fixed along all axes.
bool never_meet(const Attributes& low, const Attributes& high);
/// Along each axis.
ByAxis ease_of(const Attributes& attributes);

/// What two need to part that reach into each other and fall: the upper one must rise.
struct Rise {
    double height_times_pull = 0;
    double mass = 0;

    /// The relative speed along the normal that has 9/8 of the energy of the rise.
    double speed(double ease) const { return std::sqrt(2.25 * (height_times_pull * (mass * ease))); }
};

/// Turns the partners back; `r` is from low to high. Returns the impulse along the normal n.
double turn_back_on_axes(Participant& low, Participant& high, Vec3 r, Vec3 n, double restitution,
                         bool are_held, const Rise& rise);

/// The impulse that takes two to a common velocity along n.
double joining_impulse(const Attributes& low, const Attributes& high, Vec3 n, double normal_velocity);

/// How far from one to the other their centre of mass is, along each axis: 0 at the one, 1 at the other. One that is
/// fixed keeps the centre to itself.
ByAxis centre_between(const Attributes& one, const Attributes& other);

/// What sets a particle free.
struct Liberation {
    const ContactRules& rules;
    std::uint64_t seed, step;
    ParticleId id;
};
/// The velocity of what was fixed along the axes of `fixed_before` and is `now`.
Vec3 velocity_as(const Attributes& now, std::uint32_t fixed_before, Vec3 velocity, const Liberation& by);

}  // namespace ricochet::test
