// SPDX-License-Identifier: BSD-3-Clause
//
// The engine against the reference where Brownian particles react at rates: every search, 1 to 40 sub-windows, halved
// windows, several intervals of the search; and any number of ranks. In every bit.
//
// RICOCHET_RATE_FUZZ=FIRST:COUNT runs other seeds on ranks, for as long as one likes.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet::test {
namespace {

SolvedSystem solve_seed(std::uint64_t seed) { return solve_driven(arbitrary_rate_system(seed)); }

const std::vector<SolvedSystem>& arbitrary_systems() {
    static const auto all = solve_seeds(300, solve_seed);
    return all;
}

class RatesDifferential : public SearchDifferential {};

TEST_P(RatesDifferential, HoldsWithAnyWindows) { expect_bits(arbitrary_systems(), any_windows); }

TEST_P(RatesDifferential, HoldsWithHalvedWindows) { expect_bits(arbitrary_systems(), halved_windows); }

/// The intervals are those of the search.
TEST_P(RatesDifferential, HoldsWithAnyIntervals) {
    expect_bits(arbitrary_systems(), windows_in_intervals, {2, 7});
}

INSTANTIATE_TEST_SUITE_P(Searches, RatesDifferential, testing::ValuesIn(searches), name_of_search);

TEST(LongRatesDifferential, HoldsForThousands) { expect_bits_of_thousands(solve_seed); }

// --- products that meet --------------------------------------------------------------------------------------

/// Two of radius 1/2 that react at a distance to two of the given radius. Their gap closes from 1/4 to 1/20 within the
/// step.
System products_that_approach(double radius, std::uint64_t seed) {
    System system = Scenario("products that approach")
                        .periodic({32, 32, 32})
                        .timestep(0.5)
                        .steps(1)
                        .sphere({14, 16, 16}, {}, 0.5, 0.5)
                        .sphere({15.25, 16, 16}, {-0.4, 0, 0}, 0.5, 0.5)
                        .system();
    World world = world_with({{0.5, 0.5, 0.5}, {radius, 0.5, 0.5}}, 3, Bounce{});
    make_brownian(world, 0.5, 0.5);
    world.seed = seed;
    set_pair(world, 0, 0, React{.first = 0, .products = {1, 1}}, 0);  // at an infinite rate
    system.world = std::move(world);
    return system;
}

double distance_in(const Particles& particles) {
    return norm(particles.motion[1].position - particles.motion[0].position);
}

/// A pair that reacts does so at a gap of 0.21. Products whose gap is then 0.11 touch later in the step.
TEST(ProductsThatApproach, BounceWhereTheyTouch) {
    std::size_t num_reacted = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const SolvedSystem solved = solve(products_that_approach(0.55, seed));
        expect_bits_of_searches(solved);
        const std::vector<Contact>& contacts = solved.steps.at(0).contacts;
        if (contacts.empty()) continue;
        ++num_reacted;
        ASSERT_EQ(contacts.size(), 2u);
        EXPECT_EQ(contacts[0].effect, ContactEffect::react);
        EXPECT_EQ(contacts[1].effect, ContactEffect::bounce);
        EXPECT_NEAR(contacts[1].key.time, 0.15 / 0.4, 1e-14);
        EXPECT_GE(distance_in(solved.states.at(0)), 1.1);
    }
    EXPECT_GT(num_reacted, 30u);
}

/// Products that overlap from the start of their time have no contact in their step, in spite of their approach.
TEST(ProductsThatApproach, GoOnWhereTheyOverlap) {
    std::size_t num_reacted = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const SolvedSystem solved = solve(products_that_approach(0.65, seed));
        expect_bits_of_searches(solved, {{2}});
        num_reacted += solved.steps.at(0).contacts.size();
        EXPECT_LE(solved.steps.at(0).contacts.size(), 1u);
        EXPECT_NEAR(distance_in(solved.states.at(0)), 1.05, 1e-14);
    }
    EXPECT_GT(num_reacted, 30u);
}

/// The two that approach, at a finite rate, and a third that passes through the first at 1/4 if it moves.
System approach_with_a_ghost(Vec3 velocity, std::uint64_t seed) {
    System system = products_that_approach(0.5, seed);
    World world = world_with({{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, 3, Pass{});
    make_brownian(world, 0.5, 0.5);
    world.seed = seed;
    React react{.first = 0, .products = {1, 1}};
    react.rate = 20;
    set_pair(world, 0, 0, react, 0);
    system.world = std::move(world);
    add_particle(system, {14, 17.5, 16}, velocity, 0.5, 0.5);
    system.particles.attributes.edit(2).species = 2;
    return system;
}

/// Partners at a rate do the same, in every bit, whether or not a third passes through one of them.
TEST(RatesBesidePass, AreNotDecidedAnew) {
    std::size_t num_reacted = 0, num_passed = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const System system = approach_with_a_ghost({0, -2, 0}, seed);
        const SolvedSystem solved = solve(system), alone = solve(approach_with_a_ghost({}, seed));
        expect_bits_of_searches(solved);
        for (std::size_t k = 0; k < 2; ++k)
            EXPECT_EQ(solved.states.at(0).motion[k].position, alone.states.at(0).motion[k].position);
        std::vector<Contact> contacts = solved.steps.at(0).contacts;
        num_passed += std::erase_if(
            contacts, [](const Contact& contact) { return contact.effect == ContactEffect::pass; });
        EXPECT_EQ(contacts.size(), alone.steps.at(0).contacts.size());
        num_reacted += contacts.size();
    }
    EXPECT_GE(num_passed, 60u);
    EXPECT_GT(num_reacted, 10u);
    EXPECT_LT(num_reacted, 50u);
}

/// One of radius 1/2 that reacts with a wall at a distance and becomes one of the given radius. Its gap closes from 1/4
/// to 1/20 within the step.
System product_that_approaches_a_wall(double radius, std::uint64_t seed) {
    System system = empty_system("a product that approaches a wall", walled_box({32, 32, 32}, {0}), 0.5, 1);
    add_particle(system, {0.75, 16, 16}, {-0.4, 0, 0}, 0.5, 0.5);
    World world = world_with({{0.5, 0.5, 0.5}, {radius, 0.5, 0.5}}, 3, Bounce{});
    make_brownian(world, 0.5, 0.5);
    world.seed = seed;
    set_wall_face(world, 0, 0, React{.first = 0, .products = only(1)}, 0);  // at an infinite rate
    system.world = std::move(world);
    return system;
}

/// A product whose gap is 0.1 after the reaction touches later in the step. One that overlaps the wall since then
/// bounces at the same time.
TEST(ProductsThatApproach, BounceOffTheirWall) {
    std::size_t num_reacted = 0;
    for (const double radius : {0.6, 0.72})
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const SolvedSystem solved = solve(product_that_approaches_a_wall(radius, seed));
            expect_bits_of_searches(solved, {{2}});
            const std::vector<Contact>& contacts = solved.steps.at(0).contacts;
            if (contacts.empty()) continue;
            ++num_reacted;
            EXPECT_EQ(contacts[0].effect, ContactEffect::react);
            ASSERT_EQ(contacts.size(), 2u);
            EXPECT_EQ(contacts[1].effect, ContactEffect::bounce);
            if (radius < 0.7)
                EXPECT_NEAR(contacts[1].key.time, 0.15 / 0.4, 1e-14);
            else
                EXPECT_EQ(contacts[1].key.time, contacts[0].key.time);
            const double x = solved.states.at(0).motion[0].position.x;
            EXPECT_NEAR(x, 0.75 + 0.4 * 0.5 - 2 * 0.4 * contacts[1].key.time, 1e-14);
        }
    EXPECT_GT(num_reacted, 45u);
}

/// A dense Brownian gas in which two that react become two wider ones.
System gas_with_wider_products(std::uint64_t seed) {
    constexpr double dt = 0.05, energy_time = 0.45, diffusion = energy_time / 2;
    Kind kind;
    kind.count = 110;
    kind.radius = 0.4;
    System system =
        Scenario("wider products").periodic({14, 6, 6}).timestep(dt).steps(3).gas({kind}, seed).system();
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) {
        all.edit(k).mass = 1;
        all.edit(k).diffusion = diffusion;
    }
    World world = world_with({{0.4, 1, diffusion}, {0.44, 1, diffusion}}, 3, Bounce{});
    make_brownian(world, energy_time, dt);
    world.seed = seed;
    set_pair(world, 0, 0, React{.first = 0, .products = {1, 1}}, 0);
    system.world = std::move(world);
    return system;
}

/// Pairs that have reacted and met again, in one step each.
std::size_t count_met_again(const SolvedSystem& solved) {
    std::size_t count = 0;
    for (const StepResult& step : solved.steps) {
        std::set<std::pair<ParticleId, ParticleId>> reacted;
        for (const Contact& contact : step.contacts) {
            const std::pair pair{contact.key.low, contact.key.high};
            if (contact.effect == ContactEffect::react)
                reacted.insert(pair);
            else
                count += reacted.count(pair);
        }
    }
    return count;
}

TEST(ProductsThatApproach, BounceInAGasToo) {
    std::size_t num_met_again = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const System system = gas_with_wider_products(seed);
        const SolvedSystem solved = solve_driven(system);
        num_met_again += count_met_again(solved);
        expect_bits_of_searches(solved, {{1 + seed % 6}});
        SlabRunSettings settings = settings_of_solved(system);
        settings.engine.num_intervals = seed % 4;
        settings.cuts_of_step = random_cuts(seed);
        settings.drive = solved.drive;
        expect_reference_on_ranks(system, settings, {1, 2, 3, 4});
    }
    EXPECT_GT(num_met_again, 20u);
}

// --- ranks ---------------------------------------------------------------------------------------------------

/// On all rank counts that the system has slices for, with random cuts and halos.
TEST(RatesOnSlabs, HaveReferenceBits) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const System system = arbitrary_rate_system(seed);
        expect_reference_on_ranks(system, random_slab_settings(system, seed), up_to_five_ranks);
    }
}

/// The systems and their rates are random.
TEST(RateFuzz, ReferenceBitsOnAnyRanks) {
    expect_reference_of_seeds(rate_fuzz_case, seeds_of("RICOCHET_RATE_FUZZ", {0, 300}));
}

/// The systems and their rates are random.
TEST(LongRateFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(rate_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
