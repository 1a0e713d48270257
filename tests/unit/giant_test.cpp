// SPDX-License-Identifier: BSD-3-Clause
//
// A giant among small spheres has a hundred contacts in a step and more. Its sub-windows must be short
// (window_count.hpp).
#include <gtest/gtest.h>

#include "tests/support/scenario.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::Scenario;
using test::SlabRun;

/// 8,000 spheres about a giant of ratio 60, which has 75 contacts in a step: 600 times as many as each of the others.
Scenario giant() {
    return Scenario("giant")
        .periodic({126, 126, 126})
        .timestep(4)
        .steps(3)
        .gas({{30, 216'000, 1}, {0.5, 1, 8000}}, 3);
}

TEST(Giant, HasShortSubWindows) {
    const SlabRun chosen = giant().on_ranks(1), by_the_mean = giant().windows(3).on_ranks(1);
    EXPECT_EQ(first_difference(by_the_mean, chosen), "");
    // Eight contacts of the giant in a sub-window.
    EXPECT_GE(chosen.statistics.num_windows, 3 * 7u);
    EXPECT_LT(2 * chosen.statistics.engine.num_merges, by_the_mean.statistics.engine.num_merges);
}

TEST(Giant, HasTheSameBitsInAnySubWindows) {
    const SlabRun expected = giant().windows(1).on_ranks(1);
    ASSERT_EQ(expected.error, "");
    EXPECT_GT(expected.contacts.size(), 1000u);
    for (const int num_ranks : {1, 2})
        for (const std::uint64_t num_windows : {0, 3})
            EXPECT_EQ(first_difference(expected, giant().windows(num_windows).on_ranks(num_ranks)), "")
                << num_windows << " sub-windows, " << num_ranks << " ranks";
}

}  // namespace
}  // namespace ricochet
