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
/// `thrown_out`: from an obstacle into which the particle reached, and which it hardly approached. `lifted`: of pairs
/// that reached into each other, and may have parted faster than they came.
struct FallingContacts {
    std::uint64_t pairs = 0, walls = 0, bodies = 0, again = 0, thrown_out = 0, lifted = 0;

    void add(const SlabRun& run, const std::vector<Species>& species) {
        std::map<ParticleId, ParticleId> latest;
        for (const Contact& contact : run.contacts) {
            const bool is_obstacle = contact.species_high == wall_species;
            ++(!is_obstacle ? pairs : contact.body < first_body ? walls : bodies);
            again += is_obstacle && latest[contact.key.low] == contact.key.high ? 1 : 0;
            thrown_out += is_obstacle && contact.effect == ContactEffect::bounce &&
                                  contact.impulse > 1e9 * std::abs(contact.speed)
                              ? 1
                              : 0;
            lifted += !is_obstacle && contact.effect == ContactEffect::bounce &&
                              contact.distance < 0.999 * (species[contact.species_low].radius +
                                                          species[contact.species_high].radius)
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
        contacts.add(expected, world_of(fuzz.system).species);
    });
    const auto text = [](std::uint64_t count) { return std::to_string(count); };
    std::printf(
        "%s systems fall, contacts: %s pairs, %s walls, %s bodies, of these %s again, "
        "%s thrown out, %s lifted\n",
        text(num_falling).c_str(), text(contacts.pairs).c_str(), text(contacts.walls).c_str(),
        text(contacts.bodies).c_str(), text(contacts.again).c_str(), text(contacts.thrown_out).c_str(),
        text(contacts.lifted).c_str());
    if (seeds.first > 0) return;
    EXPECT_GE(num_falling, 300u);
    EXPECT_GE(contacts.walls, 3000u);
    EXPECT_GE(contacts.bodies, 500u);
    EXPECT_GE(contacts.again, 300u);
    EXPECT_GE(contacts.thrown_out, 5u);
}

/// All particles are wider than their places have room for.
FuzzCase sunken_fuzz_case(std::uint64_t seed) {
    FuzzCase fuzz = gravity_fuzz_case(seed);
    HashRandom random(seed ^ 0x77696465);
    const double factor = 1 + random.log_uniform(1e-3, 0.6);
    Particles& particles = fuzz.system.particles;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Attributes wider = particles.attributes[k];
        wider.radius *= factor;
        particles.attributes.set(k, wider);
    }
    fuzz.system.name = "widened " + fuzz.system.name;
    return fuzz;
}

/// Pairs and obstacles throw out what reaches into them, on any ranks.
TEST(GravityFuzz, OverlappingStarts) {
    FallingContacts contacts;
    expect_reference_of_seeds(sunken_fuzz_case, {0, 200}, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        if (world_of(fuzz.system).gravity == Vec3{}) return;
        contacts.add(expected, world_of(fuzz.system).species);
    });
    std::printf("%s lifted out of pairs, %s thrown out of obstacles\n",
                std::to_string(contacts.lifted).c_str(), std::to_string(contacts.thrown_out).c_str());
    EXPECT_GE(contacts.lifted, 40u);
}

/// The systems are random.
TEST(LongGravityFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(gravity_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
