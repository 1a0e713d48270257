// SPDX-License-Identifier: BSD-3-Clause
//
// The promise over MPI: state and contacts have the same bits on however many ranks this program runs. The
// expected results are computed on rank 0, by the all-pairs reference or by one rank between threads;
// tests/unit/slab_step_test.cpp holds the larger part of the cases, which need no MPI.
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

class RanksSlabStep : public testing::Test {
  protected:
    /// Compares on rank 0; all ranks run.
    template <class Expected>
    void expect_bits(const System& system, const SlabRunSettings& settings, Expected expected) {
        if (exchange_.size() > test::slice_grid_of(system).num_slices()) return;
        const SlabRun run = test::run_on_slabs(exchange_, system, settings);
        if (exchange_.rank() != 0) return;
        EXPECT_EQ(first_difference(expected(), run), "")
            << system.name << " on " << exchange_.size() << " ranks";
    }

    void expect_bits_of_reference(const System& system) {
        SlabRunSettings settings;
        settings.num_steps = 2;
        expect_bits(system, settings, [&] { return test::run_reference_to_error(system, settings); });
    }

    void expect_bits_of_one_rank(const System& system, const SlabRunSettings& settings) {
        SlabRunSettings plain = settings;
        plain.slabs.num_windows = 0;
        plain.cuts.clear();
        plain.cuts_of_step = nullptr;
        expect_bits(system, settings, [&] { return test::run_on_threads(1, system, plain); });
    }

    MpiExchange exchange_{boost::mpi::communicator()};
};

TEST_F(RanksSlabStep, HasReferenceBitsOfRandomSystems) {
    for (const System& system : test::random_systems()) expect_bits_of_reference(system);
}

TEST_F(RanksSlabStep, HasReferenceBitsOfHardCases) {
    for (const System& system : test::degenerate_systems()) expect_bits_of_reference(system);
}

TEST_F(RanksSlabStep, AGasHasTheBitsOfOneRank) {
    for (const std::uint64_t num_windows : {0, 1, 5, 40}) {
        System system = test::equal_gas(3, 2000, 0.25, 20);
        system.dt = 0.08;
        SlabRunSettings settings;
        settings.slabs.num_windows = num_windows;
        expect_bits_of_one_rank(system, settings);
    }
}

TEST_F(RanksSlabStep, HasBrownianBitsOfOneRank) {
    System system = test::equal_gas(3, 2000, 0.2, 21);
    system.dt = 0.5;
    SlabRunSettings settings;
    settings.num_steps = 5;
    settings.drive = test::brownian(0.4, 3);
    expect_bits_of_one_rank(system, settings);
}

TEST_F(RanksSlabStep, UnevenCutsHaveTheBitsOfOneRank) {
    System system = test::equal_gas(2, 1500, 0.4, 22);
    system.dt = 0.2;
    SlabRunSettings settings;
    const std::int64_t num_slices = test::slice_grid_of(system).num_slices();
    for (int r = 0; r < exchange_.size(); ++r)
        settings.cuts.push_back(r);  // all but the last one slice thick
    settings.cuts.push_back(num_slices);
    expect_bits_of_one_rank(system, settings);
}

/// Cuts are moved at random in every step.
TEST_F(RanksSlabStep, HasBitsOfOneRankWithMovingCuts) {
    for (const Box& box : {test::periodic_box({24, 8, 8}), test::walled_box({24, 8, 8}, {0, 2})})
        for (const auto& drive : {test::ballistic(), test::brownian(0.6, 3)}) {
            const auto gas = test::Scenario("gas with random cuts")
                                 .box(box)
                                 .timestep(0.1)
                                 .steps(10)
                                 .gas({{0.5, 1, 300}, {0.8, 3, 30}}, 41)
                                 .driven(drive)
                                 .moving_cuts(5);
            expect_bits_of_one_rank(gas.system(), gas.settings());
        }
}

/// A jammed system ends on all ranks with the sentence of one.
TEST_F(RanksSlabStep, EndsJammedSystemsAlike) {
    const System system = test::jammed_lattice(7, 3);
    SlabRunSettings settings;
    settings.engine.contact_cap = 25;
    const SlabRun run = test::run_on_slabs(exchange_, system, settings);
    EXPECT_EQ(run.error, test::run_on_threads(1, system, settings).error);
    EXPECT_NE(run.error, "");
}

}  // namespace
}  // namespace ricochet
