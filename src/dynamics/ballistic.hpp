// SPDX-License-Identifier: BSD-3-Clause
//
// Ballistic dynamics: a particle keeps its velocity from step to step; only contacts change it. This file has
// the first velocities, drawn per particle with (seed, id), the removal of their net momentum, and the
// temperature. Sums are exact, so they do not depend on the number of ranks.
//
// Momentum is conserved along periodic axes: there the centre of mass moves at a constant velocity, which
// carries no heat. Its energy and one degree of freedom per such axis do not count towards the temperature.
// Walls absorb momentum, and along their axes all motion is thermal. So do particles that are frozen along an axis.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ricochet/core/exact_sum.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

enum class InitialVelocities : std::uint8_t {
    zero,
    maxwell,     ///< every component normal with variance kT/m
    equal_speed  ///< speed sqrt(d kT/m), d the number of axes it moves along, in a random direction
};

/// The first velocity of particle `id` at the temperature kT = thermal_energy. In two dimensions z is 0, as are
/// components along frozen axes.
/// Requires: thermal_energy >= 0, mass > 0.
Vec3 initial_velocity(InitialVelocities kind, double thermal_energy, double mass, int dimension,
                      std::uint64_t seed, ParticleId id, std::uint32_t frozen_axes = 0);

/// Gives all particles their first velocities, with the masses of their attributes.
void assign_velocities(Particles& particles, InitialVelocities kind, double thermal_energy, int dimension,
                       std::uint64_t seed);

/// The degrees of freedom that share the kinetic energy of ballistic particles in equilibrium.
struct Freedom {
    double degrees = 0;                 ///< kT/2 each
    std::array<bool, 3> is_relative{};  ///< axes along which velocities count relative to the centre of mass
};
/// By the numbers of particles of each species. A single particle has no relative motion, so all of its motion counts.
/// Requires: as many numbers as species.
Freedom ballistic_freedom(const Box& box, std::span<const Species> species,
                          std::span<const std::uint64_t> numbers);
/// Degrees of freedom of particles that nothing moves together: one for each axis that a particle moves along.
double degrees_of_freedom(const Box& box, std::span<const Species> species,
                          std::span<const std::uint64_t> numbers);

/// Momentum and mass of a set of particles, as exact sums: x, y, z and mass. Ranks add and merge theirs.
struct NetMomentum {
    std::array<ExactSum, 4> sums;

    void add(const Particles& particles);
    void merge(const NetMomentum& other);
    /// Velocity of the centre of mass; 0 for no particles.
    Vec3 drift() const;
};

/// Subtracts the drift from all velocities. The remaining drift comes from rounding and is below 1e-16 of a
/// typical speed.
void remove_drift(Particles& particles, Vec3 drift);

/// Sum of m v^2 / 2. Ranks merge theirs.
ExactSum kinetic_energy(const Particles& particles);

/// Multiplies all velocities by `factor`.
void scale_velocities(Particles& particles, double factor);

/// Scales the velocities of the particles on all ranks to exactly kT = thermal_energy, unless all are at rest.
/// They have this number of degrees of freedom. The same bits on any number of ranks. Collective.
/// Requires: no motion of the centre of mass where it is conserved.
void scale_to_temperature(Exchange& exchange, double degrees, double thermal_energy, Particles& particles);

/// Removes the motion of the centre of mass where it is conserved, and scales the rest to exactly kT. Nothing happens
/// where fewer than two particles move. Collective.
void settle(Exchange& exchange, const World& world, double thermal_energy, Particles& particles);

}  // namespace ricochet
