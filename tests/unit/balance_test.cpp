// SPDX-License-Identifier: BSD-3-Clause
//
// Moving cuts: where they are put, that they even out the work, and that they change no bit. Work is counted
// here, not timed, so that nothing depends on the machine.
#include "slabs/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "parallel/collectives.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/scenario.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;
using test::Scenario;
using test::System;

constexpr int rank_counts[]{2, 3, 4, 7};

Particles at(const std::vector<double>& xs) {
    Particles particles;
    for (const double x : xs) {
        Motion motion;
        motion.position.x = x;
        particles.push_back(motion, {}, {});
    }
    return particles;
}

/// 100 slices of width 1.
SliceGrid hundred_slices() { return {test::periodic_box({100, 10, 10}), 1}; }

/// The cuts for particles that are distributed to the ranks in turn and cost 1 each.
Cuts cuts_for(const std::vector<double>& xs, int num_ranks) {
    Cuts cuts;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        std::vector<double> mine;
        for (std::size_t k = 0; k < xs.size(); ++k)
            if (static_cast<int>(k) % num_ranks == exchange.rank()) mine.push_back(xs[k]);
        const CostProfile profile(hundred_slices(), at(mine), std::ssize(mine));
        const Cuts found = cuts_of_equal_cost(exchange, profile, 100, num_ranks);
        if (exchange.rank() == num_ranks - 1) cuts = found;
    });
    return cuts;
}

/// Wherever the particles are.
TEST(Cuts, DivideTheCostEvenly) {
    std::vector<double> even, quarter;
    for (int k = 0; k < 1000; ++k) {
        even.push_back(0.1 * k);
        quarter.push_back(0.025 * k);
    }
    EXPECT_EQ(cuts_for(even, 4), (Cuts{0, 25, 50, 75, 100}));
    EXPECT_EQ(cuts_for(quarter, 5), (Cuts{0, 5, 10, 15, 20, 100}));
    EXPECT_EQ(cuts_for(quarter, 2), (Cuts{0, 13, 100}));  // 12 and 13 are equally near
    EXPECT_EQ(cuts_for(std::vector<double>(50, 99.5), 3), (Cuts{0, 99, 100, 100}));
    EXPECT_EQ(cuts_for({}, 3), (Cuts{0, 33, 66, 100}));
}

TEST(Cuts, ThicknessIsGivenFromTheNearestPlace) {
    EXPECT_EQ(with_thickness({0, 0, 0, 100}, 5), (Cuts{0, 5, 10, 100}));
    EXPECT_EQ(with_thickness({0, 100, 100, 100}, 5), (Cuts{0, 90, 95, 100}));
    EXPECT_EQ(with_thickness({0, 40, 42, 100}, 5), (Cuts{0, 40, 45, 100}));
    EXPECT_EQ(with_thickness({0, 40, 60, 100}, 5), (Cuts{0, 40, 60, 100}));
    EXPECT_EQ(with_thickness({0, 0, 0, 10}, 50), (Cuts{0, 3, 6, 10}));  // no more than there is
    EXPECT_EQ(with_thickness({0, 3, 3, 3}, 0), (Cuts{0, 1, 2, 3}));
    EXPECT_EQ(with_thickness({0, 9}, 50), (Cuts{0, 9}));
}

TEST(Cuts, TheCostOfSlabsIsThatOfAllRanks) {
    run_ranks(3, [](Exchange& exchange) {
        const std::vector<double> xs{10.5 + exchange.rank(), 80.5};
        const CostProfile profile(hundred_slices(), at(xs), 10 * (exchange.rank() + 1));
        EXPECT_EQ(cost_of_slabs(exchange, profile, Cuts{0, 11, 12, 100}),
                  (std::vector<std::int64_t>{5, 10, 45}));
    });
}

/// All particles of a gas at volume fraction 0.2 in a quarter of the box, 240 slices wide.
System quarter_gas() {
    return Scenario("gas in a quarter of the box")
        .periodic({480, 6, 6})
        .timestep(0.05)
        .gas_between({}, {120, 6, 6}, {{0.5, 1, 1650}}, 11)
        .system();
}

struct Balanced {
    std::vector<std::int64_t> owned, searches;  ///< per rank, at the end; searches in the last step
    BalanceStatistics statistics;
    Particles particles;
};

double imbalance(const std::vector<std::int64_t>& work) {
    const double sum = static_cast<double>(std::accumulate(work.begin(), work.end(), std::int64_t{0}));
    return static_cast<double>(*std::max_element(work.begin(), work.end())) *
           static_cast<double>(work.size()) / sum;
}

/// Counts as work what the engine searches for: owned particles, copies, and contacts.
Balanced run_balanced(const System& system, int num_ranks, int num_steps, bool starts_even,
                      BalanceOptions options = {.shortest_interval = 8}) {
    Balanced result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        Balancer balancer(exchange, test::slice_grid_of(system), options);
        Particles mine = exchange.rank() == 0 ? system.particles : Particles{};
        if (!starts_even) balancer.start(mine, 1);
        test::RankStepper stepper(balancer.exchange(), system, balancer.slabs());
        std::int64_t searches = 0;
        for (int step = 0; step < num_steps; ++step) {
            const auto before = stepper->statistics().engine.num_searches;
            stepper->run(mine, static_cast<std::uint64_t>(step), system.dt);
            searches = static_cast<std::int64_t>(stepper->statistics().engine.num_searches - before);
            if (balancer.end_step(mine, 1e-6 * static_cast<double>(searches), stepper->halo_width()))
                stepper->set_slabs(balancer.slabs());
        }
        const std::int64_t owned = std::ssize(mine.motion);
        const auto all_owned = gather_records<std::int64_t>(exchange, std::span(&owned, 1));
        const auto all_searches = gather_records<std::int64_t>(exchange, std::span(&searches, 1));
        const Particles all = gather_particles(exchange, mine);
        if (exchange.rank() == 0) result = {all_owned, all_searches, balancer.statistics(), all};
    });
    return result;
}

/// A gas in a quarter of the box.
TEST(Balance, SharesAQuarterAfterAFewMoves) {
    const System system = quarter_gas();
    for (const int num_ranks : {2, 3, 4}) {
        const Balanced run = run_balanced(system, num_ranks, 60, true);
        EXPECT_GT(run.statistics.first_imbalance, 0.7 * num_ranks) << num_ranks << " ranks";
        EXPECT_LT(imbalance(run.searches), 1.1) << num_ranks << " ranks";
        EXPECT_LT(run.statistics.latest_imbalance, 1.1) << num_ranks << " ranks";
        EXPECT_GE(run.statistics.num_moves, 1u);
        EXPECT_LE(run.statistics.num_moves, 5u);
    }
}

/// A start in a quarter of the box has equal slabs from the first step.
TEST(Balance, SharesAStartInAQuarterAtOnce) {
    const System system = quarter_gas();
    for (const int num_ranks : {2, 4}) {
        const Balanced run = run_balanced(system, num_ranks, 1, false);
        EXPECT_LT(imbalance(run.owned), 1.1) << num_ranks << " ranks";
    }
}

TEST(Balance, MovesChangeNoBit) {
    const System system = quarter_gas();
    const Balanced one = run_balanced(system, 1, 40, true);
    EXPECT_EQ(one.statistics.num_checks, 0u);
    for (const int num_ranks : rank_counts) {
        const Balanced run = run_balanced(system, num_ranks, 40, true, {.shortest_interval = 2});
        EXPECT_EQ(test::first_difference(one.particles, run.particles), "") << num_ranks << " ranks";
        EXPECT_GE(run.statistics.num_moves, 1u) << num_ranks << " ranks";
    }
}

/// The balancer's answers to a made-up cost: `density(x)` per particle, 20 particles per slice.
std::vector<Cuts> answers_to(int num_ranks, int num_steps, const std::function<double(double, int)>& cost,
                             double halo_width = 1) {
    std::vector<double> xs;
    for (int k = 0; k < 2000; ++k) xs.push_back(0.05 * k + 0.01);
    std::vector<Cuts> answers;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        Balancer balancer(exchange, hundred_slices(), {.shortest_interval = 4});
        for (int step = 0; step < num_steps; ++step) {
            std::vector<double> mine;
            double work = 0;
            for (const double x : xs) {
                if (balancer.slabs().owner(x) != exchange.rank()) continue;
                mine.push_back(x);
                work += cost(x, step);
            }
            if (!balancer.end_step(at(mine), work, halo_width) || exchange.rank() != 0) continue;
            answers.emplace_back();
            for (int r = 0; r < num_ranks; ++r)
                answers.back().push_back(std::llround(balancer.slabs().low(r)));
        }
    });
    return answers;
}

TEST(Balance, LeavesAloneWhatIsEvenUpToNoise) {
    const auto noisy = [](double x, int step) {
        const auto seed = static_cast<std::uint64_t>(10 * x) / 100 + 1000 * static_cast<std::uint64_t>(step);
        return 1e-4 * (1 + 0.08 * test::HashRandom(seed).uniform(-1, 1));
    };
    EXPECT_TRUE(answers_to(5, 2000, noisy).empty());
}

TEST(Balance, SettlesOnAGradient) {
    const auto answers = answers_to(4, 400, [](double x, int) { return 1e-6 * (1 + 0.09 * x); });
    ASSERT_FALSE(answers.empty());
    EXPECT_LE(answers.size(), 6u);
    // Equal areas under 1 + 0.09 x up to 100: 137.5 each.
    const Cuts expected{0, 45, 67, 85};
    for (std::size_t r = 1; r < 4; ++r) EXPECT_NEAR(double(answers.back()[r]), double(expected[r]), 3);
}

double in_one_slice(double x, int) { return x > 50 && x < 51 ? 1e-3 : 1e-7; }

TEST(Balance, WhatCannotBeEvenIsSoonLeftInPeace) {
    const auto answers = answers_to(4, 6'000, in_one_slice);
    EXPECT_GE(answers.size(), 1u);
    EXPECT_LE(answers.size(), 15u);
}

/// Where three or more ranks share it.
TEST(Balance, KeepsSlabsAsThickAsTheHalo) {
    const auto least_width = [](Cuts cuts) {
        cuts.push_back(100);
        std::int64_t least = 100;
        for (std::size_t r = 0; r + 1 < cuts.size(); ++r) least = std::min(least, cuts[r + 1] - cuts[r]);
        return least;
    };
    for (const Cuts& cuts : answers_to(4, 200, in_one_slice, 10)) EXPECT_GE(least_width(cuts), 12);
    for (const Cuts& cuts : answers_to(2, 200, in_one_slice, 10)) EXPECT_GE(least_width(cuts), 1);
}

TEST(Balance, OneRankOrEvenSlabsCostNothing) {
    run_ranks(2, [](Exchange& exchange) {
        Balancer balancer(exchange, hundred_slices(), {.has_moving_cuts = false, .shortest_interval = 1});
        balancer.start(at({1, 2, 3}), 1);
        for (int step = 0; step < 100; ++step) {
            EXPECT_FALSE(balancer.measures_next());
            EXPECT_FALSE(balancer.end_step(at({1, 2, 3}), 1.0 + exchange.rank(), 1));
        }
        EXPECT_EQ(balancer.exchange().traffic().num_collectives, 0u);
        EXPECT_EQ(balancer.slabs().low(1), 50);
    });
}

/// A gas in a box with walls along x, or without, run with other cuts in every step.
void expect_random_cuts_change_no_bit(const Box& box, const test::Drive& drive, int num_ranks) {
    Scenario gas =
        Scenario("gas").box(box).timestep(0.1).steps(6).gas({{0.5, 1, 150}, {0.8, 3, 20}}, 31).driven(drive);
    const test::SlabRun expected = gas.on_ranks(1);
    ASSERT_EQ(expected.error, "");
    EXPECT_GT(expected.contacts.size(), 20u);
    EXPECT_EQ(test::first_difference(expected, gas.moving_cuts(77).on_ranks(num_ranks)), "")
        << num_ranks << " ranks";
}

/// They are moved in every step.
TEST(Balance, RandomCutsChangeNoBit) {
    for (const Box& box : {test::periodic_box({24, 6, 6}), test::walled_box({24, 6, 6}, {1})})
        for (const int num_ranks : rank_counts) {
            expect_random_cuts_change_no_bit(box, test::ballistic(), num_ranks);
            expect_random_cuts_change_no_bit(box, test::brownian(0.7, 3), num_ranks);
        }
}

}  // namespace
}  // namespace ricochet
