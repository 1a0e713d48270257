// SPDX-License-Identifier: BSD-3-Clause
//
// The engine under gravity against the reference, in every bit: all searches and loops, sub-windows, intervals, parts
// of steps and ranks, walls and bodies, at random. RICOCHET_GRAVITY_FUZZ=FIRST:COUNT runs other seeds, for as long as
// one likes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "tests/support/differential.hpp"

namespace ricochet::test {
namespace {

/// Contacts of falling systems. `again`: with an obstacle that the particle's latest contact was with too.
/// `thrown_out`: from an obstacle into which the particle reached, and which it hardly approached.
struct FallingContacts {
    std::uint64_t pairs = 0, walls = 0, bodies = 0, again = 0, thrown_out = 0;

    void add(const SlabRun& run) {
        std::map<ParticleId, ParticleId> latest;
        for (const Contact& contact : run.contacts) {
            const bool is_obstacle = contact.species_high == wall_species;
            ++(!is_obstacle ? pairs : contact.body < first_body ? walls : bodies);
            again += is_obstacle && latest[contact.key.low] == contact.key.high ? 1 : 0;
            thrown_out += is_obstacle && contact.effect == ContactEffect::bounce &&
                                  contact.impulse > 1e9 * std::abs(contact.speed)
                              ? 1
                              : 0;
            latest[contact.key.low] = contact.key.high;
            if (!is_obstacle) latest[contact.key.high] = contact.key.low;
        }
    }
};

/// Walls and bodies are touched often, and many of them again before anything else.
TEST(GravityFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_GRAVITY_FUZZ", {0, 500});
    std::uint64_t num_falling = 0;
    FallingContacts contacts;
    expect_reference_of_seeds(gravity_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        if (world_of(fuzz.system).gravity == Vec3{}) return;
        ++num_falling;
        contacts.add(expected);
    });
    const auto text = [](std::uint64_t count) { return std::to_string(count); };
    std::printf(
        "%s systems fall, contacts: %s pairs, %s walls, %s bodies, of these %s again, "
        "%s thrown out\n",
        text(num_falling).c_str(), text(contacts.pairs).c_str(), text(contacts.walls).c_str(),
        text(contacts.bodies).c_str(), text(contacts.again).c_str(), text(contacts.thrown_out).c_str());
    if (seeds.first > 0) return;
    EXPECT_GE(num_falling, 300u);
    EXPECT_GE(contacts.walls, 3000u);
    EXPECT_GE(contacts.bodies, 500u);
    EXPECT_GE(contacts.again, 300u);
    EXPECT_GE(contacts.thrown_out, 5u);
}

/// The systems are random.
TEST(LongGravityFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(gravity_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
