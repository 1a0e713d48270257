// SPDX-License-Identifier: BSD-3-Clause
//
// Legs of the search (engine/search_leg.hpp) change no bit on any number of ranks, and keep the work per
// contact of steps that hold many. That they change none on one slab: engine_differential_test.cpp.
#include <gtest/gtest.h>

#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::run_on_threads;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

/// 240 spheres in a box whose slabs on 7 ranks are thinner than two halos.
System long_gas() {
    System system;
    system.name = "long gas";
    system.box = test::periodic_box({26, 5, 5});
    system.dt = 0.1;
    test::fill_at_random(system, {{0.5, 1, 240}}, {}, system.box.size, 5);
    test::thermalise(system, 1, 6);
    return system;
}

TEST(Legs, AnyNumberOnAnyRankCountChangesNoBit) {
    const SlabRun expected = test::run_reference(long_gas(), {});
    EXPECT_GT(expected.contacts.size(), 20u);
    for (const std::uint64_t num_legs : {2, 3, 11})
        for (const std::uint64_t num_windows : {0, 4, 40})
            for (const int num_ranks : {1, 2, 3, 7}) {
                SlabRunSettings settings;
                settings.engine.num_legs = num_legs;
                settings.slabs.num_windows = num_windows;
                EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, long_gas(), settings)), "")
                    << num_legs << " legs, " << num_windows << " sub-windows, " << num_ranks << " ranks";
            }
}

/// The halo is as narrow as it may be, so that steps are done again.
TEST(Legs, HaveTheReferencesBitsForEverySystem) {
    std::vector<System> systems = test::random_systems();
    for (System& system : test::degenerate_systems()) systems.push_back(std::move(system));
    for (const System& system : systems) {
        SlabRunSettings settings;
        settings.num_steps = system.num_steps;
        settings.engine.num_legs = 3;
        settings.slabs.num_windows = 7;
        settings.slabs.excursion_factor = 0.5;
        const SlabRun expected = test::run_reference_to_error(system, settings);
        for (const int num_ranks : {1, 2, 3, 5}) {
            if (num_ranks > test::slice_grid_of(system).num_slices()) continue;
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << system.name << " on " << num_ranks << " ranks";
        }
    }
}

/// The domain of a leg's search is not that of the step's midpoints: in a narrow closed box, slices are all
/// that it is cut into, and paths of a step are long.
TEST(Legs, OfStepsWithManyContactsChangeNoBitWithAnySearch) {
    System system;
    system.name = "discs in a tube";
    system.box = test::walled_box({20, 1, 0});
    system.dt = 1;
    test::fill_at_random(system, {{0.05, 1, 200}}, {}, system.box.size, 31);
    test::thermalise(system, 1, 32);
    SlabRunSettings settings;
    settings.num_steps = 20;
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_GT(2 * expected.contacts.size(), 3 * 20 * system.particles.size());
    for (const SearchMethod search : {SearchMethod::cells, SearchMethod::slices, SearchMethod::all_pairs})
        for (const std::uint64_t num_legs : {0, 9})
            for (const int num_ranks : {2, 3, 5}) {
                settings.engine = {.search = search, .num_legs = num_legs};
                EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                    << to_string(search) << ", " << num_legs << " legs, " << num_ranks << " ranks";
            }
}

/// Whose contacts a rank may not know is decided by the midpoints of the whole step, not by those of a leg. A
/// disc (the second), 3.01 from the face when halfway and so not sent to the other slab by a halo of 3, is
/// hit when the second leg has begun, and meets one that comes from there: 1.08 from where it should have
/// been halfway, by more than the halo allows for, but 0.83 from the middle of its second leg.
TEST(Legs, AStepIsRedoneForAPathThatLeavesItsMidpointInALaterLeg) {
    System system;
    system.name = "late shot";
    system.box = test::walled_box({64, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {36.822, 8, 0}, {-3.2, 0, 0}, 0.5, 1000);
    test::add_particle(system, {35.51, 8, 0}, {-2, 0, 0}, 0.5, 0.01);
    test::add_particle(system, {30.99, 8, 0}, {4, 0, 0}, 0.5, 0.01);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.slabs.excursion_factor = 0.5;
    settings.slabs.num_windows = 4;
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_EQ(expected.contacts.size(), 2u);
    for (const std::uint64_t num_legs : {1, 2}) {
        settings.engine.num_legs = num_legs;
        const SlabRun run = run_on_threads(2, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << num_legs << " legs";
        EXPECT_EQ(run.statistics.num_redone, 1u);
    }
}

/// Several contacts per particle and step.
System crowded_gas() {
    System system = test::equal_gas(3, 500, 0.45, 50);
    system.name = "crowded gas";
    system.dt = 0.35;
    return system;
}

TEST(Legs, StepsWithManyContactsPerParticleHaveTheReferencesBits) {
    System system = crowded_gas();
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_GT(2 * expected.contacts.size(), 5 * 3 * system.particles.size());
    for (const std::uint64_t num_legs : {0, 1, 4})
        for (const int num_ranks : {1, 2, 3}) {
            settings.engine.num_legs = num_legs;
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << num_ranks << " ranks, " << num_legs << " legs";
        }
}

/// Counters of a gas at volume fraction 0.3 in which a particle has about so many contacts in a step.
StepStatistics work_at(double contacts_per_particle, std::uint64_t num_legs) {
    System system = test::equal_gas(3, 4000, 0.3, 11);
    constexpr double mean_time_between_contacts = 0.099;
    system.dt = contacts_per_particle * mean_time_between_contacts;
    SlabRunSettings settings;
    settings.num_steps = 2;
    settings.engine.num_legs = num_legs;
    const SlabRun run = run_on_threads(1, system, settings);
    const auto found = static_cast<double>(run.contacts.size());
    EXPECT_NEAR(found, contacts_per_particle * 4000, 0.1 * found);
    StepStatistics work = run.statistics.engine;
    work.num_candidates /= run.contacts.size();
    work.num_pairs = work.num_pairs * 100 / run.contacts.size();
    return work;
}

TEST(Legs, ManyContactsPerStepCostLittleMoreEach) {
    const StepStatistics few = work_at(0.5, 0), many = work_at(8, 0);
    EXPECT_EQ(few.num_legs, 2u);  // of two steps
    EXPECT_GE(many.num_legs, 8u);
    EXPECT_LE(many.num_candidates, 3 * few.num_candidates);
    EXPECT_LE(many.num_pairs, few.num_pairs);
    EXPECT_LE(many.largest_island, 100u);
    // In one leg neighbours are all that a particle could reach in the whole step.
    EXPECT_GE(work_at(8, 1).num_candidates, 10 * few.num_candidates);
}

}  // namespace
}  // namespace ricochet
