// SPDX-License-Identifier: BSD-3-Clause
//
// How many steps a measurement does, and what the whole run is said to take. No test asks how fast a machine is.
#include "run/measured_speed.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

Config gas(const std::string& run, const std::string& more = "") {
    return parse_config(
        "box: {size: [16, 8, 8]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 200}]\n"
        "dynamics: {type: ballistic, kT: 1}\n" +
            more + "run: {timestep: 0.1, " + run +
            "}\noutput: {observables_every: 50, trajectory_every: 0, collisions: none}\n",
        "input.yaml");
}

TEST(MeasuredSpeed, DoesAllStepsOfAShortRun) {
    MpiRanks world;
    const MeasuredSpeed measured = measure_speed(world, gas("steps: 30"), false);
    EXPECT_EQ(measured.num_ranks, world.size());
    EXPECT_EQ(measured.num_steps, 30u);
    EXPECT_GT(measured.seconds_per_step, 0);
    EXPECT_GT(measured.seconds_per_sample, 0);
    EXPECT_EQ(measured.num_equilibration_steps, 0);
    EXPECT_EQ(measured.share_to_come, 1);
}

/// All ranks end at the same step, and the rest of the annihilation goes on from the numbers there.
TEST(MeasuredSpeed, EndsALongRunTogether) {
    const std::string annihilation =
        "contacts: {pairs: [{between: [ball, ball], react: {to: [], probability: 1e-7}}]}\n";
    MpiRanks world;
    const MeasuredSpeed measured = measure_speed(world, gas("steps: 500000000", annihilation), false);
    double steps = static_cast<double>(measured.num_steps);
    world.max(std::span(&steps, 1));
    EXPECT_EQ(static_cast<double>(measured.num_steps), steps);
    EXPECT_GE(measured.num_steps, 20u);
    EXPECT_LT(measured.num_steps, 50'000'000u);
    EXPECT_GT(measured.share_to_come, 0.1);
    EXPECT_LT(measured.share_to_come, 0.9);
}

TEST(MeasuredSpeed, TellsEquilibrationsFromContacts) {
    MpiRanks world;
    const auto steps = [&](const std::string& more, bool melts) {
        return measure_speed(world, gas("steps: 20" + more), melts).num_equilibration_steps;
    };
    EXPECT_FALSE(steps("", true));
    const auto one = steps(", equilibrate: {collisions_per_particle: 1}", false);
    const auto five = steps(", equilibrate: {collisions_per_particle: 5}", false);
    ASSERT_TRUE(one && five);
    EXPECT_NEAR(*five / *one, 5, 1e-9);
    EXPECT_GT(*one, 2);
    EXPECT_LT(*one, 20);
}

TEST(MeasuredSpeed, MakesTheTimeOfTheRun) {
    MeasuredSpeed measured;
    measured.num_steps = 20;
    measured.start_seconds = 1;
    measured.done_seconds = 5;
    measured.seconds_per_step = 0.2;
    measured.seconds_per_sample = 0.01;
    measured.num_equilibration_steps = 10;
    measured.share_to_come = 0.5;
    // 1 + 10/20 5 + 5 + 80 0.2 0.5, and samples at steps 0, 50 and 100
    EXPECT_NEAR(seconds_of_run(gas("steps: 100"), measured), 16.53, 1e-12);
}

/// A run of few particles takes the launch, and 1 ms per frame; the log ends with its budget.
TEST(MeasuredSpeed, AddsTheWritingOfResults) {
    MeasuredSpeed measured;
    RunPlan plan;
    plan.num_frames = 65;
    plan.bytes_per_frame = 420;
    Config config = gas("steps: 100");
    EXPECT_NEAR(seconds_of_writing(config, plan, measured), 0.145, 0.001);
    measured.num_contacts = 1e12;
    plan.bytes_per_contact = 100;
    config.output.collision_byte_budget = 1'000'000'000;
    EXPECT_NEAR(seconds_of_writing(config, plan, measured), 2.145, 0.001);
    config.output.compression = OutputCompression::gzip;
    plan.bytes_per_frame = 1'000'000;
    EXPECT_NEAR(seconds_of_writing(config, plan, measured), 3.445, 0.001);
}

}  // namespace
}  // namespace ricochet::test
