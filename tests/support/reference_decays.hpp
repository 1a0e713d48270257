// SPDX-License-Identifier: BSD-3-Clause
//
// Decays a second time, for one rank that has all particles: as the input's reference describes them, without a look
// at contact/decay.hpp. It shares their data, the random numbers and no formula.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/decay.hpp"
#include "geometry/body_room.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// When particles decay: before a step or after it.
struct DecayMoment {
    std::uint64_t step = 0;
    bool is_after_step = false;
};

struct DecaysOfMoment {
    std::vector<Contact> records;  ///< of the log
    int num_without_room = 0;      ///< decays that did not happen
};

/// Lets particles decay, and gives new ids from `next_id` on.
DecaysOfMoment reference_decays(const Box& box, const ContactRules& rules,
                                const std::vector<DecayChannel>& channels, double timestep,
                                const DecayMoment& moment, const BodyRoom& room, Particles& particles,
                                ParticleId& next_id);

/// Some channels for the species of a system with rules. A particle decays every few steps.
std::vector<DecayChannel> random_decays(const System& system, HashRandom& random);

}  // namespace ricochet::test
