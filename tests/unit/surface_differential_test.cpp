// SPDX-License-Identifier: BSD-3-Clause
//
// Walls that move, and walls and bodies of a temperature, against the reference, in every bit. At random: searches and
// loops, sub-windows, intervals, parts of steps and ranks, gravity and rules. RICOCHET_SURFACE_FUZZ=FIRST:COUNT runs
// other seeds.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "tests/support/differential.hpp"

namespace ricochet::test {
namespace {

/// `again`: with a wall that the particle's latest contact was with too.
struct DrivenContacts {
    std::uint64_t thermal = 0, moving = 0, again = 0;

    void add(const FuzzCase& fuzz, const SlabRun& run) {
        const World world = world_of(fuzz.system);
        const ContactRules rules(world);
        std::map<ParticleId, ParticleId> latest;
        for (const Contact& contact : run.contacts) {
            const bool is_with_body = contact.species_high == wall_species;
            const bool is_moving =
                is_with_body && contact.body < first_body && !world.walls[contact.body].rests();
            const bool is_thermal = is_with_body && std::holds_alternative<Thermal>(
                                                        rules.at_body(contact.species_low, contact.body));
            thermal += is_thermal ? 1 : 0;
            moving += is_moving ? 1 : 0;
            again += is_moving && latest[contact.key.low] == contact.key.high ? 1 : 0;
            latest[contact.key.low] = contact.key.high;
            if (!is_with_body) latest[contact.key.high] = contact.key.low;
        }
    }
};

TEST(SurfaceFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_SURFACE_FUZZ", {0, 500});
    DrivenContacts contacts;
    expect_reference_of_seeds(surface_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        contacts.add(fuzz, expected);
    });
    const auto text = [](std::uint64_t count) { return std::to_string(count); };
    std::printf("contacts: %s with surfaces of a temperature, %s with moving walls, of these %s again\n",
                text(contacts.thermal).c_str(), text(contacts.moving).c_str(), text(contacts.again).c_str());
    if (seeds.first > 0) return;
    EXPECT_GE(contacts.thermal, 1500u);
    EXPECT_GE(contacts.moving, 1200u);
    EXPECT_GE(contacts.again, 70u);
}

/// The systems are random.
TEST(LongSurfaceFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(surface_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
