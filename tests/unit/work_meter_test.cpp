// SPDX-License-Identifier: BSD-3-Clause
//
// What is work and what is waiting, and how often ranks talk in a step.
#include "slabs/work_meter.hpp"

#include <gtest/gtest.h>

#include "parallel/collectives.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;
using test::System;

void burn_cpu(double seconds) {
    const double until = thread_cpu_seconds() + seconds;
    while (thread_cpu_seconds() < until) {
    }
}

TEST(WorkMeter, CountsWorkAndNotWaiting) {
    run_ranks(2, [](Exchange& exchange) {
        WorkMeter meter(exchange);
        const bool is_busy = exchange.rank() == 1;
        burn_cpu(0.02);  // not measured
        meter.start();
        for (int k = 0; k < 3; ++k) {
            if (is_busy) burn_cpu(0.02);
            EXPECT_EQ(meter.bit_or(is_busy ? 1 : 0), 1u);
        }
        const double work = meter.stop();
        if (is_busy) {
            EXPECT_GE(work, 0.06);
        } else {
            EXPECT_LT(work, 0.03);
        }
    });
}

/// Of forces that all ranks share alike, with calls of the exchange in it.
TEST(WorkMeter, CountsNoPauses) {
    run_ranks(1, [](Exchange& exchange) {
        WorkMeter meter(exchange);
        meter.start();
        burn_cpu(0.02);
        {
            const WorkMeter::Pause pause(meter);
            burn_cpu(0.06);
            exchange.bit_or(1);
        }
        const double work = meter.stop();
        EXPECT_GE(work, 0.02);
        EXPECT_LT(work, 0.05);
    });
}

/// A rank's calls after the first step, which has one more, and by how much the steps' counters explain them.
TEST(WorkMeter, CountsCollectivesOfSteps) {
    System system = test::equal_gas(3, 800, 0.3, 13);
    system.dt = 0.1;
    for (const int num_ranks : {1, 2, 3})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            WorkMeter meter(exchange);
            test::RankStepper stepper(meter, system, test::even_slabs(system, exchange.size()));
            Particles mine = exchange.rank() == 0 ? system.particles : Particles{};
            stepper->run(mine, 0, system.dt);
            const Traffic first = meter.traffic();
            const SlabStepStatistics before = stepper->statistics();
            constexpr std::uint64_t num_steps = 5;
            for (std::uint64_t step = 1; step <= num_steps; ++step) stepper->run(mine, step, system.dt);
            const SlabStepStatistics after = stepper->statistics();
            ASSERT_EQ(after.num_redone, before.num_redone);
            const std::uint64_t num_rounds = after.num_rounds - before.num_rounds;
            EXPECT_GE(num_rounds, num_steps);
            EXPECT_EQ(meter.traffic().num_collectives - first.num_collectives, num_steps + num_rounds);
            const auto num_neighbours = static_cast<std::uint64_t>(num_ranks - 1);
            // Migration and halo, and the events of each round.
            EXPECT_EQ(meter.traffic().num_messages - first.num_messages,
                      num_neighbours * (2 * num_steps + num_rounds));
        });
}

}  // namespace
}  // namespace ricochet
