// SPDX-License-Identifier: BSD-3-Clause
//
// The engine against the reference simulator: for every search, every test system and 1 to 40 sub-windows per
// step, the contact lists and the states at the end of each step must agree in every bit. Cells are compared on
// everything, the other searches take turns. And the proof that the comparison has teeth: without the re-search rule,
// or without generations, it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/engine_run.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

constexpr std::uint64_t contact_cap = 1000;

std::unique_ptr<StepEngine> capped_engine_for(const System& system, EngineOptions options) {
    options.contact_cap = contact_cap;
    return engine_for(system, options);
}

/// A system with what the reference makes of its steps.
struct SolvedSystem {
    System system;
    std::vector<StepResult> steps;
    std::vector<Particles> states;  ///< after each step
};

SolvedSystem solve(System system) {
    SolvedSystem solved{std::move(system), {}, {}};
    Particles particles = solved.system.particles;
    for (int step = 0; step < solved.system.num_steps; ++step) {
        solved.steps.push_back(reference_step_by_lists(solved.system.box, particles, rules_of(solved.system),
                                                       {.dt = solved.system.dt, .contact_cap = contact_cap}));
        solved.states.push_back(particles);
        if (solved.steps.back().exhausted) break;
    }
    return solved;
}

/// "" if the engine reproduces every step of the solution, otherwise the first difference.
std::string compare(StepEngine& engine, const SolvedSystem& solved, const Windows& windows) {
    Particles particles = solved.system.particles;
    for (std::size_t step = 0; step < solved.steps.size(); ++step) {
        const StepResult& expected = solved.steps[step];
        const StepResult actual = engine_step(engine, particles, solved.system.dt, windows);
        const std::string where = solved.system.name + ", " + std::to_string(windows.count) +
                                  " windows, step " + std::to_string(step) + ": ";
        if (expected.exhausted != actual.exhausted) return where + "contact cap reached differently";
        if (expected.exhausted) return "";
        std::string difference = first_difference(expected.contacts, actual.contacts);
        if (difference.empty()) difference = first_difference(solved.states[step], particles);
        if (!difference.empty()) return where + difference;
    }
    return "";
}

const std::vector<SolvedSystem>& solved_systems() {
    static const std::vector<SolvedSystem> all = [] {
        std::vector<SolvedSystem> solved;
        for (System& system : random_systems()) solved.push_back(solve(std::move(system)));
        for (System& system : degenerate_systems()) solved.push_back(solve(std::move(system)));
        for (int n : {2, 3, 4}) {
            System jammed = jammed_lattice(n, 7);
            jammed.dt = n == 2 ? 0.01 : 0.03;
            solved.push_back(solve(std::move(jammed)));
        }
        return solved;
    }();
    return all;
}

class EngineDifferential : public testing::TestWithParam<TestedSearch> {};

/// Every system is reproduced with any number of sub-windows.
TEST_P(EngineDifferential, HoldsWithAnyWindows) {
    std::size_t number = 0;
    for (const SolvedSystem& solved : solved_systems()) {
        const auto engine =
            capped_engine_for(solved.system, {.search = GetParam().method, .loop = GetParam().loop});
        for (std::uint64_t num_windows : {1, 2, 3, 5, 11, 40})
            if (takes_turn(GetParam(), number++)) {
                EXPECT_EQ(compare(*engine, solved, {num_windows}), "");
            }
    }
}

TEST_P(EngineDifferential, HoldsWithHalvedWindows) {
    std::size_t number = 0;
    for (const SolvedSystem& solved : solved_systems()) {
        if (!takes_turn(GetParam(), number++)) continue;
        const auto engine =
            capped_engine_for(solved.system, {.search = GetParam().method, .loop = GetParam().loop});
        EXPECT_EQ(compare(*engine, solved, {.count = 5, .halve_every = 2}), "");
    }
}

/// Every system is reproduced with any number of intervals of the search.
TEST_P(EngineDifferential, HoldsWithAnyIntervals) {
    std::size_t number = 0;
    for (const SolvedSystem& solved : solved_systems()) {
        for (std::uint64_t num_intervals : {2, 7}) {
            if (!takes_turn(GetParam(), number++)) continue;
            const auto engine = capped_engine_for(
                solved.system,
                {.search = GetParam().method, .loop = GetParam().loop, .num_intervals = num_intervals});
            EXPECT_EQ(compare(*engine, solved, {.count = 11, .halve_every = 3}), "")
                << num_intervals << " legs";
        }
    }
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
    std::size_t number = 0;
    for (const SolvedSystem& solved : crowded_systems()) {
        for (const StepResult& step : solved.steps)
            EXPECT_GT(2 * step.contacts.size(), 5 * solved.system.particles.size()) << solved.system.name;
        for (std::uint64_t num_intervals : {0, 1, 5})
            for (std::uint64_t num_windows : {10, 60}) {
                if (!takes_turn(GetParam(), number++)) continue;
                const auto engine = capped_engine_for(
                    solved.system,
                    {.search = GetParam().method, .loop = GetParam().loop, .num_intervals = num_intervals});
                EXPECT_EQ(compare(*engine, solved, {num_windows}), "") << num_intervals << " legs";
            }
    }
}

/// In any order of ids.
TEST_P(EngineDifferential, HoldsForTouchingClusters) {
    for (std::uint64_t seed = 200; seed < 230; ++seed) {
        const SolvedSystem solved = solve(touching_cluster(4, seed));
        const auto engine =
            capped_engine_for(solved.system, {.search = GetParam().method, .loop = GetParam().loop});
        for (std::uint64_t num_windows : {1, 7})
            EXPECT_EQ(compare(*engine, solved, {num_windows}), "") << seed;
    }
}

TEST_P(EngineDifferential, HoldsForArbitrarySystems) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const SolvedSystem solved = solve(arbitrary_system(seed));
        const auto engine =
            capped_engine_for(solved.system, {.search = GetParam().method, .loop = GetParam().loop});
        for (std::uint64_t num_windows : {1, 3, 16}) ASSERT_EQ(compare(*engine, solved, {num_windows}), "");
    }
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
            const auto engine =
                capped_engine_for(system, {.search = GetParam().method, .loop = GetParam().loop});
            ASSERT_EQ(compare(*engine, solved, {1 + step * 2}), "");
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
        const auto engine = capped_engine_for(scaled, {.search = GetParam().method, .loop = GetParam().loop});
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

INSTANTIATE_TEST_SUITE_P(Searches, EngineDifferential, testing::ValuesIn(searches),
                         [](const auto& search) { return to_string(search.param); });

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
        const auto engine = capped_engine_for(solved.system, {.search = search.method, .loop = search.loop});
        for (std::uint64_t num_windows : {1, 2, 5, 10, 40})
            if (takes_turn(search, number++)) {
                EXPECT_EQ(compare(*engine, solved, {num_windows}), "");
            }
    }
}

/// The systems are arbitrary.
TEST(LongEngineAgainstReference, HoldsForThousands) {
    for (std::uint64_t seed = 1000; seed < 6000; ++seed) {
        const SolvedSystem solved = solve(arbitrary_system(seed));
        for (const auto search : searches) {
            if (!takes_turn(search, seed)) continue;
            const auto engine =
                capped_engine_for(solved.system, {.search = search.method, .loop = search.loop});
            for (std::uint64_t num_windows : {1, 2, 7})
                ASSERT_EQ(compare(*engine, solved, {num_windows}), "");
        }
    }
}

/// The rule that searches again what discarded runs have changed (engine/islands.hpp).
TEST(EngineAgainstReference, FailsWithoutResearch) {
    bool every_order_agrees = true;
    std::array<int, 3> order{0, 1, 2};
    do {
        const SolvedSystem solved = solve(rollback_trap(order));
        EXPECT_EQ(solved.steps[0].contacts.size(), 4u);
        for (const auto search : searches) {
            const auto with =
                capped_engine_for(solved.system, {.search = search.method, .loop = search.loop});
            const auto without = capped_engine_for(
                solved.system, {.search = search.method, .loop = search.loop, .use_research_rule = false});
            EXPECT_EQ(compare(*with, solved, {1}), "");
            every_order_agrees &= compare(*without, solved, {1}).empty();
        }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_FALSE(every_order_agrees);
}

TEST(EngineAgainstReference, FailsWithoutGeneration) {
    const SolvedSystem solved = solve(touching_cluster(5, 600));
    const auto without =
        capped_engine_for(solved.system, {.search = search_named("cells"), .use_generations = false});
    EXPECT_NE(compare(*without, solved, {4}), "");
}

}  // namespace
}  // namespace ricochet::test
