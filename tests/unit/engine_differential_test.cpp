// SPDX-License-Identifier: BSD-3-Clause
//
// The engine against the reference simulator: for every search, every test system and 1 to 40 sub-windows per
// step, the contact lists and the states at the end of each step must agree in every bit. Cells are compared on
// everything, the other searches take turns. And the proof that the comparison has teeth: without the re-search rule,
// or without generations, it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/differential.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

const std::vector<SolvedSystem>& solved_systems() {
    static const std::vector<SolvedSystem> all = [] {
        std::vector<SolvedSystem> solved;
        for (System& system : random_systems()) solved.push_back(solve(std::move(system)));
        for (System& system : degenerate_systems()) solved.push_back(solve(std::move(system)));
        for (System& system : systems_with_solids()) solved.push_back(solve(std::move(system)));
        for (int n : {2, 3, 4}) {
            System jammed = jammed_lattice(n, 7);
            jammed.dt = n == 2 ? 0.01 : 0.03;
            solved.push_back(solve(std::move(jammed)));
        }
        return solved;
    }();
    return all;
}

class EngineDifferential : public SearchDifferential {};

/// Every system is reproduced with any number of sub-windows.
TEST_P(EngineDifferential, HoldsWithAnyWindows) { expect_bits(solved_systems(), any_windows); }

TEST_P(EngineDifferential, HoldsWithHalvedWindows) { expect_bits(solved_systems(), halved_windows); }

/// Every system is reproduced with any number of intervals of the search.
TEST_P(EngineDifferential, HoldsWithAnyIntervals) {
    expect_bits(solved_systems(), windows_in_intervals, {2, 7});
}

/// Fluids so dense that a particle has several contacts before it comes far.
std::vector<SolvedSystem> crowded_systems() {
    std::vector<SolvedSystem> solved;
    for (int dimension : {2, 3}) {
        System system = equal_gas(dimension, dimension == 2 ? 200 : 500, dimension == 2 ? 0.6 : 0.45, 40);
        system.dt = dimension == 2 ? 0.6 : 0.35;
        system.num_steps = 3;
        solved.push_back(solve(std::move(system)));
    }
    return solved;
}

/// Many per particle and step.
TEST_P(EngineDifferential, HoldsWithManyContacts) {
    const std::vector<SolvedSystem> crowded = crowded_systems();
    for (const SolvedSystem& solved : crowded)
        for (const StepResult& step : solved.steps)
            EXPECT_GT(2 * step.contacts.size(), 5 * solved.system.particles.size()) << solved.system.name;
    expect_bits(crowded, {{10}, {60}}, {0, 1, 5});
}

/// In any order of ids.
TEST_P(EngineDifferential, HoldsForTouchingClusters) {
    static const auto clusters = solve_seeds(
        fewer_if_sanitized(30u), [](std::uint64_t seed) { return solve(touching_cluster(4, 200 + seed)); });
    for (const SolvedSystem& cluster : clusters) expect_all_bits(cluster, {{1}, {7}});
}

TEST_P(EngineDifferential, HoldsForArbitrarySystems) {
    static const auto systems = solve_seeds(fewer_if_sanitized(60u),
                                            [](std::uint64_t seed) { return solve(arbitrary_system(seed)); });
    for (const SolvedSystem& system : systems) expect_all_bits(system, {{1}, {3}, {16}});
}

/// New velocities before every step, as Brownian particles get them.
TEST_P(EngineDifferential, HoldsForRedrawnVelocities) {
    for (int dimension : {2, 3}) {
        System system = equal_gas(dimension, 200, dimension == 2 ? 0.4 : 0.3, 300);
        system.dt = 0.1;
        system.num_steps = 1;
        for (std::uint64_t step = 0; step < 20; ++step) {
            thermalise(system, 1 + static_cast<double>(step) / 10, 400 + step);
            const SolvedSystem solved = solve(system);
            expect_all_bits(solved, {{1 + step * 2}});
            if (HasFailure()) return;
            system.particles = solved.states.back();
        }
    }
}

/// The same system in another unit of length: a power of two, so that all numbers have the same digits.
System in_units(System system, double unit) {
    system.box.size = unit * system.box.size;
    for (Motion& motion : system.particles.motion) {
        motion.position = unit * motion.position;
        motion.velocity = unit * motion.velocity;
    }
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        system.particles.attributes.edit(k).radius *= unit;
    return system;
}

TEST_P(EngineDifferential, HoldsInAnyUnitOfLength) {
    System system = equal_gas(3, 100, 0.2, 310);
    system.dt = 0.4;
    const auto contacts_in = [&](double unit) {
        System scaled = in_units(system, unit);
        const auto engine = solved_engine_for(scaled, options_for(GetParam()));
        return engine_step(*engine, scaled.particles, scaled.dt, {3}).contacts;
    };
    const std::vector<Contact> expected = contacts_in(1);
    EXPECT_GT(expected.size(), 50u);
    for (const int exponent : {-42, -30, -10, 10, 40, 57}) {  // boxes of 1e-12 to 1e18
        const std::vector<Contact> contacts = contacts_in(std::ldexp(1.0, exponent));
        ASSERT_EQ(contacts.size(), expected.size()) << exponent;
        for (std::size_t k = 0; k < contacts.size(); ++k) EXPECT_EQ(contacts[k].key, expected[k].key);
    }
}

INSTANTIATE_TEST_SUITE_P(Searches, EngineDifferential, testing::ValuesIn(searches), name_of_search);

/// Dense enough for islands to meet, large enough for every kind of merge to happen.
SolvedSystem large_gas(double fraction, double dt, int num_steps, std::size_t num_particles) {
    System system = equal_gas(3, num_particles, fraction, 500);
    system.dt = dt;
    system.num_steps = num_steps;
    return solve(system);
}

/// With long steps.
TEST(EngineAgainstReference, HoldsForALargeGas) {
    const SolvedSystem solved = large_gas(0.3, 0.05, 3, 3000);
    EXPECT_GT(solved.steps[0].contacts.size(), 500u);
    std::size_t number = 0;
    for (const auto search : fast_searches) {
        const auto engine = solved_engine_for(solved.system, options_for(search));
        for (std::uint64_t num_windows : {1, 2, 5, 10, 40})
            if (takes_turn(search, number++)) {
                EXPECT_EQ(first_difference(*engine, solved, {num_windows}), "");
            }
    }
}

/// The systems are arbitrary.
TEST(LongEngineAgainstReference, HoldsForThousands) {
    expect_bits_of_thousands([](std::uint64_t seed) { return solve(arbitrary_system(seed)); });
}

/// The rule that searches again what discarded runs have changed (engine/islands.hpp).
TEST(EngineAgainstReference, FailsWithoutResearch) {
    bool every_order_agrees = true;
    std::array<int, 3> order{0, 1, 2};
    do {
        const SolvedSystem solved = solve(rollback_trap(order));
        EXPECT_EQ(solved.steps[0].contacts.size(), 4u);
        expect_bits_of_searches(solved, {{1}});
        for (const auto search : searches) {
            EngineOptions without = options_for(search);
            without.use_research_rule = false;
            every_order_agrees &= first_difference(solved, without, {1}).empty();
        }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_FALSE(every_order_agrees);
}

TEST(EngineAgainstReference, FailsWithoutGeneration) {
    const SolvedSystem solved = solve(touching_cluster(5, 600));
    const EngineOptions without{.search = search_named("cells"), .use_generations = false};
    EXPECT_NE(first_difference(solved, without, {4}), "");
}

}  // namespace
}  // namespace ricochet::test
