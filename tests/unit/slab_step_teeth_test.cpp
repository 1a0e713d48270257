// SPDX-License-Identifier: BSD-3-Clause
//
// What the same bits on any number of ranks rest on: without it the bits differ, and tests would fail.
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "slabs/slab_step.hpp"
#include "tests/support/passing_exchange.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::run_on_threads;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

/// Leaves out the contacts that the ranks tell each other about: what the exchange is there to prevent.
class DeafExchange final : public test::PassingExchange {
  public:
    using PassingExchange::PassingExchange;
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override {
        PassingExchange::swap_messages(phase, neighbours, outgoing, incoming);
        if (phase != MessagePhase::events) return;
        for (Bytes& message : incoming) message.resize(sizeof(FaceBounds));
    }
};

TEST(SlabStep, WithoutTheExchangeTheBitsDiffer) {
    System system = test::equal_gas(3, 2000, 0.3, 10);
    system.dt = 0.1;
    const SlabRun expected = run_on_threads(1, system, {});
    for (const int num_ranks : {2, 3, 7}) {
        SlabRun deaf;
        test::run_ranks(num_ranks, [&](Exchange& exchange) {
            DeafExchange ears(exchange);
            SlabRun run = test::run_on_slabs(ears, system, {});
            if (exchange.rank() == 0) deaf = std::move(run);
        });
        EXPECT_NE(first_difference(expected, deaf), "") << num_ranks << " ranks";
    }
}

TEST(SlabStep, WithoutGenerationsTheBitsDiffer) {
    const System system = test::touching_cluster(5, 600);
    const SlabRun expected = run_on_threads(1, system, {});
    SlabRunSettings settings;
    settings.engine.use_generations = false;
    EXPECT_NE(first_difference(expected, run_on_threads(1, system, settings)), "");
}

}  // namespace
}  // namespace ricochet
