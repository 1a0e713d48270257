// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/excursion_factor.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(ExcursionFactor, BeginsAsGiven) { EXPECT_EQ(ExcursionFactor(0.5).value(), 0.5); }

TEST(ExcursionFactor, ShrinksToItsLeastInQuietSteps) {
    ExcursionFactor factor(0.5);
    factor.adapt(false, false);
    EXPECT_LT(factor.value(), 0.5);
    for (int step = 0; step < 10'000; ++step) factor.adapt(false, false);
    EXPECT_DOUBLE_EQ(factor.value(), 0.6 * 0.5);
}

/// About a thousand.
TEST(ExcursionFactor, OneVerificationLastsManySteps) {
    ExcursionFactor factor(0.5);
    for (int step = 0; step < 1'000; ++step) factor.adapt(false, false);
    const double before = factor.value();
    factor.adapt(false, true);
    int num_steps = 0;
    for (; factor.value() > before; ++num_steps) factor.adapt(false, false);
    EXPECT_GT(num_steps, 500);
    EXPECT_LT(num_steps, 2'000);
}

TEST(ExcursionFactor, GrowsMoreWhenTooSmallAgain) {
    ExcursionFactor factor(0.5);
    factor.adapt(true, true);
    EXPECT_DOUBLE_EQ(factor.value(), 1.25 * 0.5);
    factor.adapt(true, true);
    EXPECT_DOUBLE_EQ(factor.value(), 1.5 * 1.25 * 0.5);
}

TEST(ExcursionFactor, StaysBelowItsMost) {
    ExcursionFactor factor(0.5);
    for (int step = 0; step < 100; ++step) factor.adapt(true, true);
    EXPECT_DOUBLE_EQ(factor.value(), 4 * 0.5);
}

}  // namespace
}  // namespace ricochet
