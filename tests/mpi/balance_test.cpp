// SPDX-License-Identifier: BSD-3-Clause
//
// Moving cuts in whole runs. That they even out the work is tested with counted work in
// tests/unit/balance_test.cpp; here are the start, whatever it is placed from, and the bits.
#include "slabs/balance.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "parallel/collectives.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"
#include "tests/support/observe.hpp"

namespace ricochet::test {
namespace {

/// Spheres of radius 0.5, shaken, in the first quarter of a box 240 long.
void write_quarter(const std::string& path) {
    std::ofstream file(path);
    file << "x,y,z\n";
    HashRandom random(3);
    for (int k = 0; k < 40 * 16; ++k) {
        file << 1.5 * (k / 16) + random.uniform(0, 0.4) + 0.05;
        file << ',' << 1.5 * (k / 4 % 4) + 0.7 << ',' << 1.5 * (k % 4) + 0.7 << '\n';
    }
}

std::string quarter_input(const std::string& path, const std::string& run) {
    return "box: {size: [240, 6, 6]}\nspecies: [{name: ball, radius: 0.5, mass: 1}]\n"
           "placement: {method: file, path: " +
           path + "}\ndynamics: {type: ballistic, kT: 1, velocities: maxwell}\nrun: {" + run +
           "}\noutput: {file: none.h5md, trajectory_every: 10, observables_every: 10}\n";
}

/// A file with all particles in a quarter of the box is shared evenly from the first step.
TEST(RanksBalance, SharesAStartInAQuarterAtOnce) {
    MpiRanks ranks;
    const TemporaryFolder folder(ranks);
    const std::string path = folder.file("start.csv");
    if (ranks.rank() == 0) write_quarter(path);
    ranks.barrier();
    const KeptRun run = run_input(quarter_input(path, "timestep: 0.05, steps: 1"));
    const auto most = max_of_ranks(ranks, run.num_owned);
    EXPECT_LE(static_cast<double>(most), 1.2 * 640 / ranks.size() + 16);
    const KeptRun even = run_input(quarter_input(path, "timestep: 0.05, steps: 1, balance: even"));
    const auto most_even = max_of_ranks(ranks, even.num_owned);
    EXPECT_GE(static_cast<double>(most_even), 640.0 * std::min(1.0, 4.0 / ranks.size()) - 32);
}

TEST(RanksBalance, MovingCutsChangeNoBitOfARun) {
    MpiRanks ranks;
    const TemporaryFolder folder(ranks);
    const std::string path = folder.file("start.csv");
    if (ranks.rank() == 0) write_quarter(path);
    ranks.barrier();
    const std::string run = "timestep: 0.1, steps: 150, equilibrate: {collisions_per_particle: 1}";
    const KeptRun measured = run_input(quarter_input(path, run + ", balance: measured"));
    const KeptRun even = run_input(quarter_input(path, run + ", balance: even"));
    const Particles one = gather_particles(ranks, measured.kept.latest_frame);
    const Particles other = gather_particles(ranks, even.kept.latest_frame);
    EXPECT_EQ(first_difference(one, other), "");
    EXPECT_EQ(measured.totals.num_collisions, even.totals.num_collisions);
    ASSERT_EQ(measured.kept.samples.size(), even.kept.samples.size());
    for (std::size_t k = 0; k < even.kept.samples.size(); ++k)
        EXPECT_EQ(measured.kept.samples[k].values.energy, even.kept.samples[k].values.energy);
}

}  // namespace
}  // namespace ricochet::test
