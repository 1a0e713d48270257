// SPDX-License-Identifier: BSD-3-Clause
//
// Traps in contacts that change particles, each as a small system: the engine against the reference, with every search
// and on one to five ranks. Each test has been seen to fail without its cure. The table of all traps is in
// tests/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/block_store.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

enum : SpeciesIndex { tiny, small, common, wide, heavy, giant };

/// In the plane, for one step of length 1. All bounce, but for what the caller says.
System trap(std::string name) {
    const std::vector<Matter> matter{{0.125, 1e-6}, {0.25, 1}, {0.5, 1}, {2, 1}, {0.5, 1e6}, {3, 0x1p60}};
    return system_of(std::move(name), periodic_box({64, 64, 0}), 1, matter, Bounce{}, 1);
}

/// One at rest, and one that sends it upwards at time 0.2 with speed 2.
void add_sent(System& system, Vec3 x) {
    add_of_species(system, common, x);
    add_of_species(system, common, x + Vec3{0.4, -1.4, 0}, {-2, 2, 0});
}

void expect_bits(const System& system, const SolvedSystem& solved) {
    expect_bits_of_searches(solved);
    SlabRunSettings settings = settings_of_solved(system);
    settings.slabs.excursion_factor = 0.01;
    expect_bits_on_ranks(run_reference(system, settings), system, settings, up_to_five_ranks);
}

/// `num_contacts`: by the reference, so that a system does not quietly lose its point.
void expect_bits(const System& system, std::size_t num_contacts) {
    const SolvedSystem solved = solve(system);
    ASSERT_EQ(solved.steps.size(), 1u);
    ASSERT_EQ(solved.steps[0].contacts.size(), num_contacts);
    expect_bits(system, solved);
}

// --- radii that were all equal -------------------------------------------------------------------------------

/// The first particle grows first, and the third bounces off it earlier than it would have.
TEST(RuleTraps, FirstOfEqualRadiiGrows) {
    System system = trap("first of equal radii grows");
    set_pair(*system.world, common, common, Coalesce{});
    add_of_species(system, common, {30, 32, 0});
    add_of_species(system, common, {31.5, 32, 0}, {-1, 0, 0});
    add_of_species(system, heavy, {30.25, 29.8, 0}, {0, 2, 0});
    expect_bits(system, 2);
}

// --- a particle met before it changed ------------------------------------------------------------------------

/// Met at 0.35, on the side far from the heavy one. Else it takes that one's place at 0.6. An engine that has seen it
/// there already must still know that it may have been met before.
TEST(RuleTraps, MetBeforeItJumps) {
    for (const bool sent_first : {false, true}) {
        System system = trap("met before it jumps");
        set_pair(*system.world, wide, heavy, React{wide, only(small)});
        for (const bool is_sent : {sent_first, !sent_first}) {
            if (is_sent) {
                add_sent(system, {36.4, 29.2, 0});
            } else {
                add_of_species(system, wide, {36.4, 32, 0}, {0.25, 0, 0});
                add_of_species(system, heavy, {39.05, 32, 0});
            }
        }
        expect_bits(system, 2);
    }
}

/// Likewise one that otherwise becomes smaller, or ends, at 0.69.
TEST(RuleTraps, MetBeforeItShrinksOrEnds) {
    for (const auto& products : {std::array<SpeciesIndex, 2>{small, small}, nothing, only(small)})
        for (const bool sent_first : {false, true}) {
            System system = trap("met before it shrinks or ends");
            set_pair(*system.world, tiny, wide, React{wide, products});
            for (const bool is_sent : {sent_first, !sent_first}) {
                if (is_sent) {
                    add_sent(system, {36, 29.2, 0});
                } else {
                    add_of_species(system, wide, {36, 32, 0});
                    add_of_species(system, tiny, {36, 35.5, 0}, {0, -2, 0});
                }
            }
            expect_bits(system, 3);
        }
}

/// Two rows are hit at exactly one time, and touch one particle. The shorter one moves it, the longer one makes it
/// small, in a later generation. What the shorter row finds is what it was before.
TEST(RuleTraps, ShrinksAtTheTimeOfTheSearch) {
    for (const bool row_first : {false, true}) {
        System system = tied_rows(row_first);
        system.world = world_with({{0.15625, 1}, {0.53125, 1}, {0.46875, 1}, {0.125, 1}}, 2, Bounce{});
        set_pair(*system.world, 0, 2,
                 React{0, {0, 3}, 0.9999});  // not certain, or it reacts before it is hit
        for (std::size_t k = 0; k < system.particles.size(); ++k) {
            Attributes& matter = system.particles.attributes.edit(k);
            matter.species = matter.radius == 0.15625 ? 0 : matter.radius == 0.46875 ? 2 : 1;
        }
        expect_bits(system, 6);
    }
}

// --- wedges --------------------------------------------------------------------------------------------------

/// Deep overlap and many generations alone let no particle pass: a product hops along a row that it reacts with for
/// certain.
TEST(RuleTraps, CertainReactionIsNeverLetPass) {
    constexpr std::size_t count = 100;
    System system = trap("hops along a row that overlaps");
    system.box = periodic_box({192, 16, 0});
    set_pair(*system.world, common, heavy, React{common, only(common)});
    add_of_species(system, common, {16, 8, 0}, {1, 0, 0});
    for (std::size_t k = 1; k <= count; ++k)
        add_of_species(system, heavy, {16 + 0.99 * static_cast<double>(k), 8, 0});
    expect_bits(system, count);
}

/// A product is wedged at time 0. Later it is searched again, since its island touches another one, and finds the
/// contact once more that was let pass.
TEST(RuleTraps, LetPassIsRecordedOnce) {
    System system = trap("searched again after it was let pass");
    system.box = periodic_box({256, 256, 0});
    system.dt = 0.25;
    system.world = world_with({{0.5, 1e3}, {2.25, 2e3}, {0.25, 1e-3}, {1, 1e6}, {0.5, 1}}, 2, Bounce{});
    set_pair(*system.world, 0, 0, React{0, only(1)});
    add_of_species(system, 0, {7, 16, 0}, {1, 0, 0});
    add_of_species(system, 0, {6, 16, 0}, {1, 0, 0});
    add_of_species(system, 2, {8.75, 16, 0});
    add_of_species(system, 3, {10, 16, 0});
    add_of_species(system, 4, {5.3, 12.05, 0}, {8, 8, 0});  // touches the product at 0.15, and at 0.19 ...
    add_of_species(system, 4, {7.53, 12.22, 0});            // ... this one
    add_of_species(system, 4, {9.53, 12.22, 0}, {-5, 0, 0});
    const SolvedSystem solved = solve(system);
    ASSERT_EQ(solved.steps.size(), 1u);
    const auto& contacts = solved.steps[0].contacts;
    EXPECT_EQ(std::count_if(contacts.begin(), contacts.end(),
                            [](const Contact& c) { return c.effect == ContactEffect::let_pass; }),
              1);
    expect_bits(system, solved);
}

// --- where products come to be -------------------------------------------------------------------------------

/// A product is far away in between, and ends where it began. There it had no neighbours. On its way back it touches
/// one that only its partner knew of.
TEST(RuleTraps, ProductJumpsAwayAndComesBack) {
    System system = trap("jumps away and comes back");
    set_pair(*system.world, tiny, giant, React{tiny, only(tiny)});
    set_pair(*system.world, giant, small, Pass{});
    add_of_species(system, tiny, {32, 32, 0});
    add_of_species(system, giant, {35.25, 32, 0}, {-3.25, 0, 0});
    add_of_species(system, small, {34, 32, 0});
    expect_bits(system, 2);
}

/// Likewise across the face of a slab, in two jumps. One could be hidden by the width of the halo.
TEST(RuleTraps, ProductJumpsAcrossAFaceAndBack) {
    for (double x = 29; x < 33; x += 0.25) {
        System system = trap("jumps across a face and comes back");
        set_pair(*system.world, tiny, giant, React{tiny, only(tiny)});
        for (const SpeciesIndex passed : {small, giant}) set_pair(*system.world, giant, passed, Pass{});
        add_of_species(system, tiny, {x, 32, 0}, {0.25, 0, 0});
        add_of_species(system, giant, {x + 3.1328125, 32, 0});
        add_of_species(system, giant, {x + 6.375, 32, 0}, {-6.5, 0, 0});
        add_of_species(system, small, {x + 5, 32, 0});
        expect_bits(system, 3);
    }
}

// --- those that have ended -----------------------------------------------------------------------------------

/// The order in space after a step counts the particles as they are without them.
TEST(RuleTraps, SpatialOrderLeavesOutTheEnded) {
    std::size_t num_ended = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        System system = arbitrary_rule_system(seed);
        const std::size_t size_before = system.particles.size();
        const auto engine = engine_for(system);
        if (engine_step(*engine, system.particles, system.dt).exhausted) continue;
        num_ended += size_before - system.particles.size();
        std::vector<std::uint32_t> order, all(system.particles.size());
        engine->spatial_order().for_each([&](std::uint32_t k) { order.push_back(k); });
        std::iota(all.begin(), all.end(), 0u);
        EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), all.begin(), all.end())) << system.name;
    }
    EXPECT_GE(num_ended, 100u);
}

// --- reactions at rates --------------------------------------------------------------------------------------

/// Equal discs of mass 1 that diffuse by 1 in the step. Those of species 0 and 1 end where they meet, by chance of the
/// seed also where their straight paths only come near.
System trap_at_rates(std::string name, std::uint64_t seed) {
    System system = trap(std::move(name));
    system.world = world_with({{0.5, 1, 0.5}, {0.5, 1, 0.5}, {0.5, 1, 0.5}, {0.5, 1e3, 5e-4}}, 2, Bounce{});
    React react{0, nothing};
    react.rate = 1e3;
    set_pair(*system.world, 0, 1, react);
    make_brownian(*system.world, 1, system.dt);
    system.world->seed = seed;
    return system;
}

/// `least_reactions`: over all seeds.
template <class MakeSystem>
void expect_bits_for_seeds(MakeSystem&& make_system, std::ptrdiff_t least_reactions) {
    std::ptrdiff_t num_reactions = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const System system = make_system(seed);
        const SolvedSystem solved = solve(system);
        ASSERT_EQ(solved.steps.size(), 1u);
        const auto& contacts = solved.steps[0].contacts;
        num_reactions += std::count_if(contacts.begin(), contacts.end(), [](const Contact& contact) {
            return contact.effect == ContactEffect::react;
        });
        expect_bits(system, solved);
    }
    EXPECT_GE(num_reactions, least_reactions);
}

/// One is hit at 0.2, and may react across a gap before 0.6, when the other one is hit. An engine that has seen that
/// already must still know.
TEST(RuleTraps, ReactsWithWhoIsAhead) {
    for (const bool first_one : {false, true})
        expect_bits_for_seeds(
            [first_one](std::uint64_t seed) {
                System system = trap_at_rates("reacts with who is ahead", seed);
                for (const bool is_one : {first_one, !first_one}) {
                    add_of_species(system, is_one ? 0 : 1, {is_one ? 16 : 17.5, 16, 0});
                    add_of_species(system, 2, {is_one ? 14.96 : 18.62, 16, 0}, {is_one ? 0.2 : -0.2, 0, 0});
                }
                return system;
            },
            10);
}

/// Two far from each other are both sent towards each other, and react across what is left. Neither alone leaves the
/// sphere in which others look for it, but for the reach of its reactions.
TEST(RuleTraps, ReactsAfterBothHaveBeenSent) {
    expect_bits_for_seeds(
        [](std::uint64_t seed) {
            System system = trap_at_rates("react after both have been sent", seed);
            add_of_species(system, 0, {16, 16, 0});
            add_of_species(system, 2, {14.938, 16, 0}, {3.1, 0, 0});
            add_of_species(system, 1, {23.45, 16, 0});
            add_of_species(system, 2, {24.481, 16, 0}, {-3.1, 0, 0});
            return system;
        },
        2);
}

/// Likewise across the face of a slab. Those that send them fly along the face, so that nothing else leads far over it.
TEST(RuleTraps, ReactsAcrossAFace) {
    for (const double x : {31.9375, 31.96875})
        expect_bits_for_seeds(
            [x](std::uint64_t seed) {
                System system = trap_at_rates("react across a face", seed);
                add_of_species(system, 0, {x, 16, 0});
                add_of_species(system, 3, {x - 0.8, 15.336, 0}, {0, 3.2, 0});
                add_of_species(system, 1, {x + 7.45, 16, 0});
                add_of_species(system, 3, {x + 8.25, 15.368, 0}, {0, 3.2, 0});
                return system;
            },
            2);
}

}  // namespace
}  // namespace ricochet::test
