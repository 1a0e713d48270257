// SPDX-License-Identifier: BSD-3-Clause
//
// Systems whose contacts change or tether particles: random ones, and the hard cases of such rules. Every system is
// deterministic and satisfies L/2 > r_a + r_b + d_a + d_b at the start of its first step. Products may break
// that later, within a step or at the start of the next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Random rules for all pairs and walls, with species, dimension and seed, and for one in four systems with
/// Brownian masses, which its particles get too. Products are at most twice as wide as the largest particle.
void give_random_rules(System& system, HashRandom& random);

/// Rules by which particles only bounce, as the system's restitution has it; with species to which they may decay. Else
/// as give_random_rules.
void give_random_products(System& system, HashRandom& random);

/// A random system with random rules: 2D and 3D, sizes 1:1 to 1:20, dilute and dense gases, lattices of touching
/// particles with coincident collision times; at most 150 particles, up to several contacts each per step.
System arbitrary_rule_system(std::uint64_t seed);

/// Gives the system's particles diffusion, with the masses that it means, and the system random rules with rates. Of
/// dt depends how far particles diffuse in a step: 0.02 to 1 contact distances. h R is 0.05 to 50, or infinite.
void give_random_rates(System& system, HashRandom& random);
/// The standard deviation of velocities per axis, of particles of unit mass at the world's kT.
double brownian_speed(const System& system);

/// Lets some species of a system with random rules (give_random_rules, give_random_rates) stick to each other: other
/// lengths, valences, break rates, probabilities or rates for each pair. They coalesce no more. In half the systems
/// some near pairs are tethered from the start. Walls replace periodic faces where tethered ones had two nearest
/// images.
void give_random_tethers(System& system, HashRandom& random);
/// The longest step for unique nearest images at its start.
double longest_tethered_step(const System& system);

/// A random Brownian gas with rates, to be driven at brownian_speed: 2D and 3D, walls, one to five species, sizes
/// 1:1 to 1:20, dilute and dense; at most 150 particles, some systems with overlaps from the start.
System arbitrary_rate_system(std::uint64_t seed);

/// An arbitrary_rule_system with tethers; its step is shorter, if need be for unique nearest images.
System arbitrary_tether_system(std::uint64_t seed);
/// An arbitrary_rate_system with tethers, to be driven at brownian_speed.
System arbitrary_tethered_rate_system(std::uint64_t seed);

/// The hard cases: chains of reactions at one instant, wedges, products wider than their room, products that
/// overlap several others, everything at the same time, products far from their partners, particles that end in
/// the way of others, giants.
std::vector<System> rule_degenerate_systems();
/// The name of one of them.
inline constexpr auto touching_lattice_that_coalesces = "touching lattice that coalesces";

/// As rollback_trap; p and r annihilate each other, unless s takes r away in time. An engine that has seen them end
/// must still know that p may fly on.
System rollback_trap_of_ended(const std::array<int, 3>& order);

}  // namespace ricochet::test
