// SPDX-License-Identifier: BSD-3-Clause
#include "search/search_interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/window_schedule.hpp"

namespace ricochet {
namespace {

/// Spheres of diameter 1 at kT = m = 1 in a step with this many contacts per particle, by Enskog's rate.
IntervalConditions gas(double fraction, double contacts) {
    const double density = 6 * fraction / std::numbers::pi;
    const double crowding = (1 - fraction / 2) / std::pow(1 - fraction, 3);
    const double rate = 4 * density * std::sqrt(std::numbers::pi) * crowding;
    return {.rest = contacts / rate,
            .density = density,
            .radius = 0.5,
            .speed = std::sqrt(8 / std::numbers::pi),
            .contact_rate = rate,
            .is_flat = false};
}

double contacts_in_interval(double fraction, double contacts) {
    const IntervalConditions of = gas(fraction, contacts);
    return best_interval(of) * of.contact_rate;
}

TEST(SearchInterval, IsTheWholeOfBestSteps) {
    for (const auto& [fraction, contacts] :
         {std::pair(0.01, 0.1), std::pair(0.1, 0.4), std::pair(0.3, 0.75), std::pair(0.49, 1.5)}) {
        for (const double part : {1.0, 0.5, 0.1, 0.001}) {
            const IntervalConditions of = gas(fraction, part * contacts);
            EXPECT_EQ(best_interval(of), of.rest) << fraction << ", " << part * contacts;
        }
    }
}

TEST(SearchInterval, HasTheContactsMeasuredToBeBest) {
    for (const double contacts : {8.0, 13.0, 200.0, 1e5}) {
        EXPECT_NEAR(contacts_in_interval(0.01, contacts), 0.11, 0.03);
        EXPECT_NEAR(contacts_in_interval(0.1, contacts), 0.35, 0.05);
        EXPECT_NEAR(contacts_in_interval(0.3, contacts), 0.65, 0.1);
        EXPECT_NEAR(contacts_in_interval(0.49, contacts), 1.4, 0.2);
    }
}

TEST(SearchInterval, DividesAStepEvenly) {
    for (const double contacts : {2.0, 3.0, 5.0, 10.0}) {
        const IntervalConditions of = gas(0.3, contacts);
        const double count = of.rest / best_interval(of);
        EXPECT_GT(count, 1);
        EXPECT_NEAR(count, std::round(count), 1e-12);
    }
}

/// Or does not move.
TEST(SearchInterval, IsTheWholeStepOfWhatCannotMeet) {
    IntervalConditions at_rest = gas(0.3, 10);
    at_rest.speed = at_rest.contact_rate = 0;
    EXPECT_EQ(best_interval(at_rest), at_rest.rest);
    IntervalConditions alone = gas(0.3, 10);
    alone.density = alone.contact_rate = 0;
    EXPECT_EQ(best_interval(alone), alone.rest);
    EXPECT_EQ(best_interval({.rest = 3}), 3);
    EXPECT_EQ(best_interval({}), 0);
}

/// Where contacts are not known yet.
TEST(SearchInterval, ShortensPathsBeforeAnyContact) {
    IntervalConditions of = gas(0.3, 100);
    of.contact_rate = 0;
    EXPECT_LT(best_interval(of), of.rest / 2);
}

/// For bent paths.
TEST(SearchInterval, SparesLessThanARadius) {
    const IntervalConditions of = gas(0.1, 1);
    EXPECT_EQ(spare_reach(of, 1e-3 / of.contact_rate), 5e-3 * of.speed * (1e-3 / of.contact_rate));
    EXPECT_EQ(spare_reach(of, 1 / of.contact_rate), 0.15);
}

/// The end is that of a window.
TEST(WindowSchedule, NamesTheEndNearATime) {
    BlockStore store;
    BlockVector<InitialPrediction> none(store);
    WindowSchedule schedule(store);
    schedule.plan({0, 1}, 4, none);
    EXPECT_EQ(schedule.end_near(0, 0.0), 0.25);
    EXPECT_EQ(schedule.end_near(0, 0.37), 0.25);
    EXPECT_EQ(schedule.end_near(0, 0.38), 0.5);
    EXPECT_EQ(schedule.end_near(2, 0.3), 0.75);
    EXPECT_EQ(schedule.end_near(1, 1.0), 1.0);
    EXPECT_EQ(schedule.end_near(1, 2.0), 1.0);
    EXPECT_EQ(schedule.end_near(3, 0.1), 1.0);
}

}  // namespace
}  // namespace ricochet
