// SPDX-License-Identifier: BSD-3-Clause
//
// What the report of a run counts, over all ranks.
#include "run/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

const std::string mothers_and_mortals =
    "box: {size: [30, 10, 10]}\n"
    "species:\n"
    "  - {name: mother, radius: 0.3, mass: 1, count: 100}\n"
    "  - {name: daughter, radius: 0.2, mass: 1, count: 0}\n"
    "  - {name: mortal, radius: 0.3, mass: 1, count: 80}\n"
    "dynamics: {type: ballistic, kT: 1}\n"
    "decays:\n"
    "  - {from: mother, to: [mother, daughter], rate: 1}\n"
    "  - {from: mortal, to: [], rate: 1}\n"
    "run: {timestep: 0.05, steps: 20}\n"
    "output: {file: none.h5md, trajectory_every: 20, observables_every: 0, collisions: none}\n";

/// Species by species, though many particles are of one kind, some have ended and others are new.
TEST(RunReport, CountsParticlesBySpecies) {
    const Config config = parse_config(mothers_and_mortals, "input.yaml");
    MpiRanks world;
    Monitor silent;
    Keeper kept;
    Simulation simulation(world, config, silent);
    simulation.run(kept);
    std::array<std::int64_t, 3> counts{};
    for (std::size_t k = 0; k < kept.latest_frame.size(); ++k)
        ++counts.at(kept.latest_frame.attributes[k].species);
    world.sum(counts);
    EXPECT_EQ(counts[0], 100);
    EXPECT_GT(counts[1], 0);
    EXPECT_LT(counts[2], 80);
    const RunReport end = report(world, config, simulation, {});
    if (world.rank() != 0) return;
    EXPECT_THAT(end.text, HasSubstr("particles at the end: 100 mother, " + std::to_string(counts[1]) +
                                    " daughter, " + std::to_string(counts[2]) + " mortal\n"));
}

}  // namespace
}  // namespace ricochet::test
