// SPDX-License-Identifier: BSD-3-Clause
//
// What tests measure: conservation, moments, collision sums, an overlap census by a search of its own, and
// bitwise comparison of results. Nothing here shares code with the engine, its searches or the observables
// that runs write.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet::test {

/// Sums over all particles, in extended precision where the machine has it.
struct Totals {
    Vec3 momentum;
    double energy = 0;         ///< kinetic
    double mean_square = 0;    ///< <v^2>
    double mean_fourth = 0;    ///< <v^4>
    double mass_velocity = 0;  ///< sum of m |v|: the scale for errors of the momentum
};
Totals totals(const Particles& particles);

/// Sums over contacts, from which pressure and collision rate follow.
struct CollisionSums {
    std::uint64_t num_pair = 0;
    std::uint64_t num_wall = 0;
    double virial = 0;                     ///< sum over pair contacts of impulse * distance
    std::array<double, 6> wall_impulse{};  ///< per face
    std::uint64_t largest_generation = 0;

    void add(const std::vector<Contact>& contacts);
    CollisionSums& operator+=(const CollisionSums& other);
    /// Z - 1 = virial / (d N kT time).
    double excess_compressibility(int dimension, std::size_t num_particles, double kT, double time) const;
    /// Collisions per particle per time; each pair contact is a collision of two particles.
    double collision_rate(std::size_t num_particles, double time) const;
};

/// Overlaps deeper than `tolerance` (length), found by a sweep along x; positions at a common time.
struct OverlapCensus {
    std::uint64_t num_overlaps = 0;
    double deepest = 0;  ///< length, over all pairs; 0 without overlaps
};
OverlapCensus census_of_overlaps(const Box& box, const Particles& particles, double tolerance);

/// Particle order is not part of the state: both are compared by id. "" when every bit agrees, otherwise the
/// first difference in words. Lists of tethers that are not kept count as empty.
std::string first_difference(const Particles& expected, const Particles& actual);
/// "" when both lists hold the same bits in the same order, otherwise the first difference in words.
std::string first_difference(const std::vector<Contact>& expected, const std::vector<Contact>& actual);

/// "" if each tether is in the lists of both partners, with the species of the other, and none is there twice.
/// Otherwise what is wrong.
std::string what_is_wrong_with_tethers(const Particles& particles);

/// Sets the velocities of all particles to -v: time runs backwards.
void reverse_velocities(Particles& particles);

/// Mean square of the distances between unwrapped positions; both in the same order of ids.
double mean_square_displacement(const Box& box, const Particles& from, const Particles& to);

/// Largest distance between the unwrapped positions (position + image L) of equal ids.
double largest_displacement(const Box& box, const Particles& a, const Particles& b);

}  // namespace ricochet::test
