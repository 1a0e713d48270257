// SPDX-License-Identifier: BSD-3-Clause
//
// Intervals of the search (search/search_interval.hpp) change no bit on any number of ranks, and keep the
// work per contact of steps that hold many. That they change none on one slab: engine_differential_test.cpp.
#include <gtest/gtest.h>

#include "tests/support/scenario.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::Scenario;
using test::SlabRun;
using test::System;

/// 240 spheres in a box whose slabs on 7 ranks are thinner than two halos.
Scenario long_gas() {
    return Scenario("long gas").periodic({26, 5, 5}).timestep(0.1).gas({{0.5, 1, 240}}, 5);
}

TEST(SearchIntervals, ChangeNoBitOnAnyRanks) {
    const SlabRun expected = long_gas().by_reference();
    EXPECT_GT(expected.contacts.size(), 20u);
    for (const std::uint64_t num_intervals : {2, 3, 11})
        for (const std::uint64_t num_windows : {0, 4, 40})
            for (const int num_ranks : {1, 2, 3, 7}) {
                const SlabRun run = long_gas().legs(num_intervals).windows(num_windows).on_ranks(num_ranks);
                EXPECT_EQ(first_difference(expected, run), "")
                    << num_intervals << " legs, " << num_windows << " sub-windows, " << num_ranks << " ranks";
            }
}

/// The halo is as narrow as it may be, so that steps are done again.
TEST(SearchIntervals, HaveTheReferencesBits) {
    std::vector<System> systems = test::random_systems();
    for (System& system : test::degenerate_systems()) systems.push_back(std::move(system));
    for (const System& system : systems) {
        const Scenario scenario = Scenario(system).legs(3).windows(7).halo_factor(0.5);
        const SlabRun expected = scenario.by_reference_to_error();
        for (const int num_ranks : {1, 2, 3, 5}) {
            if (num_ranks > scenario.num_slices()) continue;
            EXPECT_EQ(first_difference(expected, scenario.on_ranks(num_ranks)), "")
                << system.name << " on " << num_ranks << " ranks";
        }
    }
}

/// The domain of an interval's search is not that of the step's midpoints: in a narrow closed box, slices are
/// all that it is cut into, and paths of a step are long.
TEST(SearchIntervals, ManyContactsWithAnySearch) {
    Scenario discs =
        Scenario("discs in a tube").walled({20, 1, 0}).timestep(1).steps(20).gas({{0.05, 1, 200}}, 31);
    const SlabRun expected = discs.by_reference();
    EXPECT_GT(2 * expected.contacts.size(), 3 * 20 * discs.num_particles());
    std::size_t number = 0;
    for (const auto search : test::searches)
        for (const std::uint64_t num_intervals : {0, 9})
            for (const int num_ranks : {2, 3, 5}) {
                if (!test::takes_turn(search, number++)) continue;
                const SlabRun run = discs.search(search).legs(num_intervals).on_ranks(num_ranks);
                EXPECT_EQ(first_difference(expected, run), "")
                    << to_string(search) << ", " << num_intervals << " legs, " << num_ranks << " ranks";
            }
}

/// Whose contacts a rank may not know is decided by the midpoints of the whole step, not by those of a
/// interval. A disc (the second), 3.01 from the face when halfway and so not sent to the other slab by a halo
/// of 3, is hit when the second interval has begun, and touches one that comes from there: 1.08 from where it
/// should have been halfway, by more than the halo allows for, but 0.83 from the middle of its second
/// interval.
TEST(SearchIntervals, RedoAStepForALaterLegsPath) {
    Scenario shot = Scenario("late shot")
                        .walled({64, 16, 0})
                        .timestep(0.5)
                        .steps(1)
                        .sphere({36.822, 8, 0}, {-3.2, 0, 0}, 0.5, 1000)
                        .sphere({35.51, 8, 0}, {-2, 0, 0}, 0.5, 0.01)
                        .sphere({30.99, 8, 0}, {4, 0, 0}, 0.5, 0.01)
                        .halo_factor(0.5)
                        .windows(4);
    const SlabRun expected = shot.by_reference();
    EXPECT_EQ(expected.contacts.size(), 2u);
    for (const std::uint64_t num_intervals : {1, 2}) {
        const SlabRun run = shot.legs(num_intervals).on_ranks(2);
        EXPECT_EQ(first_difference(expected, run), "") << num_intervals << " legs";
        EXPECT_EQ(run.statistics.num_redone, 1u);
    }
}

TEST(SearchIntervals, ManyContactsHaveReferenceBits) {
    Scenario crowded = Scenario(test::equal_gas(3, 500, 0.45, 50)).timestep(0.35).steps(3);
    const SlabRun expected = crowded.by_reference();
    EXPECT_GT(2 * expected.contacts.size(), 5 * 3 * crowded.num_particles());
    for (const std::uint64_t num_intervals : {0, 1, 4})
        for (const int num_ranks : {1, 2, 3}) {
            EXPECT_EQ(first_difference(expected, crowded.legs(num_intervals).on_ranks(num_ranks)), "")
                << num_ranks << " ranks, " << num_intervals << " legs";
        }
}

/// Counters of a gas at volume fraction 0.3 in which a particle has about this many contacts in a step.
StepStatistics work_at(double contacts_per_particle, std::uint64_t num_intervals) {
    constexpr double mean_time_between_contacts = 0.099;
    const SlabRun run = Scenario(test::equal_gas(3, 4000, 0.3, 11))
                            .timestep(contacts_per_particle * mean_time_between_contacts)
                            .steps(2)
                            .legs(num_intervals)
                            .on_ranks(1);
    const auto found = static_cast<double>(run.contacts.size());
    EXPECT_NEAR(found, contacts_per_particle * 4000, 0.1 * found);
    StepStatistics work = run.statistics.engine;
    work.num_candidates /= run.contacts.size();
    work.num_pairs = work.num_pairs * 100 / run.contacts.size();
    return work;
}

TEST(SearchIntervals, ManyContactsCostLittleMore) {
    const StepStatistics few = work_at(0.5, 0), many = work_at(8, 0);
    EXPECT_EQ(few.num_intervals, 2u);  // of two steps
    EXPECT_GE(many.num_intervals, 8u);
    EXPECT_LE(many.num_candidates, 3 * few.num_candidates);
    EXPECT_LE(many.num_pairs, few.num_pairs);
    EXPECT_LE(many.largest_island, 100u);
    // In one interval neighbours are all that a particle could reach in the whole step.
    EXPECT_GE(work_at(8, 1).num_candidates, 10 * few.num_candidates);
}

}  // namespace
}  // namespace ricochet
