// SPDX-License-Identifier: BSD-3-Clause
//
// Random small systems, with how to run them: for fuzzing the engine on any number of ranks against the
// reference. Everything that has broken an engine like this is an axis of its own, and all are crossed at
// random: dimension, shape of the box, walls, sizes from 1 to 1000, masses to 1e12, restitution (constant
// or by speed), giants, touching lattices, Brownian steps, gravity, particles at rest, contacts per particle
// and step from 0.001 to 100, steps of more than half the box; ranks, cuts, search, intervals, sub-windows,
// width of the halo, cap on contacts.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/hash_random.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {

struct FuzzCase {
    System system;
    SlabRunSettings settings;
    int num_ranks = 1;
    std::string what;  ///< the case in a line, with its seed
};

/// Other intervals, sub-windows, cuts and halos for each seed; at the system's speed where it reacts at rates.
SlabRunSettings random_slab_settings(const System& system, std::uint64_t seed);

/// How the system is run, on how many ranks.
FuzzCase run_at_random(System system, HashRandom& random);

/// The same for the same seed, on every machine. At most some 120 particles and a few thousand contacts.
FuzzCase fuzz_case(std::uint64_t seed);

/// Contacts change particles: that of fuzz_case, or an arbitrary_rule_system, with random rules
/// (rule_systems.hpp). Long steps have a probability of reacting in each of their parts.
FuzzCase rule_fuzz_case(std::uint64_t seed);

/// Brownian particles react at rates: that of fuzz_case with random rates, or an arbitrary_rate_system.
FuzzCase rate_fuzz_case(std::uint64_t seed);

/// Particles decay. In two of five cases contacts have random rules besides, in two random rates, in one only bounces.
FuzzCase decay_fuzz_case(std::uint64_t seed);

/// Particles become tethered, at contacts or at rates, and tethers break: that of fuzz_case, or an arbitrary system of
/// rule_systems.hpp. In one of three they decay too.
FuzzCase tether_fuzz_case(std::uint64_t seed);
/// Any of these, among bodies.
FuzzCase body_fuzz_case(std::uint64_t seed);
/// Particles fall, in any of these without rates: among walls, and in half of the cases bodies. In the others one in
/// three falls.
FuzzCase gravity_fuzz_case(std::uint64_t seed);
/// Walls move, or walls and bodies have temperatures, or both, in any of these without rates.
FuzzCase surface_fuzz_case(std::uint64_t seed);

}  // namespace ricochet::test
