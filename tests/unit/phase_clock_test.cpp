// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/phase_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string_view>
#include <thread>

namespace ricochet {
namespace {

constexpr double pause = 0.02;  // seconds

void wait() { std::this_thread::sleep_for(std::chrono::duration<double>(pause)); }

TEST(PhaseClock, CountsForTheInnermostPhaseOnly) {
    PhaseClock clock;
    {
        const PhaseClock::Scope search = clock.enter(Phase::search);
        wait();
        {
            const PhaseClock::Scope binning = clock.enter(Phase::binning);
            const double outer = clock.seconds(Phase::search);
            EXPECT_GE(outer, pause);
            wait();
            const PhaseClock::Scope events = clock.enter(Phase::events);
            EXPECT_EQ(clock.seconds(Phase::search), outer);
        }
        EXPECT_GE(clock.seconds(Phase::binning), pause);
        wait();
    }
    EXPECT_GE(clock.seconds(Phase::search), 2 * pause);
}

TEST(PhaseClock, TotalIsTheSumOfAllPhases) {
    PhaseClock clock;
    wait();  // outside all phases
    for (const PhaseName& row : phase_names) const PhaseClock::Scope scope = clock.enter(row.phase);
    double sum = 0;
    for (const PhaseName& row : phase_names) sum += clock.seconds(row.phase);
    EXPECT_GT(sum, 0);
    EXPECT_GE(clock.total(), sum + pause);
}

TEST(PhaseClock, RestartForgetsAll) {
    PhaseClock clock;
    { const PhaseClock::Scope scope = clock.enter(Phase::output); }
    clock.restart();
    EXPECT_EQ(clock.total(), 0);
    EXPECT_EQ(clock.seconds(Phase::output), 0);
}

TEST(PhaseClock, NamesAreDistinct) {
    std::set<std::string_view> names, stored;
    for (const PhaseName& row : phase_names) {
        names.insert(row.name);
        stored.insert(row.stored);
    }
    EXPECT_EQ(names.size(), num_phases);
    EXPECT_EQ(stored.size(), num_phases);
}

}  // namespace
}  // namespace ricochet
