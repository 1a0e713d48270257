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

/// A product that falls, wider than the gap between two bodies.
System caught_under_gravity() {
    System system = system_of("caught", walled_box({4, 4, 4}), 0.1, {{0.3, 1}, {0.05, 1}});
    set_pair(*system.world, 1, 1, React{1, only(0)});
    system.world->gravity = {-1, 0, 0};
    system.world->bodies = {{"floor", BodyBox{{1, 1, 1}, {2, 3, 3}}},
                            {"lid", BodyBox{{2.5, 1, 1}, {3, 3, 3}}}};
    add_of_species(system, 0, {2.2, 2, 2});
    return system;
}

TEST(ExhaustedStep, NamesTheBodyAtTheCap) {
    const System system = caught_under_gravity();
    EngineOptions options;
    options.contact_cap = 301;
    FallingRun run(system, options);
    const std::string message = message_of<RunError>([&] { run.step(); });
    EXPECT_NE(message.find("301 contacts"), std::string::npos) << message;
    EXPECT_TRUE(message.find("(latest partner body floor)") != std::string::npos ||
                message.find("(latest partner body lid)") != std::string::npos)
        << message;
    EXPECT_NE(message.find(
                  "where a particle is caught between surfaces, or a wall presses it onto a body, it needs"),
              std::string::npos)
        << message;
}

}  // namespace
}  // namespace ricochet::test
