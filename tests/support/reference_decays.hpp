// SPDX-License-Identifier: BSD-3-Clause
//
// Decays a second time, for one rank that has all particles: as the input's reference describes them, without a look
// at contact/decay.hpp. It shares their data, the random numbers and no formula.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/decay.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Lets particles decay before a step, and gives new ids from `next_id` on. Returns the record of the log.
std::vector<Contact> reference_decays(const Box& box, const ContactRules& rules,
                                      const std::vector<DecayChannel>& channels, double timestep,
                                      std::uint64_t step, Particles& particles, ParticleId& next_id);

/// Some channels for the species of a system with rules. A particle decays every few steps.
std::vector<DecayChannel> random_decays(const System& system, HashRandom& random);

}  // namespace ricochet::test
