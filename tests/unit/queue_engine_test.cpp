// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events, where it differs from the engine of islands: windows that remote events run
// again, engines of both kinds side by side, structures that are built anew, and the loops that search all again.
// What every search must do is in the differential tests.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "kinetic/all_slots.hpp"
#include "kinetic/queue_engine.hpp"
#include "ricochet/search/search_method.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/solved_system.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod crossing = search_named("cells_crossing");
/// All structures.
constexpr std::array kinetic{TestedSearch{crossing},
                             TestedSearch{search_named("sweep_and_prune"), SearchLoop::queue},
                             TestedSearch{search_named("spatial_tree"), SearchLoop::queue},
                             TestedSearch{search_named("time_bounds")},
                             TestedSearch{search_named("cells_every_move")},
                             TestedSearch{search_named("all_pairs"), SearchLoop::queue},
                             TestedSearch{search_named("delaunay")}};
/// Those that hold spheres whatever rules do to them: all but the last.
constexpr std::size_t num_for_rules = kinetic.size() - 1;

/// Returns the sum of the structures' events over all runs.
std::uint64_t expect_reference_and_count(const System& system, SlabRunSettings settings) {
    constexpr std::uint64_t low_cap = 100;  // a run that reaches it takes long
    settings.num_steps = system.num_steps;
    settings.engine.contact_cap = low_cap;
    const SlabRun expected = run_reference_to_error(system, settings);
    std::uint64_t num_topological = 0;
    for (const int num_ranks : {1, 2, 3, 5}) {
        if (num_ranks > slice_grid_of(system).num_slices()) continue;
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        const StepStatistics& counts = run.statistics.engine;
        EXPECT_EQ(first_difference(expected, run), "") << system.name << " on " << num_ranks << " ranks";
        EXPECT_EQ(counts.num_replaced, 0u) << system.name << " on " << num_ranks << " ranks";
        num_topological += counts.num_topological;
    }
    return num_topological;
}

class QueueEngineOf : public testing::TestWithParam<std::size_t> {
  public:
    static const TestedSearch& search() { return kinetic[GetParam()]; }
    static bool takes_rules() { return GetParam() < num_for_rules; }
    /// All pairs have none, and few paths are longer than a cell.
    static bool has_events() {
        return search().method != search_named("all_pairs") &&
               search().method != search_named("cells_every_move");
    }
};

/// On one to five ranks, each structure in three systems of each kind.
TEST_P(QueueEngineOf, HasReferenceBitsOnAnyRanks) {
    std::uint64_t num_topological = 0;
    for (std::uint64_t seed = 20 + GetParam(); seed < 20 + 3 * kinetic.size(); seed += kinetic.size()) {
        SlabRunSettings settings;
        settings.engine.search = search().method;
        settings.engine.loop = search().loop;
        settings.slabs.num_windows = 1 + seed / 2 % 7;
        settings.slabs.excursion_factor = 0.3;
        num_topological += expect_reference_and_count(arbitrary_system(seed), settings);
        if (!takes_rules()) continue;
        num_topological += expect_reference_and_count(arbitrary_rule_system(seed), settings);
        num_topological += expect_reference_and_count(arbitrary_tether_system(seed), settings);
    }
    EXPECT_GE(num_topological, has_events() ? 100u : 0u);
}

/// Ranks of both engines, and of two structures.
TEST_P(QueueEngineOf, WorksBesideIslands) {
    for (std::uint64_t seed = 100 + GetParam(); seed < 100 + 2 * kinetic.size(); seed += kinetic.size()) {
        SlabRunSettings settings;
        const TestedSearch& other = kinetic[(GetParam() + 1 + seed % 3) % num_for_rules];
        settings.search_by_rank = {search(), {search_named("cells")}, other, {search_named("slices")}};
        settings.slabs.num_windows = 1 + seed % 5;
        expect_reference_and_count(arbitrary_system(seed), settings);
        if (takes_rules()) expect_reference_and_count(arbitrary_rule_system(seed), settings);
    }
}

/// Large enough for slabs that are parts of a ring, and for windows that are run again.
TEST_P(QueueEngineOf, RunsWindowsAgain) {
    System system = equal_gas(3, 1200, 0.25, 7);
    system.dt = 0.1;
    SlabRunSettings settings;
    settings.num_steps = 2;
    settings.slabs.num_windows = 2;
    const SlabRun expected = run_on_threads(1, system, settings);
    settings.engine.search = search().method;
    settings.engine.loop = search().loop;
    for (const int num_ranks : {1, 2, 3, 4}) {
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        const StepStatistics& counts = run.statistics.engine;
        EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks";
        EXPECT_GE(counts.num_topological, has_events() ? 100u : 0u);
        EXPECT_EQ(counts.num_repairs > 0, num_ranks > 1);
        EXPECT_EQ(counts.num_on_cells + counts.num_replaced, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(All, QueueEngineOf, testing::Range(std::size_t{0}, kinetic.size()),
                         [](const auto& k) { return std::string(to_string(kinetic[k.param].method)); });

/// The loop `precheck` with rules, on one to five ranks. Products and remote events change what may touch next.
TEST(QueueEngine, PrechecksBesideRules) {
    for (std::uint64_t seed = 60; seed < 60 + 2 * num_for_rules; ++seed) {
        SlabRunSettings settings;
        settings.engine.search = kinetic[seed % num_for_rules].method;
        settings.engine.loop = SearchLoop::precheck;
        settings.slabs.num_windows = 1 + seed * 5 % 11;
        settings.slabs.excursion_factor = 0.3;
        expect_reference_and_count(arbitrary_rule_system(seed), settings);
    }
}

/// Products that outgrow the cells.
TEST(QueueEngine, BuildsCellsAnew) {
    System system;
    system.name = "droplets";
    system.box = periodic_box({20, 20, 20});
    system.dt = 0.5;
    system.num_steps = 1;
    system.world = world_with({{0.8, 1}}, 3, Bounce{});
    set_pair(*system.world, 0, 0, Coalesce{});
    for (int k = 0; k < 1000; ++k) {
        const Vec3 at{1.0 + 2 * (k % 10), 1.0 + 2 * (k / 10 % 10), 1.0 + 2 * (k / 100)};
        const Vec3 velocity{((k * 7) % 11 - 5) * 0.4, ((k * 5) % 13 - 6) * 0.35, ((k * 3) % 17 - 8) * 0.3};
        add_particle(system, at, velocity, 0.8, 1);
    }
    const SolvedSystem solved = solve(system);
    ASSERT_GT(solved.steps.at(0).contacts.size(), 100u);
    const auto engine = engine_for(system, {.search = crossing});
    for (const std::uint64_t halve_every : {0, 2}) {
        Particles particles = system.particles;
        const StepResult result = engine_step(*engine, particles, system.dt, {4, halve_every});
        EXPECT_EQ(first_difference(solved.steps[0].contacts, result.contacts), "");
        EXPECT_EQ(first_difference(solved.states[0], particles), "");
        EXPECT_GT(engine->statistics().num_rebuilt, 0u);
    }
}

/// Searches for whole steps, whose spheres are enlarged and never made smaller.
TEST(QueueEngine, TakesSearchesForWholeSteps) {
    for (std::uint64_t seed = 30; seed < 54; ++seed)
        for (const System& system :
             {arbitrary_system(seed), arbitrary_rule_system(seed), arbitrary_tether_system(seed)}) {
            SlabRunSettings settings;
            settings.engine.search = step_searches[seed % step_searches.size()];
            settings.engine.loop = seed % 3 == 0 ? SearchLoop::restart : SearchLoop::queue;
            settings.slabs.num_windows = 1 + seed % 7;
            settings.slabs.excursion_factor = 0.3;
            expect_reference_and_count(system, settings);
        }
}

/// Methods and loops that the other differential tests do not choose.
TEST(QueueEngine, FindsTheSameInAllLoops) {
    constexpr std::array words{"all_pairs",        "spatial_tree",    "cells_crossing",
                               "cells_every_move", "sweep_and_prune", "slices"};
    constexpr std::array loops{SearchLoop::queue, SearchLoop::restart, SearchLoop::precheck};
    for (std::uint64_t seed = 0; seed < 15; ++seed)
        for (const SolvedSystem& solved : {solve(arbitrary_system(seed)), solve(arbitrary_rule_system(seed))})
            for (std::size_t k = 0; k < words.size(); ++k) {
                const SearchLoop loop = loops[(seed + k) % loops.size()];
                ASSERT_EQ(first_difference(solved, {.search = search_named(words[k]), .loop = loop}, {2}), "")
                    << words[k] << " " << static_cast<int>(loop);
            }
}

/// An upper bound of the next contact spares nearly all tests, and changes no bit.
TEST(QueueEngine, SparesTestsByPrechecks) {
    System system = equal_gas(3, 200, 0.05, 5);
    system.dt = 0.5;
    system.num_steps = 1;
    const SolvedSystem solved = solve(system);
    std::array<StepStatistics, 2> counts;
    for (const std::size_t k : {0, 1}) {
        const auto engine = engine_for(system, {.search = search_named("all_pairs"),
                                                .loop = k == 0 ? SearchLoop::restart : SearchLoop::precheck});
        Particles particles = system.particles;
        const StepResult result = engine_step(*engine, particles, system.dt, {3});
        ASSERT_GT(result.contacts.size(), 20u);
        EXPECT_EQ(first_difference(solved.steps[0].contacts, result.contacts), "");
        counts[k] = engine->statistics();
    }
    EXPECT_EQ(counts[1].num_found, counts[0].num_found);
    EXPECT_EQ(counts[0].num_candidates, counts[0].num_found);
    EXPECT_LT(counts[1].num_candidates, 0.2 * static_cast<double>(counts[0].num_candidates));
}

/// Topological events per contact of an equal gas, in steps of half a contact of each particle.
double events_per_contact(const TestedSearch& search, std::size_t num_particles, double fraction, double dt) {
    System system = equal_gas(3, num_particles, fraction, 11);
    const auto engine = engine_for(system, {.search = search.method, .loop = search.loop});
    double num_contacts = 0, num_events = 0;
    for (int step = 0; step < 4; ++step) {
        const StepResult result = engine_step(*engine, system.particles, dt);
        num_contacts += static_cast<double>(result.contacts.size());
        num_events += static_cast<double>(engine->statistics().num_topological);
    }
    return num_events / num_contacts;
}

/// In cells of one particle each. Expected: as a prototype has counted them.
TEST(QueueEngine, CrossesAsManyCellsAsExpected) {
    for (const auto& [fraction, crossings] : {std::pair(0.3, 0.4), std::pair(0.1, 1.5)})
        EXPECT_NEAR(events_per_contact({crossing}, 2200, fraction, 0.015 / fraction), crossings,
                    0.1 * crossings)
            << fraction;
}

/// Likewise. They grow as N^(2/3), and as the mean free path.
TEST(QueueEngine, ExchangesAsManyEndsAsExpected) {
    constexpr TestedSearch sweep{search_named("sweep_and_prune"), SearchLoop::queue};
    for (const auto& [num_particles, fraction, exchanges] :
         {std::tuple(1000, 0.3, 120.0), std::tuple(2000, 0.3, 187.0), std::tuple(4000, 0.3, 299.0),
          std::tuple(1000, 0.1, 440.0)})
        EXPECT_NEAR(
            events_per_contact(sweep, static_cast<std::size_t>(num_particles), fraction, 0.015 / fraction),
            exchanges, 0.1 * exchanges)
            << num_particles << ", " << fraction;
}

}  // namespace
}  // namespace ricochet::test
