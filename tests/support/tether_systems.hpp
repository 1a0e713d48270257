// SPDX-License-Identifier: BSD-3-Clause
//
// Random systems whose particles become tethered, for comparison of the engine with the reference.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Lets some species of a system with random rules (give_random_rules, give_random_rates) stick to each other: other
/// lengths, valences, break rates, probabilities or rates for each pair. They coalesce no more. In half the systems
/// some near pairs are tethered from the start. Walls replace periodic faces where tethered ones had two nearest
/// images.
void give_random_tethers(System& system, HashRandom& random);

/// An arbitrary_rule_system with tethers; its step is shorter, if need be for unique nearest images.
System arbitrary_tether_system(std::uint64_t seed);
/// An arbitrary_rate_system with tethers, to be driven at brownian_speed.
System arbitrary_tethered_rate_system(std::uint64_t seed);

/// "" if each tether is in the lists of both partners, with the species of the other, and each list is short enough.
std::string what_is_wrong_with_tethers(const Particles& particles);

}  // namespace ricochet::test
