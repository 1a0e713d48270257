// SPDX-License-Identifier: BSD-3-Clause
//
// The promise of the parallel layer: the same bits on any number of ranks. Between threads, so that it runs
// under sanitizers; tests/mpi/ranks_test.cpp does the same over MPI.
#include "slabs/slab_step.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "observe/observables.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/scenario.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::run_on_threads;
using test::Scenario;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

constexpr int rank_counts[]{1, 2, 3, 4, 5, 7};

/// All rank counts that the system has slices for give what the reference gives.
void expect_reference_on_all_rank_counts(const System& system, SlabRunSettings settings) {
    settings.num_steps = system.num_steps;
    test::expect_reference_on_ranks(system, settings);
}

/// On any rank count.
TEST(SlabStep, HasReferenceBitsOfRandomSystems) {
    for (const System& system : test::random_systems()) expect_reference_on_all_rank_counts(system, {});
}

/// On any rank count.
TEST(SlabStep, HasReferenceBitsOfHardCases) {
    for (const System& system : test::degenerate_systems()) expect_reference_on_all_rank_counts(system, {});
}

/// Arbitrary systems with arbitrary cuts, halo factors and numbers of sub-windows and intervals.
void expect_reference_for_seeds(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t seed = first; seed < last; ++seed) {
        const System system = test::arbitrary_system(seed);
        test::HashRandom random(seed);
        const std::int64_t num_slices = test::slice_grid_of(system).num_slices();
        SlabRunSettings settings;
        settings.slabs.num_windows = random.index(12);
        settings.slabs.excursion_factor = random.uniform(0.05, 0.8);
        settings.engine.num_intervals = random.index(6);
        expect_reference_on_all_rank_counts(system, settings);
        settings.num_steps = system.num_steps;
        settings.cuts = {0};
        for (std::int64_t cut = 1; cut < num_slices; ++cut)
            if (random.index(4) == 0 && settings.cuts.size() < 9) settings.cuts.push_back(cut);
        settings.cuts.push_back(num_slices);
        SlabRunSettings even = settings;
        even.cuts.clear();
        even.engine.num_intervals = 1;
        EXPECT_EQ(
            first_difference(run_on_threads(1, system, even),
                             run_on_threads(static_cast<int>(settings.cuts.size()) - 1, system, settings)),
            "")
            << "seed " << seed;
    }
}

/// On any rank count.
TEST(SlabStep, HasReferenceBitsOfArbitraryOnes) { expect_reference_for_seeds(0, 40); }

/// Adds up the contacts of a run.
class SumSink final : public ContactSink {
  public:
    SumSink(std::size_t num_species, ContactDetail detail)
        : total_(num_species), settled_(num_species), detail_(detail) {}
    ContactDetail detail() const override { return detail_; }
    void add_records(std::span<const Contact> contacts) override { total_.add_contacts(contacts); }
    void add_briefs(std::span<const ContactBrief> contacts) override { total_.add_contacts(contacts); }
    void settle() override { settled_ = total_; }
    void take_back() override { total_ = settled_; }
    std::vector<std::int64_t> integers() const { return total_.integers(); }

  private:
    ObservableSums total_, settled_;
    ContactDetail detail_;
};

/// Over all ranks and steps, up to one that ends with an error.
std::vector<std::int64_t> sums_on_threads(int num_ranks, const System& system, const SlabStepOptions& options,
                                          ContactDetail detail) {
    std::vector<std::int64_t> result;
    test::run_ranks(num_ranks, [&](Exchange& exchange) {
        const std::size_t num_species = test::rules_of(system).num_species();
        test::RankStepper stepper(exchange, system, test::even_slabs(system, exchange.size()), options);
        Particles mine;
        if (exchange.rank() == 0) mine = system.particles;
        SumSink sums(num_species, detail);
        try {
            for (int step = 0; step < system.num_steps; ++step) {
                stepper->run(mine, static_cast<std::uint64_t>(step), system.dt, sums);
                sums.settle();
            }
        } catch (const RunError&) {
            sums.take_back();
        }
        std::vector<std::int64_t> integers = sums.integers();
        exchange.sum(integers);
        ObservableSums all(num_species);
        all.assign(integers);  // sums of digits become digits
        if (exchange.rank() == 0) result = all.integers();
    });
    return result;
}

TEST(SlabStep, BriefsAddUpToWhatTheRecordsDo) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const System system = test::arbitrary_system(seed);
        SlabStepOptions options;
        options.num_windows = 1 + seed % 5;
        const auto expected = sums_on_threads(1, system, options, ContactDetail::records);
        for (const int num_ranks : {1, 2, 3}) {
            if (num_ranks > test::slice_grid_of(system).num_slices()) continue;
            EXPECT_EQ(sums_on_threads(num_ranks, system, options, ContactDetail::briefs), expected)
                << system.name << " on " << num_ranks << " ranks";
        }
    }
}

/// The systems are arbitrary, and so are the rank counts.
TEST(LongSlabStep, HasReferenceBitsOfThousands) { expect_reference_for_seeds(1000, 5000); }

/// Two sub-windows of a quarter of a collision per particle each: islands merge and roll back by the
/// thousand. Long runs of this kind are where lost contacts were first seen.
TEST(LongSlabStep, LargeGasInTwoSubWindows) {
    System system = test::equal_gas(3, 200'000, 0.3, 30);
    system.dt = 0.05;
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun expected = run_on_threads(1, system, settings);
    settings.slabs.num_windows = 2;
    for (const int num_ranks : {1, 2, 3, 7})
        EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << num_ranks << " ranks";
}

/// 240 spheres in a long box: slabs on 7 ranks are thinner than two halos, but not than one.
System long_gas(double dt) {
    return Scenario("long gas").periodic({26, 5, 5}).timestep(dt).gas({{0.5, 1, 240}}, 5).system();
}

/// The system on `num_ranks` with the settings has the bits of one rank with other ones.
void expect_bits_of_one_rank(const System& system, int num_ranks, const SlabRunSettings& settings) {
    SlabRunSettings plain = settings;
    plain.cuts.clear();
    plain.slabs = {};
    plain.engine = {};
    const SlabRun expected = run_on_threads(1, system, plain);
    EXPECT_EQ(expected.error, "");
    EXPECT_GT(expected.contacts.size(), 20u);
    EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
        << system.name << " on " << num_ranks << " ranks";
}

TEST(SlabStep, TheNumberOfSubWindowsChangesNoBit) {
    for (const std::uint64_t num_windows : {1, 2, 3, 7, 16, 40})
        for (const int num_ranks : {1, 2, 3, 7}) {
            SlabRunSettings settings;
            settings.slabs.num_windows = num_windows;
            expect_bits_of_one_rank(long_gas(0.1), num_ranks, settings);
        }
}

TEST(SlabStep, TheHaloFactorChangesNoBit) {
    for (const double factor : {0.01, 0.2, 0.5, 0.6, 1.0, 2.0, 20.0}) {
        SlabRunSettings settings;
        settings.slabs.excursion_factor = factor;
        expect_bits_of_one_rank(long_gas(0.15), 3, settings);
        expect_bits_of_one_rank(long_gas(0.15), 7, settings);
    }
}

TEST(SlabStep, TheSearchChangesNoBit) {
    for (const auto search : test::search_choices) {
        SlabRunSettings settings;
        settings.engine.search = search.method;
        settings.engine.loop = search.loop;
        expect_bits_of_one_rank(long_gas(0.1), 3, settings);
    }
}

/// Slabs thinner than the halo.
TEST(SlabStep, UnevenAndThinSlabsChangeNoBit) {
    const System system = long_gas(0.1);
    const std::int64_t num_slices = test::slice_grid_of(system).num_slices();
    ASSERT_EQ(num_slices, 52);
    const std::vector<std::vector<std::int64_t>> cuts{
        {0, 3, 52}, {0, 1, 51, 52}, {0, 1, 2, 3, 52}, {0, 20, 21, 22, 40, 52}, {0, 1, 2, 3, 4, 5, 6, 52}};
    for (const auto& uneven : cuts) {
        SlabRunSettings settings;
        settings.cuts = uneven;
        expect_bits_of_one_rank(system, static_cast<int>(uneven.size()) - 1, settings);
    }
}

TEST(SlabStep, HasBrownianBitsOfOneRank) {
    for (const int dimension : {2, 3}) {
        System system = test::equal_gas(dimension, dimension == 2 ? 150 : 300, 0.25, 7);
        system.dt = 0.5;
        for (const double deviation : {0.1, 0.7})
            for (const int num_ranks : {2, 3, 4, 5, 7}) {
                SlabRunSettings settings;
                settings.drive = test::brownian(deviation, dimension);
                settings.num_steps = 6;
                expect_bits_of_one_rank(system, num_ranks, settings);
            }
    }
}

TEST(SlabStep, RanksWithoutParticlesChangeNoBit) {
    const Scenario gas = Scenario("all in one slab")
                             .periodic({40, 8, 8})
                             .timestep(0.1)
                             .gas_between({30, 0, 0}, {35, 8, 8}, {{0.5, 1, 60}}, 8);
    for (const int num_ranks : rank_counts) expect_bits_of_one_rank(gas.system(), num_ranks, {});
}

/// When they make a speed too large for the box.
TEST(SlabStep, IsDividedWhenContactsSpeedUp) {
    // 4.5 + 0.5 < 6 when the step begins; the light one then flies off with twice the speed of the heavy one.
    Scenario light_hit_by_heavy = Scenario("a light one hit by a heavy one")
                                      .periodic({12, 12, 12})
                                      .timestep(0.5)
                                      .steps(1)
                                      .sphere({2, 6, 6}, {8, 0, 0}, 0.5, 100)
                                      .sphere({4, 6, 6}, {}, 0.5, 0.01);
    const SlabRun expected = light_hit_by_heavy.by_reference();
    EXPECT_EQ(expected.contacts.size(), 1u);
    for (const std::uint64_t num_windows : {0, 1, 2, 9})
        for (const int num_ranks : {1, 2, 3}) {
            const SlabRun run = light_hit_by_heavy.windows(num_windows).on_ranks(num_ranks);
            EXPECT_EQ(first_difference(expected, run), "") << num_windows << " sub-windows";
            EXPECT_GE(run.statistics.num_halved_spans, 1u);
        }
}

TEST(SlabStep, MayBeAnyNumberOfBoxLengthsLong) {
    Scenario gas(test::equal_gas(3, 60, 0.1, 77));
    const double half = 0.5 * gas.system().box.size.x;
    for (const double lengths : {0.9, 3.0, 17.0}) {
        gas.timestep(lengths * half).steps(2);  // thermal speeds are about 1
        const SlabRun expected = gas.by_reference();
        for (const int num_ranks : {1, 2, 4})
            for (const std::uint64_t num_intervals : {0, 3}) {
                const SlabRun run = gas.legs(num_intervals).on_ranks(num_ranks);
                EXPECT_EQ(first_difference(expected, run), "") << lengths << " half lengths";
                EXPECT_GT(run.statistics.num_halved_spans, 0u);
            }
    }
}

/// A chain of ever lighter particles at rest that ends at a speed of 2^7 when it is hit with speed 1.
void add_chain(Scenario& scenario, double x, double y, double distance) {
    scenario.sphere({x, y, 50}, {1, 0, 0});
    for (int k = 0; k < 7; ++k)
        scenario.sphere({x + 1 + distance + 1.001 * k, y, 50}, {}, 0.5, std::pow(1e-4, k + 1));
}

/// A light particle to and fro between two that hardly move: its ninth contact comes at time 0.9.
void add_rattle(Scenario& scenario, double x, double y) {
    scenario.sphere({x, y, 50}, {}, 0.5, 1e9)
        .sphere({x + 1.2, y, 50}, {-2, 0, 0}, 0.5, 1e-3)
        .sphere({x + 2.2, y, 50}, {}, 0.5, 1e9);
}

/// It ends at the cap, or is divided where the box is too small.
TEST(SlabStep, EndsOrIsDividedByWhatIsFirst) {
    for (const double hit_time : {0.3, 0.96}) {
        Scenario scenario("a rattle and a chain");
        scenario.periodic({100, 100, 100}).timestep(1.5).steps(1).contact_cap(9);
        add_rattle(scenario, 30, 20);
        add_chain(scenario, 60, 70, hit_time);
        std::optional<std::string> expected;
        for (const std::uint64_t num_windows : {100, 1, 2, 5})
            for (const int num_ranks : {1, 2, 3}) {
                const SlabRun run = scenario.windows(num_windows).on_ranks(num_ranks);
                if (!expected) expected = run.error;
                EXPECT_EQ(run.error, *expected) << num_windows << " sub-windows, " << num_ranks << " ranks";
                EXPECT_EQ(run.error.empty(), hit_time < 0.9) << run.error;
            }
    }
}

/// Contacts in the parts of a divided step are in the order of their times in the step.
TEST(SlabStep, HasTheTimesOfTheWholeStepInItsParts) {
    System system = test::equal_gas(2, 30, 0.1, 78);
    system.dt = 3 * system.box.size.x;
    SlabRunSettings settings;
    settings.num_steps = 1;
    const SlabRun run = run_on_threads(2, system, settings);
    ASSERT_GT(run.contacts.size(), 20u);
    EXPECT_LT(run.contacts.front().key.time, 0.2 * system.dt);
    EXPECT_GT(run.contacts.back().key.time, 0.8 * system.dt);
    for (const Motion& motion : run.particles.motion) EXPECT_EQ(motion.time, 0);
}

/// More than a short axis allows.
TEST(SlabStep, AllowsMoreSpeedAlongLongAxes) {
    const Scenario scenario = Scenario("a light one hit along x")
                                  .periodic({40, 12, 12})
                                  .timestep(0.5)
                                  .steps(1)
                                  .sphere({2, 6, 6}, {8, 0, 0}, 0.5, 100)
                                  .sphere({4, 6, 6}, {}, 0.5, 0.01);
    const SlabRun expected = scenario.by_reference();
    for (const int num_ranks : {1, 2, 3})
        EXPECT_EQ(first_difference(expected, scenario.on_ranks(num_ranks)), "");
}

TEST(SlabStep, CutsMayMoveBetweenSteps) {
    const System system = long_gas(0.1);
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun expected = run_on_threads(1, system, settings);
    const SliceGrid grid = test::slice_grid_of(system);
    test::run_ranks(3, [&](Exchange& exchange) {
        const std::vector<std::vector<std::int64_t>> cuts{{0, 10, 20, 52}, {0, 40, 50, 52}, {0, 17, 35, 52}};
        test::RankStepper stepper(exchange, system, {grid, cuts[0]});
        Particles mine = exchange.rank() == 0 ? system.particles : Particles{};
        for (std::uint64_t step = 0; step < 3; ++step) {
            stepper->set_slabs({grid, cuts[step]});
            stepper->run(mine, step, system.dt);
        }
        const Particles all = gather_particles(exchange, mine);
        if (exchange.rank() == 0) {
            EXPECT_EQ(test::first_difference(expected.particles, all), "");
        }
    });
}

/// With one sentence.
TEST(SlabStep, JammedSystemEndsAtTheCap) {
    const System system = test::jammed_lattice(7, 3);
    SlabRunSettings settings;
    settings.engine.contact_cap = 25;
    Particles particles = system.particles;
    const auto reference =
        test::reference_step_by_lists(system.box, particles, test::rules_of(system),
                                      {.dt = system.dt, .contact_cap = settings.engine.contact_cap});
    ASSERT_TRUE(reference.exhausted.has_value());
    const std::string culprit = "particle " + std::to_string(reference.exhausted->id) + " reached 25";
    const SlabRun one = run_on_threads(1, system, settings);
    EXPECT_NE(one.error.find(culprit), std::string::npos) << one.error;
    for (const int num_ranks : rank_counts) {
        settings.slabs.num_windows = static_cast<std::uint64_t>(num_ranks);
        EXPECT_EQ(run_on_threads(num_ranks, system, settings).error, one.error) << num_ranks << " ranks";
    }
}

TEST(SlabStep, OnlyASmallPartOfTheWorkIsDoneTwice) {
    // What the tests above would not find: that everything is sent to all ranks, or repaired again and again.
    System system = test::equal_gas(3, 4000, 0.3, 10);
    system.dt = 0.05;
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun run = run_on_threads(2, system, settings);
    const auto num_particle_steps = 3 * system.particles.size();
    EXPECT_LT(run.statistics.num_copies_sent, num_particle_steps / 6);
    EXPECT_GT(run.statistics.num_boundary_events, 0u);
    EXPECT_LT(run.statistics.num_boundary_events, run.contacts.size() / 5);
    EXPECT_LT(run.statistics.engine.num_repairs, run.statistics.engine.num_islands / 10);
    // Remote events of owned particles may change what these touch beyond the copies: then a second round.
    EXPECT_LE(run.statistics.num_rounds, run.statistics.num_windows * 3 / 2);
    EXPECT_EQ(run.statistics.num_redone, 0u);
}

}  // namespace
}  // namespace ricochet
