// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in which one rank changes particles more often than it can number: all ranks end together, with a sentence.
#include <gtest/gtest.h>

#include <string>

#include "ricochet/core/error.hpp"
#include "tests/support/falling_run.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

const std::string sentence = "step 0: more contacts on one rank than it can number";

/// Only particles in the lower half move: ranks of the upper half have few contacts, or none.
System half_at_rest() {
    System system = equal_gas(3, 600, 0.25, 77);
    for (Motion& motion : system.particles.motion)
        if (motion.position.x > 0.5 * system.box.size.x) motion.velocity = {};
    system.dt = 0.2;
    return system;
}

TEST(ExhaustedStep, EndsOnAllRanksTogether) {
    const System system = half_at_rest();
    for (const TestedSearch& search : search_choices)
        for (int num_ranks = 1; num_ranks <= 4; ++num_ranks) {
            SlabRunSettings settings;
            settings.num_steps = 1;
            settings.engine = options_for(search);
            settings.slabs.num_windows = 4;
            settings.engine.most_changes = 20;
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(run.error.substr(0, sentence.size()), sentence)
                << to_string(search) << " on " << num_ranks << " ranks";
            settings.engine.most_changes = 1'000'000;
            EXPECT_EQ(run_on_threads(num_ranks, system, settings).error, "");
        }
}

TEST(ExhaustedStep, EndsAnEngineByItself) {
    const std::string message =
        message_of<RunError>([] { FallingRun(half_at_rest(), {.most_changes = 20}).step(); });
    EXPECT_EQ(message.substr(0, sentence.size()), sentence);
}

}  // namespace
}  // namespace ricochet::test
