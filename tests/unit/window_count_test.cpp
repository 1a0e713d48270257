// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/window_count.hpp"

#include <gtest/gtest.h>

#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

TEST(WindowCount, FollowsThePredictedContacts) {
    WindowCount count(0.05, 0, 1);
    // 968 + 32 particles with 100 contacts in a time of 2: 0.1 contacts per particle and time.
    count.note({.num_contacts = 100, .time = 2}, 968);
    EXPECT_DOUBLE_EQ(count.wished_rate(), 0.1 / 0.05);
}

TEST(WindowCount, FollowsTheBusiestParticle) {
    WindowCount count(0.05, 0, 1);
    count.note({.num_contacts = 100, .time = 2, .num_of_busiest = 16}, 968);
    EXPECT_DOUBLE_EQ(count.wished_rate(), 0.1 / 0.05);
    // 160 in a time of 2, at most 8 in a sub-window.
    count.note({.num_contacts = 100, .time = 2, .num_of_busiest = 160}, 968);
    EXPECT_DOUBLE_EQ(count.wished_rate(), 10);
}

TEST(WindowCount, WindowsAreLongerOnSeveralRanks) {
    WindowCount alone(0.05, 0, 1), one_of_two(0.05, 0, 2);
    for (WindowCount* count : {&alone, &one_of_two}) count->note({.num_contacts = 100, .time = 2}, 968);
    EXPECT_LT(one_of_two.wished_rate(), alone.wished_rate());
}

TEST(WindowCount, AgreedRateRoundsUp) {
    test::run_ranks(2, [](Exchange& exchange) {
        const WindowCount count(0.05, 0, 2);
        EXPECT_EQ(count.in_step(exchange, 1, 0), 1U);
        EXPECT_EQ(count.in_step(exchange, 1, 2.5), 3U);
        EXPECT_EQ(count.in_step(exchange, 0.5, 4), 2U);
    });
}

TEST(WindowCount, FirstStepAsksAllRanks) {
    test::run_ranks(3, [](Exchange& exchange) {
        WindowCount count(0.05, 0, 3);
        EXPECT_LT(count.wished_rate(), 0);
        const std::uint64_t num_contacts = exchange.rank() == 1 ? 1'400 : 7;
        count.note({.num_contacts = num_contacts, .time = 1}, 368);
        // The rank with most decides: 7 contacts per particle, 0.07 in a sub-window.
        EXPECT_EQ(count.in_step(exchange, 0.995, -1), 100U);
    });
}

TEST(WindowCount, FixedNumberStands) {
    test::run_ranks(
        1, [](Exchange& exchange) { EXPECT_EQ(WindowCount(0.05, 7, 1).in_step(exchange, 1, 100), 7U); });
}

}  // namespace
}  // namespace ricochet
