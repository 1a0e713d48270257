// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events and a triangulation: the reference's bits on any number of ranks, beside other
// searches, and where windows are run again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/search/search_method.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/solved_system.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod delaunay = search_named("delaunay");

std::vector<System> plane_systems(std::uint64_t first_seed, std::uint64_t end_seed) {
    std::vector<System> systems = degenerate_systems();
    for (System& system : random_systems()) systems.push_back(std::move(system));
    for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) systems.push_back(arbitrary_system(seed));
    std::erase_if(systems, [](const System& system) { return system.box.dimension != 2; });
    return systems;
}

TEST(DelaunayEngine, HasReferenceBitsOnAnyRanks) {
    std::uint64_t number = 0, num_flips = 0;
    for (const System& system : plane_systems(0, 40)) {
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.engine.contact_cap = 100;
        settings.slabs.excursion_factor = 0.3;
        const SlabRun expected = run_reference_to_error(system, settings);
        ++number;
        settings.slabs.num_windows = 1 + number * 7 % 40;
        for (const int num_ranks : {1, 2, 3, 5}) {
            if (num_ranks > slice_grid_of(system).num_slices()) continue;
            settings.engine.search = delaunay;
            settings.search_by_rank.clear();
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(first_difference(expected, run), "") << system.name << " on " << num_ranks << " ranks";
            num_flips += run.statistics.engine.num_topological;
            settings.search_by_rank = {delaunay, search_named("cells"), search_named("cells_crossing")};
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << system.name << " beside others, on " << num_ranks << " ranks";
        }
    }
    EXPECT_GT(num_flips, 10'000u);
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
            EXPECT_EQ(run.statistics.engine.num_rebuilt, 0u);
        }
    }
}

}  // namespace
}  // namespace ricochet::test
