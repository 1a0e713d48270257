// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events and a triangulation: the reference's bits on any number of ranks, beside other
// searches, and where windows are run again.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "kinetic/delaunay3.hpp"
#include "ricochet/search/search_method.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/solved_system.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod delaunay = search_named("delaunay");

std::vector<System> systems_in(int dimension, std::uint64_t first_seed, std::uint64_t end_seed) {
    std::vector<System> systems = degenerate_systems();
    for (System& system : random_systems()) systems.push_back(std::move(system));
    for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) systems.push_back(arbitrary_system(seed));
    std::erase_if(systems, [dimension](const System& system) { return system.box.dimension != dimension; });
    return systems;
}

/// What runs of it have counted.
struct Sums {
    std::uint64_t num_flips = 0;  ///< of runs without cells
    std::uint64_t num_runs = 0;
    std::uint64_t num_on_cells = 0;  ///< runs in which cells stood in somewhere
};

/// Each system on `num_turns` of four rank counts, in turns: alone, and beside other methods.
Sums expect_reference_bits(const std::vector<System>& systems, std::size_t num_turns = 2) {
    std::uint64_t number = 0;
    Sums sums;
    for (const System& system : systems) {
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.engine.contact_cap = 100;
        settings.slabs.excursion_factor = 0.3;
        const SlabRun expected = run_reference_to_error(system, settings);
        ++number;
        settings.slabs.num_windows = 1 + number * 7 % 40;
        constexpr std::array rank_counts{1, 2, 3, 5};
        for (std::size_t turn = 0; turn < num_turns; ++turn) {
            const int num_ranks =
                rank_counts[(number + turn * rank_counts.size() / num_turns) % rank_counts.size()];
            if (num_ranks > slice_grid_of(system).num_slices()) continue;
            settings.engine.search = delaunay;
            settings.search_by_rank.clear();
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            const std::string where = system.name + " on " + std::to_string(num_ranks) + " ranks";
            EXPECT_EQ(first_difference(expected, run), "") << where;
            EXPECT_EQ(run.statistics.engine.num_replaced, 0u) << where;
            const bool is_on_cells = run.statistics.engine.num_on_cells > 0;
            ++sums.num_runs;
            sums.num_on_cells += is_on_cells ? 1 : 0;
            sums.num_flips += is_on_cells ? 0 : run.statistics.engine.num_topological;
            settings.search_by_rank = {{delaunay}, {search_named("cells")}, {search_named("cells_crossing")}};
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << system.name << " beside others, on " << num_ranks << " ranks";
        }
    }
    return sums;
}

/// Cells stand in only in one system, where discs overlap, on both of its rank counts.
TEST(DelaunayEngine, HasReferenceBitsOnAnyRanks) {
    const Sums sums = expect_reference_bits(systems_in(2, 0, 40));
    EXPECT_EQ(sums.num_on_cells, 2u);
    EXPECT_GT(sums.num_flips, 10'000u);
}

/// Every third system, since few spheres take many copies and so long. Cells never stand in.
TEST(DelaunayEngine, HasReferenceBitsInSpace) {
    std::vector<System> some;
    const std::vector<System> systems = systems_in(3, 0, 8);
    for (std::size_t k = 0; k < systems.size(); k += 3) some.push_back(systems[k]);
    const Sums sums = expect_reference_bits(some);
    EXPECT_EQ(sums.num_on_cells, 0u);
    EXPECT_GT(sums.num_flips, 300u);
}

/// The whole grid. Cells stand in where two are at the same position, and hardly elsewhere.
TEST(LongDelaunayEngine, HasReferenceBitsInSpace) {
    const Sums sums = expect_reference_bits(systems_in(3, 0, 40), 4);
    EXPECT_LE(20 * sums.num_on_cells, sums.num_runs);
    EXPECT_GT(sums.num_flips, 3000u);
}

System hot(std::string name, System system, std::uint64_t seed) {
    system.name = std::move(name);
    system.dt = 0.2;
    system.num_steps = 2;
    thermalise(system, 1, seed);
    return system;
}

/// Spheres on sites 0 to 3 along each axis, these sites so far apart.
System block(Vec3 spacing, Vec3 size) {
    System system;
    system.box = periodic_box(size);
    for (int k = 0; k < 64; ++k)
        add_particle(system,
                     Vec3{2.5, 2.5, 2.5} + Vec3{k % 4 * spacing.x, k / 4 % 4 * spacing.y, k / 16 * spacing.z},
                     {});
    return system;
}

/// Blocks and rows in which all touch at the start, and many approach each other.
std::vector<System> touching_systems() {
    return {hot("simple cubic block", block({1, 1, 1}, {7, 7, 7}), 1),
            hot("rows along x", block({1, 1.5, 1.5}, {6, 6, 6}), 2),
            hot("rows along y", block({1.5, 1, 1.5}, {6, 6, 6}), 3),
            hot("rows along z", block({1.5, 1.5, 1}, {6, 6, 6}), 4),
            hot("face-centred cubic block", touching_cluster(5, 6), 6)};
}

/// Contacts at the time 0, in exact ties, of spheres that are triangulated.
TEST(DelaunayEngine, HasReferenceBitsWhereAllTouch) {
    for (const System& system : touching_systems()) {
        TopologicalQueue queue;
        EXPECT_TRUE(Delaunay3(system.box, {})
                        .begin({.motion = system.particles.motion,
                                .attributes = system.particles.attributes.lookup(),
                                .domain = {0, system.box.size.x},
                                .end = system.dt},
                               queue))
            << system.name;
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        const SlabRun expected = run_reference(system, settings);
        const auto num_at_once = std::count_if(expected.contacts.begin(), expected.contacts.end(),
                                               [](const Contact& contact) { return contact.key.time == 0; });
        EXPECT_GT(num_at_once, 30) << system.name;
        settings.engine.search = delaunay;
        for (const int num_ranks : {1, 2, 3})
            for (const std::uint64_t num_windows : {1, 7}) {
                settings.slabs.num_windows = num_windows;
                if (num_ranks > slice_grid_of(system).num_slices()) continue;
                const SlabRun run = run_on_threads(num_ranks, system, settings);
                EXPECT_EQ(first_difference(expected, run), "")
                    << system.name << " on " << num_ranks << " ranks";
                EXPECT_EQ(run.statistics.engine.num_replaced, 0u);
                if (num_ranks == 1) {
                    EXPECT_EQ(run.statistics.engine.num_on_cells, 0u) << system.name;
                }
            }
    }
}

/// Per contact of equal spheres, half a contact each per step. Expected: as a prototype has counted them.
TEST(DelaunayEngine, FlipsAsOftenAsExpected) {
    for (const auto& [fraction, flips] : {std::pair(0.3, 2.2), std::pair(0.1, 12.9)}) {
        System system = equal_gas(3, 1000, fraction, 11);
        system.dt = 0.015 / fraction;
        const auto engine = engine_for(system, {.search = delaunay});
        double num_contacts = 0, num_flips = 0;
        for (int step = 0; step < 4; ++step) {
            const StepResult result = engine_step(*engine, system.particles, system.dt);
            num_contacts += static_cast<double>(result.contacts.size());
            num_flips += static_cast<double>(engine->statistics().num_topological);
            EXPECT_EQ(engine->statistics().num_on_cells, 0u) << fraction;
        }
        EXPECT_NEAR(num_flips / num_contacts, flips, 0.1 * flips) << fraction;
    }
}

/// Large enough for slabs with a torus of their own.
TEST(DelaunayEngine, RunsWindowsAgain) {
    for (const double fraction : {0.1, 0.5}) {
        System system = equal_gas(2, 1500, fraction, 7);
        system.dt = 0.05 / fraction;
        system.num_steps = 3;
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.slabs.num_windows = 3;
        const SlabRun expected = run_on_threads(1, system, settings);
        settings.engine.search = delaunay;
        for (const int num_ranks : {1, 2, 3, 5}) {
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(first_difference(expected, run), "") << fraction << " on " << num_ranks << " ranks";
            EXPECT_GT(run.statistics.engine.num_topological, 50u);
            EXPECT_EQ(run.statistics.engine.num_repairs > 0, num_ranks > 1);
            EXPECT_EQ(run.statistics.engine.num_rebuilt + run.statistics.engine.num_on_cells, 0u);
        }
    }
}

}  // namespace
}  // namespace ricochet::test
