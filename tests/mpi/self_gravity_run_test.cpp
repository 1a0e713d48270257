// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity in the time loop: how often forces are found, and what a run tells of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "ricochet/run/simulation.hpp"
#include "run/report.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

std::string attracting(const std::string& more, int num_steps = 200) {
    return "box: {size: [16, 10, 10], boundary: reflecting}\n"
           "species: [{name: a, radius: 0.5, mass: 1, count: 60}, {name: b, radius: 0.4, mass: 2, count: "
           "20}]\n"
           "dynamics: {type: ballistic, kT: 1}\n" +
           more + "run: {timestep: 0.01, steps: " + std::to_string(num_steps) +
           "}\noutput: {file: none.h5md, trajectory_every: 20, observables_every: 3}\n";
}

GravityStatistics statistics_of(const std::string& text) {
    MpiRanks exchange;
    const Config config = parse_config(text, "input.yaml");
    Listener listener;
    Simulation simulation(exchange, config, listener);
    Keeper keeper;
    simulation.run(keeper);
    return simulation.gravity_statistics();
}

/// Through samples, sorts and cuts that move.
TEST(RanksSelfGravity, FindsForcesOncePerStep) {
    EXPECT_EQ(statistics_of(attracting("self_gravity: {constant: 0.1}\n")).num_evaluations, 201u);
    EXPECT_EQ(statistics_of(attracting("self_gravity: {constant: 0.1, method: direct}\n")).num_evaluations,
              201u);
    EXPECT_EQ(statistics_of(attracting("")).num_evaluations, 0u);
}

/// Through faces too.
TEST(RanksSelfGravity, FindsForcesOnceWithImages) {
    std::string text = attracting("self_gravity: {constant: 0.1}\n");
    text.replace(text.find("reflecting"), 10, "periodic");
    EXPECT_EQ(statistics_of(text).num_evaluations, 201u);
}

/// Mergers happen before the forces at the end of their step, decays after them.
TEST(RanksSelfGravity, FindsForcesAnewAfterDecays) {
    const std::string law = "self_gravity: {constant: 0.1}\n";
    EXPECT_EQ(statistics_of(attracting(law + "contacts: {pairs: [{between: [a, a], coalesce: {}}]}\n"))
                  .num_evaluations,
              201u);
    EXPECT_GT(statistics_of(attracting(law + "decays: [{from: b, to: [a], rate: 2}]\n")).num_evaluations,
              201u);
}

TEST(RanksSelfGravity, KicksInTheEquilibration) {
    const std::string text = attracting("self_gravity: {constant: 0.1}\n", 0);
    const std::string settled = std::string(text).replace(
        text.find("steps: 0"), 8, "steps: 0, equilibrate: {collisions_per_particle: 0.5}");
    EXPECT_EQ(statistics_of(text).num_evaluations, 1u);  // for the sample at step 0
    EXPECT_GT(statistics_of(settled).num_evaluations, 5u);
}

TEST(RanksSelfGravity, ReportTellsMomentumsDrift) {
    MpiRanks exchange;
    const Config config = parse_config(attracting("self_gravity: {constant: 0.1}\n"), "input.yaml");
    Listener listener;
    Simulation simulation(exchange, config, listener);
    Keeper keeper;
    simulation.run(keeper);
    const RunReport told = report(exchange, config, simulation, {});
    if (exchange.rank() > 0) return;
    EXPECT_THAT(told.text, HasSubstr("gravity: 201 evaluations, each of "));
    EXPECT_THAT(told.text, HasSubstr("; momentum drifts by "));
}

}  // namespace
}  // namespace ricochet::test
