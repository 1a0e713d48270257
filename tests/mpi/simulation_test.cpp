// SPDX-License-Identifier: BSD-3-Clause
//
// The time loop on all ranks, without files. That results have the same bits for any number of ranks is
// compared on whole files in tests/system; here are the parts that a file does not show.
#include "ricochet/run/simulation.hpp"
#include "run/equilibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/serialization/vector.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/ballistic.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "run/heartbeat.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

using testing::StartsWith;

const std::string box_and_species =
    "box: {size: [16, 6, 6]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 150}]\n";
const std::string output = "output: {file: none.h5md, trajectory_every: 4, observables_every: 3}\n";

KeptRun run_gas(const std::string& run) {
    return run_input(box_and_species + "dynamics: {type: ballistic, kT: 1}\n" + "run: {" + run + "}\n" +
                     output);
}

std::uint64_t sum_over_ranks(std::uint64_t mine) {
    MpiRanks world;
    return sum_of_ranks(world, mine);
}

TEST(Simulation, RecordsTheStartWhatIsDueAndTheEnd) {
    const KeptRun run = run_gas("timestep: 0.1, steps: 10");
    EXPECT_EQ(run.kept.frame_steps, (std::vector<std::uint64_t>{0, 4, 8, 10}));
    std::vector<std::uint64_t> steps;
    for (const KeptSample& sample : run.kept.samples) steps.push_back(sample.step);
    EXPECT_EQ(steps, (std::vector<std::uint64_t>{0, 3, 6, 9, 10}));
    EXPECT_EQ(run.kept.last_contact_step, 9u);
    EXPECT_EQ(sum_over_ranks(run.kept.latest_frame.size()), 150u);
}

TEST(Simulation, SamplesAreTheSameOnAllRanks) {
    const KeptRun run = run_gas("timestep: 0.1, steps: 10");
    MpiRanks world;
    for (const KeptSample& sample : run.kept.samples)
        EXPECT_EQ(sample.values.energy, value_of_root(world, sample.values.energy));
}

TEST(Simulation, EveryContactIsReportedOnce) {
    const KeptRun run = run_gas("timestep: 0.1, steps: 10");
    const auto reported = static_cast<std::int64_t>(sum_over_ranks(run.kept.num_contacts));
    EXPECT_EQ(reported, run.totals.num_collisions);
    EXPECT_EQ(reported, run.kept.samples.back().values.contacts.at(0, 0));
    EXPECT_GT(reported, 100);
}

TEST(Simulation, EquilibrationIsNotRecorded) {
    const KeptRun run = run_gas("timestep: 0.1, steps: 0, equilibrate: {collisions_per_particle: 3}");
    EXPECT_EQ(run.totals.num_collisions, 0);
    ASSERT_EQ(run.kept.samples.size(), 1u);
    EXPECT_EQ(run.kept.samples[0].values.mean_square_displacement[0], 0);
    const KeptRun still = run_gas("timestep: 0.1, steps: 0");
    bool has_moved = false;
    for (std::size_t k = 0; k < std::min(still.num_owned, run.num_owned); ++k)
        has_moved = has_moved ||
                    run.kept.latest_frame.motion[k].position != still.kept.latest_frame.motion[k].position;
    EXPECT_TRUE(sum_over_ranks(has_moved ? 1 : 0) > 0);
}

/// Adds (2, 0, 0) to the velocity before the drift, and halves it afterwards.
class KickAndDecay final : public Drive {
    void before_drift(Particles& owned, DrivenStep) const override {
        for (Motion& motion : owned.motion) motion.velocity.x += 2;
    }
    void after_drift(Particles& owned, DrivenStep) const override {
        for (Motion& motion : owned.motion) motion.velocity = 0.5 * motion.velocity;
    }
};

void add_kick_and_decay(Simulation& simulation) { simulation.add(std::make_unique<KickAndDecay>()); }

/// Points fly from rest over faces of slabs: v -> (v + 2) / 2, while x grows by (v + 2) dt.
TEST(Simulation, DrivesActOncePerStep) {
    const std::string points =
        "box: {size: [16, 6, 6]}\nspecies: [{name: dot, radius: 1e-8, mass: 1, count: 40}]\n"
        "dynamics: {type: ballistic, kT: 1e-100}\nrun: {timestep: 1, steps: 3}\n" +
        output;
    const KeptRun run = run_input(points, add_kick_and_decay);
    EXPECT_LT(std::abs(run.kept.samples[0].values.momentum.x), 1e-40);
    EXPECT_EQ(run.kept.samples.back().values.momentum.x, 40 * 1.75);
    EXPECT_NEAR(run.kept.samples.back().values.mean_square_displacement[0], 8.5 * 8.5, 1e-12);
}

TEST(Simulation, DrivesActInTheEquilibration) {
    const std::string gas = box_and_species + "dynamics: {type: ballistic, kT: 1}\n";
    const std::string run = "run: {timestep: 0.1, steps: 0, equilibrate: {collisions_per_particle: 1}}\n";
    const KeptRun driven = run_input(gas + run + output, add_kick_and_decay);
    EXPECT_GT(driven.kept.samples[0].values.momentum.x, 149);
}

/// Keeps the numbers of the steps that it is called for.
class StepList final : public Drive {
  public:
    using Steps = std::vector<std::pair<std::uint64_t, bool>>;  ///< number, whether recorded
    StepList(Steps& before, Steps& after) : before_(before), after_(after) {}
    void before_drift(Particles&, DrivenStep step) const override {
        before_.emplace_back(step.number, step.is_recorded);
    }
    void after_drift(Particles&, DrivenStep step) const override {
        after_.emplace_back(step.number, step.is_recorded);
    }

  private:
    Steps& before_;
    Steps& after_;
};

/// Keeps the ends of steps at which it is asked.
class EndList final : public Interruptions {
  public:
    Interruption ask(const StepEnd& end) override {
        ends.push_back(end);
        return Interruption::none;
    }
    std::vector<StepEnd> ends;
};

/// Equilibration and recording each begin with step 0, drive every step, and ask before it and at the end.
TEST(Simulation, BothStagesHaveOneTimeLoop) {
    const Config config = parse_config(box_and_species +
                                           "dynamics: {type: ballistic, kT: 1}\n"
                                           "run: {timestep: 0.1, steps: 3, equilibrate: "
                                           "{collisions_per_particle: 2}}\n" +
                                           output,
                                       "test.yaml");
    MpiRanks exchange;
    Listener listener;
    Simulation simulation(exchange, config, listener);
    StepList::Steps before, after;
    simulation.add(std::make_unique<StepList>(before, after));
    Keeper keeper;
    EndList asked;
    EXPECT_EQ(simulation.run(keeper, asked), RunEnd::finished);
    const auto num_equilibration = static_cast<std::uint64_t>(
        std::count_if(before.begin(), before.end(), [](auto s) { return !s.second; }));
    EXPECT_GT(num_equilibration, 2u);
    StepList::Steps expected;
    for (std::uint64_t step = 0; step < num_equilibration; ++step) expected.emplace_back(step, false);
    for (std::uint64_t step = 0; step < 3; ++step) expected.emplace_back(step, true);
    EXPECT_EQ(before, expected);
    EXPECT_EQ(after, expected);
    ASSERT_EQ(asked.ends.size(), num_equilibration + 1 + 4);
    for (std::size_t k = 0; k < asked.ends.size(); ++k) {
        const bool is_recorded = k > num_equilibration;
        EXPECT_EQ(asked.ends[k].is_recorded, is_recorded);
        EXPECT_EQ(asked.ends[k].step, is_recorded ? k - num_equilibration - 1 : k);
        EXPECT_EQ(asked.ends[k].is_last, k + 1 == asked.ends.size());
    }
}

TEST(Simulation, EquilibrationOfWhatNeverMeetsEnds) {
    const KeptRun run = run_input(
        "box: {size: [16, 6, 6]}\nspecies: [{name: ball, radius: 0.01, mass: 1, count: 1}]\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.01, steps: 1, equilibrate: {collisions_per_particle: 1}}\n" +
        output);
    EXPECT_EQ(std::count(run.monitor.notes.begin(), run.monitor.notes.end(),
                         "equilibration ended: nothing has met for 1,000 steps"),
              1);
}

/// Stops at the first step.
class AtOnce final : public Interruptions {
    Interruption ask(const StepEnd&) override { return Interruption::stop; }
};

/// Stopped in its equilibration, it has no statistics of steps.
TEST(Simulation, StoppedEarlyHasNoStatistics) {
    const Config config = parse_config(box_and_species +
                                           "dynamics: {type: ballistic, kT: 1}\n"
                                           "run: {timestep: 0.1, steps: 5, equilibrate: "
                                           "{collisions_per_particle: 3}}\n" +
                                           output,
                                       "test.yaml");
    MpiRanks exchange;
    Listener listener;
    Simulation simulation(exchange, config, listener);
    Keeper keeper;
    AtOnce at_once;
    EXPECT_EQ(simulation.run(keeper, at_once), RunEnd::stopped);
    EXPECT_FALSE(simulation.is_recording());
    EXPECT_EQ(simulation.step_statistics().num_steps, 0u);
    EXPECT_EQ(simulation.step_statistics().most_rounds, 0u);
    EXPECT_EQ(simulation.balance_statistics().num_checks, 0u);
    EXPECT_TRUE(keeper.samples.empty());
}

/// Whether foreseen by theory or counted, as of inelastic particles: once.
TEST(Simulation, StepsWithManyContactsAreNoted) {
    const auto num_notes = [](const std::string& contacts, const std::string& timestep) {
        const KeptRun run = run_input(
            "box: {size: [16, 6, 6]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 480}]\n"
            "dynamics: {type: ballistic, kT: 1}\ncontacts: {" +
            contacts + "}\nrun: {timestep: " + timestep + ", steps: 4}\n" + output);
        return std::count_if(run.monitor.notes.begin(), run.monitor.notes.end(), [](const std::string& note) {
            return note.starts_with("run.timestep: got 0.2, with about ");
        });
    };
    EXPECT_EQ(num_notes("restitution: 1", "0.2"), 1);
    EXPECT_EQ(num_notes("restitution: 0.99", "0.2"), 1);
    EXPECT_EQ(num_notes("restitution: 1", "0.02"), 0);
}

/// A Maxwell start has no momentum, and equal speeds are equal.
TEST(Simulation, StartsWithTheVelocitiesAskedFor) {
    const KeptRun maxwell = run_gas("timestep: 0.1, steps: 0");
    EXPECT_LT(norm(maxwell.kept.samples[0].values.momentum), 1e-12);
    EXPECT_NEAR(maxwell.kept.samples[0].values.temperature, 1, 1e-14);
    const KeptRun equal =
        run_input(box_and_species + "dynamics: {type: ballistic, kT: 2, velocities: equal_speed}\n" +
                  "run: {timestep: 0.1, steps: 0}\n" + output);
    EXPECT_NEAR(equal.kept.samples[0].values.energy, 3 * 150 * 2 / 2.0, 1e-11);
    for (const Motion& motion : equal.kept.latest_frame.motion)
        EXPECT_NEAR(norm(motion.velocity), std::sqrt(6.0), 1e-14);
}

std::string a_few_in(const std::string& boundary, int count) {
    return "box: {size: [16, 6, 6], boundary: " + boundary +
           "}\nspecies: [{name: ball, radius: 0.5, mass: 2, count: " + std::to_string(count) +
           "}]\ndynamics: {type: ballistic, kT: 3}\nrun: {timestep: 0.01, steps: 0}\n" + output;
}

/// A Maxwell start between walls has its temperature, and keeps its drift along their axis.
TEST(Simulation, KeepsTheDriftBetweenWalls) {
    const ObservableSample start =
        run_input(a_few_in("[periodic, reflecting, periodic]", 7)).kept.samples[0].values;
    EXPECT_NEAR(start.temperature, 3, 1e-13);
    EXPECT_NEAR(start.momentum.x, 0, 1e-12);
    EXPECT_GT(std::abs(start.momentum.y), 1e-3);
    EXPECT_NEAR(start.momentum.z, 0, 1e-12);
}

/// A single particle keeps the velocity that it has drawn.
TEST(Simulation, KeepsTheVelocityOfASingleOne) {
    const KeptRun run = run_input(a_few_in("periodic", 1));
    const Vec3 expected = initial_velocity(InitialVelocities::maxwell, 3, 2, 3, run.config.run.seed, 0);
    EXPECT_EQ(run.kept.samples[0].values.momentum, 2 * expected);
}

/// Brownian frames have effective masses and velocities from the start.
TEST(Simulation, WritesBrownianMassesAndVelocities) {
    const KeptRun run = run_input(
        "box: {size: [16, 6, 6]}\nspecies: [{name: ball, radius: 0.5, diffusion: 0.25, count: 100}]\n"
        "dynamics: {type: brownian, kT: 3}\nrun: {timestep: 0.01, steps: 2}\n" +
        output);
    for (const Attributes& a : run.kept.latest_frame.attributes) EXPECT_EQ(a.mass, 3 * 0.01 / (2 * 0.25));
    EXPECT_NEAR(run.kept.samples[0].values.temperature, 3, 5 * 3 * std::sqrt(2 / 300.0));
}

TEST(Simulation, TakesStepsOfAnyLength) {
    const KeptRun run = run_gas("timestep: 5, steps: 2");
    EXPECT_EQ(run.totals.num_steps, 2u);
    EXPECT_GT(run.totals.num_collisions, 1000);
}

TEST(Simulation, RefusesOnAllRanksWhatCannotStart) {
    EXPECT_THROW(
        run_input("box: {size: [16, 6, 6]}\nspecies: [{name: b, radius: 0.5, diffusion: 1, count: 9}]\n"
                  "dynamics: {type: brownian, kT: 1}\nrun: {timestep: 5, steps: 1}\n" +
                  output),
        InputError);
    EXPECT_THROW(run_input("box: {size: [16, 6, 6]}\nspecies: [{name: b, radius: 0.5, mass: 1}]\n"
                           "placement: {method: file, path: nothing.csv}\n"
                           "dynamics: {type: ballistic}\nrun: {timestep: 1, steps: 1}\n" +
                           output),
                 InputError);
}

TEST(Heartbeat, BeatsAtTheSameStepsOnAllRanks) {
    MpiRanks exchange;
    Heartbeat heartbeat(exchange, 1e-4);
    std::vector<std::uint64_t> beats;
    for (std::uint64_t step = 1; step < 2000; ++step) {
        if (!heartbeat.is_due(step)) continue;
        heartbeat.beat(step);
        beats.push_back(step);
    }
    std::vector<std::uint64_t> of_root = beats;
    broadcast_records(exchange, of_root);
    EXPECT_EQ(beats, of_root);
    ASSERT_GE(beats.size(), 3u);
    EXPECT_EQ(beats.front(), 1u);
    for (std::size_t k = 2; k < beats.size(); ++k)
        EXPECT_LE(beats[k] - beats[k - 1], 2 * (beats[k - 1] - beats[k - 2]));
}

}  // namespace
}  // namespace ricochet::test
