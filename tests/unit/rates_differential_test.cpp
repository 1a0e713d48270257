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

#include "tests/support/fuzz_case.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/scenario.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/seed_range.hpp"
#include "tests/support/solved_system.hpp"

namespace ricochet::test {
namespace {

SolvedSystem solve_driven(const System& system) {
    return solve(system, brownian(brownian_speed(system), system.box.dimension));
}

const std::vector<SolvedSystem>& arbitrary_systems() {
    static const std::vector<SolvedSystem> all = [] {
        std::vector<SolvedSystem> solved;
        for (std::uint64_t seed = 0; seed < 300; ++seed)
            solved.push_back(solve_driven(arbitrary_rate_system(seed)));
        return solved;
    }();
    return all;
}

class RatesDifferential : public testing::TestWithParam<TestedSearch> {
  protected:
    void expect_bits(std::uint64_t num_intervals, const Windows& windows) {
        for (const SolvedSystem& solved : arbitrary_systems()) {
            if (!takes_turn(GetParam(), number_++)) continue;
            EXPECT_EQ(
                first_difference(
                    solved,
                    {.search = GetParam().method, .loop = GetParam().loop, .num_intervals = num_intervals},
                    windows),
                "");
        }
    }

  private:
    std::size_t number_ = 0;  ///< of the comparison
};

TEST_P(RatesDifferential, HoldsWithAnyWindows) {
    for (const std::uint64_t num_windows : {1, 2, 3, 5, 11, 40}) expect_bits(0, {num_windows});
}

TEST_P(RatesDifferential, HoldsWithHalvedWindows) { expect_bits(0, {.count = 5, .halve_every = 2}); }

/// The intervals are those of the search.
TEST_P(RatesDifferential, HoldsWithAnyIntervals) {
    for (const std::uint64_t num_intervals : {2, 7})
        expect_bits(num_intervals, {.count = 11, .halve_every = 3});
}

INSTANTIATE_TEST_SUITE_P(Searches, RatesDifferential, testing::ValuesIn(searches),
                         [](const auto& search) { return to_string(search.param); });

TEST(LongRatesDifferential, HoldsForThousands) {
    for (std::uint64_t seed = 1000; seed < 6000; ++seed) {
        const SolvedSystem solved = solve_driven(arbitrary_rate_system(seed));
        for (const auto search : searches)
            for (const std::uint64_t num_windows : {1, 2, 7})
                if (takes_turn(search, seed)) {
                    ASSERT_EQ(first_difference(solved, {.search = search.method, .loop = search.loop},
                                               {num_windows}),
                              "");
                }
    }
}

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
        for (const auto search : searches)
            for (const std::uint64_t num_windows : {1, 2, 7})
                EXPECT_EQ(
                    first_difference(solved, {.search = search.method, .loop = search.loop}, {num_windows}),
                    "");
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
        for (const auto search : searches)
            EXPECT_EQ(first_difference(solved, {.search = search.method, .loop = search.loop}, {2}), "");
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
        for (const auto search : searches)
            for (const std::uint64_t num_windows : {1, 2, 7})
                EXPECT_EQ(
                    first_difference(solved, {.search = search.method, .loop = search.loop}, {num_windows}),
                    "");
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
    System system;
    system.name = "a product that approaches a wall";
    system.box = walled_box({32, 32, 32}, {0});
    system.dt = 0.5;
    system.num_steps = 1;
    add_particle(system, {0.75, 16, 16}, {-0.4, 0, 0}, 0.5, 0.5);
    World world = world_with({{0.5, 0.5, 0.5}, {radius, 0.5, 0.5}}, 3, Bounce{});
    make_brownian(world, 0.5, 0.5);
    world.seed = seed;
    set_wall_face(world, 0, 0, React{.first = 0, .products = {1, absent_species}}, 0);  // at an infinite rate
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
            for (const auto search : searches)
                EXPECT_EQ(first_difference(solved, {.search = search.method, .loop = search.loop}, {2}), "");
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
        for (const auto search : searches)
            EXPECT_EQ(
                first_difference(solved, {.search = search.method, .loop = search.loop}, {1 + seed % 6}), "");
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.engine.contact_cap = solved_contact_cap;
        settings.engine.num_intervals = seed % 4;
        settings.cuts_of_step = random_cuts(seed);
        settings.drive = brownian(brownian_speed(system), system.box.dimension);
        const SlabRun expected = run_reference_to_error(system, settings);
        for (int num_ranks = 1; num_ranks <= 4; ++num_ranks) {
            if (num_ranks > slice_grid_of(system).num_slices()) continue;
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << num_ranks;
        }
    }
    EXPECT_GT(num_met_again, 20u);
}

// --- ranks ---------------------------------------------------------------------------------------------------

/// On all rank counts that the system has slices for, with random cuts and halos.
TEST(RatesOnSlabs, HaveReferenceBits) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const System system = arbitrary_rate_system(seed);
        HashRandom random(seed);
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.engine.num_intervals = random.index(6);
        settings.engine.contact_cap = solved_contact_cap;
        settings.slabs.num_windows = random.index(12);
        settings.slabs.excursion_factor = random.uniform(0.05, 0.8);
        settings.cuts_of_step = random_cuts(seed);
        settings.drive = brownian(brownian_speed(system), system.box.dimension);
        const SlabRun expected = run_reference_to_error(system, settings);
        for (int num_ranks = 1; num_ranks <= 5; ++num_ranks) {
            if (num_ranks > slice_grid_of(system).num_slices()) continue;
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << system.name << " on " << num_ranks << " ranks";
        }
    }
}

/// "" or where the run leaves the reference.
std::string difference_of(const FuzzCase& fuzz) {
    const SlabRun expected = run_reference_to_error(fuzz.system, fuzz.settings);
    const SlabRun run = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
    const std::string difference = first_difference(expected, run);
    return difference.empty() ? "" : fuzz.what + ": " + difference;
}

void fuzz(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        EXPECT_EQ(difference_of(rate_fuzz_case(seed)), "");
}

/// The systems and their rates are random.
TEST(RateFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_RATE_FUZZ", {0, 300});
    fuzz(seeds.first, seeds.count);
}

/// The systems and their rates are random.
TEST(LongRateFuzz, ReferenceBitsOnAnyRanks) { fuzz(1'000'000, 20'000); }

}  // namespace
}  // namespace ricochet::test
