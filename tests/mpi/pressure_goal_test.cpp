// SPDX-License-Identifier: BSD-3-Clause
//
// When growth to a pressure ends, as a rule without particles: it goes on, shrinks, ends and gives up by numbers alone.
#include "run/pressure_goal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ricochet::test {
namespace {

TEST(PressureGoal, IsReachedWithinItsTolerance) {
    for (const double z : {98.1, 100.0, 101.9}) EXPECT_EQ(PressureGoal(100, 0.1).change_after(z), 0) << z;
    EXPECT_GT(PressureGoal(100, 0.1).change_after(97.9), 0);
    EXPECT_LT(PressureGoal(100, 0.1).change_after(102.1), 0);
}

/// Free volume: Z = d/(1 - f/f_J) with f as the power d of the radii. The rule knows no f_J, and finds the goal.
TEST(PressureGoal, FindsAPackingOfFreeVolume) {
    for (const int dimension : {2, 3})
        for (const double goal : {20.0, 1e3, 1e6, 1e12})
            for (const double first : {10.0, 300.0, 1e5, 1e13}) {
                PressureGoal rule(goal, 0.01);
                double pressure = first;
                double log_scale =
                    std::log1p(-dimension / pressure) / dimension;  // of radii over those at f_J
                for (double change = 1; change != 0; log_scale += std::log1p(change)) {
                    pressure = -dimension / std::expm1(dimension * log_scale);
                    change = rule.change_after(pressure);
                    ASSERT_LT(rule.num_rests(), 10u) << dimension << "D " << goal << " from " << first;
                }
                EXPECT_NEAR(pressure / goal, 1, pressure_tolerance);
            }
}

/// Far from the goal the law does not hold.
TEST(PressureGoal, ChangesRadiiByATenthAtMost) {
    EXPECT_EQ(PressureGoal(1e6, 0.1).change_after(1.5), 0.1);
    EXPECT_EQ(PressureGoal(1.5, 0.1).change_after(40), -0.1);
}

TEST(PressureGoal, GrowsEverMoreSlowly) {
    PressureGoal fast(1e6, 0.1), slow(1e6, 0.0004);
    EXPECT_EQ(fast.rate(), 0.1);
    fast.change_after(50);
    EXPECT_EQ(fast.rate(), 0.05);
    for (int k = 0; k < 20; ++k) fast.change_after(50);
    EXPECT_EQ(fast.rate(), slowest_rate);
    slow.change_after(50);
    EXPECT_EQ(slow.rate(), 0.0004);
}

/// Before the first rest the pressure alone ends a phase. Later the rest has told how far radii are to grow, and only a
/// gas that cannot follow its growth ends it.
TEST(PressureGoal, EndsAPhaseOfGrowthByItsPressure) {
    PressureGoal rule(100, 0.1);
    EXPECT_FALSE(rule.ends_growth(99.9));
    EXPECT_TRUE(rule.ends_growth(100));
    rule.change_after(50);
    EXPECT_FALSE(rule.ends_growth(120));
    EXPECT_TRUE(rule.ends_growth(125));
}

TEST(PressureGoal, GivesUpAfterManyContactsOrRests) {
    PressureGoal rule(1e6, 0.01), slow(1e6, 1e-4);
    EXPECT_FALSE(rule.gives_up(300'000));
    EXPECT_TRUE(rule.gives_up(400'000));
    EXPECT_FALSE(slow.gives_up(3'000'000));
    for (int k = 0; k < 100; ++k) rule.change_after(50);
    EXPECT_TRUE(rule.gives_up(0));
}

}  // namespace
}  // namespace ricochet::test
