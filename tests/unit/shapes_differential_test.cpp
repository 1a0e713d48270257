// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with convex bodies against the reference, in every bit: all searches and loops, sub-windows, intervals and
// ranks, at random. RICOCHET_SHAPE_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "tests/support/differential.hpp"
#include "tests/support/random_shapes.hpp"

namespace ricochet::test {
namespace {

/// Contacts of shapes, by what they are with.
struct ShapeContacts {
    std::uint64_t with_shapes = 0, with_spheres = 0, with_walls = 0, with_bodies = 0, that_change = 0;

    void add(const FuzzCase& fuzz, const SlabRun& run) {
        const World world = world_of(fuzz.system);
        const auto is_shape = [&](SpeciesIndex k) { return !world.species[k].corners.empty(); };
        for (const Contact& contact : run.contacts) {
            if (contact.key.time < 0 || contact.species_low >= world.species.size()) continue;
            const bool low = is_shape(contact.species_low);
            const bool is_pair = contact.species_high < world.species.size();
            const bool high = is_pair && is_shape(contact.species_high);
            that_change += (low || high) && contact.effect == ContactEffect::react;
            if (!is_pair)
                (contact.body < first_body ? with_walls : with_bodies) += low;
            else if (low && high)
                ++with_shapes;
            else if (low || high)
                ++with_spheres;
        }
    }
};

TEST(ShapeFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_SHAPE_FUZZ", {0, 220});
    ShapeContacts contacts;
    expect_reference_of_seeds(shape_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        contacts.add(fuzz, expected);
    });
    const auto& [with_shapes, with_spheres, with_walls, with_bodies, that_change] = contacts;
    std::printf(
        "contacts of shapes with shapes %llu, spheres %llu, walls %llu, bodies %llu, reactions %llu\n",
        static_cast<unsigned long long>(with_shapes), static_cast<unsigned long long>(with_spheres),
        static_cast<unsigned long long>(with_walls), static_cast<unsigned long long>(with_bodies),
        static_cast<unsigned long long>(that_change));
    if (seeds.first != 0) return;
    EXPECT_GE(with_shapes, 600u);
    EXPECT_GE(with_spheres, 200u);
    EXPECT_GE(with_walls, 200u);
    EXPECT_GE(with_bodies, 200u);
    EXPECT_GE(that_change, 30u);
}

}  // namespace
}  // namespace ricochet::test
