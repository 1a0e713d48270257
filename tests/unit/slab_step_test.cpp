// SPDX-License-Identifier: BSD-3-Clause
//
// The promise of the parallel layer: the same bits on any number of ranks. Between threads, so that it runs
// under sanitizers; tests/mpi/ranks_test.cpp does the same over MPI.
#include "ricochet/parallel/slab_step.hpp"

#include <gtest/gtest.h>

#include "tests/support/slab_run.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::run_on_threads;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

constexpr int rank_counts[]{1, 2, 3, 4, 5, 7};

/// All rank counts that the system has slices for give what the reference gives. Where a run ends early
/// because the box becomes too small for what the particles do, it ends in the same step and with the same
/// sentence for all.
void expect_reference_on_all_rank_counts(const System& system, SlabRunSettings settings) {
    settings.num_steps = system.num_steps;
    const SlabRun one = run_on_threads(1, system, settings);
    settings.num_steps = static_cast<int>(one.contacts_until_step.size());
    SlabRun expected = test::run_reference(system, settings);
    expected.error = one.error;
    settings.num_steps = system.num_steps;
    for (const int num_ranks : rank_counts) {
        if (num_ranks > test::slice_grid_of(system).num_slices()) continue;
        EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << system.name << " on " << num_ranks << " ranks";
    }
}

TEST(SlabStep, RandomSystemsHaveTheReferencesBitsOnAnyRankCount) {
    for (const System& system : test::random_systems()) expect_reference_on_all_rank_counts(system, {});
}

TEST(SlabStep, DegenerateSystemsHaveTheReferencesBitsOnAnyRankCount) {
    for (const System& system : test::degenerate_systems()) expect_reference_on_all_rank_counts(system, {});
}

}  // namespace
}  // namespace ricochet
