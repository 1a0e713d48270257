// SPDX-License-Identifier: BSD-3-Clause
//
// Paths that lead farther than the halo is wide: what was not sent then matters, or it does not, and the step
// is done again, verified path by path, or neither. Between threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "slabs/slab_step.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::Scenario;
using test::SlabRun;

TEST(EscapingPaths, APathBeyondTheHaloIsRedone) {
    // Light discs at rest behind a wall of the halo's width for the slow heavy one: hit, they fly twice as
    // far.
    Scenario scenario("heavy into light at rest");
    scenario.walled({64, 32, 0}, {1}).timestep(0.5).steps(8).halo_factor(0.1);
    for (int k = 0; k < 40; ++k) {
        const double column = k < 20 ? 12 : 17;
        scenario.sphere({column + 0.25 * (k % 3), 1.5 * (k % 20) + 1, 0}, {}, 0.5, 0.01);
    }
    for (int k = 0; k < 4; ++k) scenario.sphere({8, 4.0 + 8 * k, 0}, {6, 0.25, 0}, 2, 100);
    const SlabRun expected = scenario.by_reference();
    std::uint64_t num_redone = 0;
    for (const int num_ranks : {1, 2, 3, 4, 5, 7}) {
        const SlabRun run = scenario.on_ranks(num_ranks);
        EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks";
        num_redone += run.statistics.num_redone;
        if (num_ranks == 1) {
            EXPECT_EQ(run.statistics.num_redone, 0u);
        }
    }
    EXPECT_GT(num_redone, 0u);
}

/// One step in a closed box with a face at x = 32, on two ranks.
Scenario shot(const std::string& name) {
    return Scenario(name).walled({64, 16, 0}).timestep(0.5).steps(1).halo_factor(0.5);
}

enum class Way : std::uint8_t { upwards, downwards };

/// A heavy disc hits a light one at rest, which flies 3.8 on, nearly four times as far as the halo of width 3
/// allows for, and touches a third, unless that is elsewhere across. The light one and the target are so far
/// before and behind the face, which is at 32.
SlabRun run_long_shot(Way way, double before, double behind, int num_ranks, double across = 8.25,
                      std::uint64_t num_windows = 0) {
    Scenario long_shot = shot("long shot")
                             .sphere({32 - before - 1.1, 8, 0}, {4, 0, 0}, 0.5, 1000)
                             .sphere({32 - before, 8, 0}, {}, 0.5, 0.01)
                             .sphere({32 + behind, across, 0}, {}, 0.5, 0.01)
                             .windows(num_windows);
    if (way == Way::downwards) long_shot.mirrored();
    return num_ranks == 0 ? long_shot.by_reference() : long_shot.on_ranks(num_ranks);
}

/// The statistics of two ranks, on which the long shot hits its target as in the reference.
SlabStepStatistics statistics_of_hit(Way way, double before, double behind) {
    const SlabRun run = run_long_shot(way, before, behind, 2);
    EXPECT_EQ(first_difference(run_long_shot(way, before, behind, 0), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    return run.statistics;
}

/// A step is not redone when a long path passes far from what was not sent.
TEST(EscapingPaths, FarFromWhatWasNotSent) {
    // As far along x as in the tests that follow, but 6 away across: seen only when bounding spheres are
    // compared.
    for (const Way way : {Way::upwards, Way::downwards}) {
        const auto [before, behind] = way == Way::upwards ? std::pair(1.0, 3.5) : std::pair(3.5, 1.0);
        const SlabRun run = run_long_shot(way, before, behind, 2, 2);
        EXPECT_EQ(first_difference(run_long_shot(way, before, behind, 0, 2), run), "");
        EXPECT_EQ(run.contacts.size(), 1u);
        EXPECT_EQ(run.statistics.num_verified, 1u);
        EXPECT_EQ(run.statistics.num_redone, 0u);
    }
}

/// However many sub-windows know them.
TEST(EscapingPaths, AreJudgedOnce) {
    const SlabRun run = run_long_shot(Way::upwards, 1, 3.5, 2, 2, 50);
    EXPECT_EQ(first_difference(run_long_shot(Way::upwards, 1, 3.5, 0, 2), run), "");
    EXPECT_EQ(run.statistics.num_verified, 1u);
    EXPECT_EQ(run.statistics.num_windows, 50u);
}

/// The step is redone.
TEST(EscapingPaths, TouchWhatWasNotSentDown) {
    EXPECT_GT(statistics_of_hit(Way::upwards, 1, 3.5).num_redone, 0u);
}

/// A path that was not sent down touches a particle below: the step is redone.
TEST(EscapingPaths, ComeDownWithoutBeingSent) {
    EXPECT_GT(statistics_of_hit(Way::downwards, 3.5, 1).num_redone, 0u);
}

/// What was too deep to be looked at: the step is redone.
TEST(EscapingPaths, TouchWhatWasTooDeep) {
    // The target lies deeper than the bounds of paths's margins: 4 above the face, 1.5 below it.
    for (const Way way : {Way::upwards, Way::downwards}) {
        const auto [before, behind] = way == Way::upwards ? std::pair(0.4, 4.3) : std::pair(3.1, 1.6);
        EXPECT_GT(statistics_of_hit(way, before, behind).num_redone, 0u);
    }
}

/// A long path of the lower slab is no reason to redo the step then.
TEST(EscapingPaths, MeetACopy) {
    for (const Way way : {Way::upwards, Way::downwards}) {
        const auto [before, behind] = way == Way::upwards ? std::pair(3.5, 1.0) : std::pair(1.0, 3.5);
        const SlabStepStatistics statistics = statistics_of_hit(way, before, behind);
        EXPECT_EQ(statistics.num_copies_sent, way == Way::upwards ? 1u : 2u);
        EXPECT_EQ(statistics.num_verified, 0u);
        EXPECT_EQ(statistics.num_redone, 0u);
    }
}

/// A small particle that was not sent goes far: the step is redone.
TEST(EscapingPaths, OfSmallOnesThatWereNotSent) {
    // The halo is 6 wide for a disc of radius 2, 4.5 for those of radius 0.5. The light one, 4.6 above the
    // face and not sent, is hit and flies 3.8 down, where the large one waits, 1 behind the face.
    const Scenario scenario = shot("long shot at a large one")
                                  .sphere({26.3, 8, 0}, {4, 0, 0}, 0.5, 1000)
                                  .sphere({27.4, 8, 0}, {}, 0.5, 0.01)
                                  .sphere({33, 8.25, 0}, {}, 2, 0.01)
                                  .mirrored();
    const SlabRun run = scenario.on_ranks(2);
    EXPECT_EQ(first_difference(scenario.by_reference(), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    EXPECT_EQ(run.statistics.num_redone, 1u);
}

/// No reason to redo the step.
TEST(EscapingPaths, DeepInsideTheSlab) {
    EXPECT_EQ(statistics_of_hit(Way::upwards, 22, -18.5).num_redone, 0u);
}

/// In a mixture.
TEST(EscapingPaths, SmallOnesHaveAHaloOfTheirOwn) {
    const Scenario mixture =
        Scenario("1:8").periodic({64, 20, 20}).timestep(0.1).steps(3).gas({{0.5, 1, 1500}, {4, 512, 10}}, 4);
    const SlabRun run = mixture.on_ranks(2);
    EXPECT_EQ(first_difference(mixture.on_ranks(1), run), "");
    // Those within 5.1 of the lower faces of slabs 32 thick, a sixth; it would be a quarter with the width of
    // the large ones.
    EXPECT_LT(run.statistics.num_copies_sent, 3 * mixture.num_particles() * 3 / 16);
    EXPECT_EQ(run.statistics.num_redone, 0u);
}

/// Fast small particles among slow large ones, which throw them about, with halos that are far too narrow
/// for them at first: paths escape on both sides of every face.
TEST(EscapingPaths, InMixturesChangeNoBit) {
    const Scenario mixture = Scenario("1:4, light and heavy")
                                 .periodic({48, 20, 20})
                                 .timestep(0.07)
                                 .steps(6)
                                 .gas({{0.5, 0.02, 1400}, {2, 50, 25}}, 14);
    const SlabRun expected = mixture.on_ranks(1);
    EXPECT_EQ(expected.error, "");
    std::uint64_t num_verified = 0, num_redone = 0;
    for (const double factor : {0.02, 0.1, 0.3})
        for (const int num_ranks : {2, 3, 5}) {
            const SlabRun run = Scenario(mixture)
                                    .halo_factor(factor)
                                    .moving_cuts(static_cast<std::uint64_t>(num_ranks))
                                    .on_ranks(num_ranks);
            EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks, factor " << factor;
            num_verified += run.statistics.num_verified;
            num_redone += run.statistics.num_redone;
        }
    EXPECT_GT(num_redone, 0u);
    EXPECT_GT(num_verified, num_redone);
}

/// A disc that only its owner has hits one below the face, as in the tests of such paths above. An engine that misses
/// that leaves it between two heavy ones, where it has contact upon contact.
TEST(EscapingPaths, ACapReachedByWrongPathsIsNone) {
    const Scenario squeezed = Scenario("squeezed by mistake")
                                  .walled({64, 16, 0})
                                  .timestep(0.5)
                                  .steps(1)
                                  .sphere({27.4, 8, 0}, {4, 0, 0}, 0.5, 1000)
                                  .sphere({28.5, 8, 0}, {}, 0.5, 0.01)
                                  .sphere({33, 8.25, 0}, {}, 0.5, 0.01)
                                  .sphere({32.4, 9.53, 0}, {0, -1, 0}, 0.5, 1000)
                                  .sphere({33, 7.2495, 0}, {}, 0.5, 1000)
                                  .mirrored()
                                  .contact_cap(3);
    const SlabRun expected = squeezed.by_reference();
    EXPECT_EQ(expected.error, "");
    for (const std::uint64_t num_windows : {1, 200}) {
        const SlabRun run = Scenario(squeezed).windows(num_windows).on_ranks(2);
        EXPECT_EQ(first_difference(expected, run), "") << num_windows << " sub-windows";
        EXPECT_GT(run.statistics.num_redone, 0u);
    }
}

/// A shot that begins in one slab and goes through all of the other, which is thin: there it leaves the
/// layer of which the first has copies, and comes back into the first from below.
TEST(EscapingPaths, ThroughAThinSlabAndBack) {
    const Scenario through = Scenario("through the gap")
                                 .periodic({42, 16, 0})
                                 .timestep(0.5)
                                 .steps(1)
                                 .sphere({32.5, 8, 0}, {4, 0, 0}, 0.5, 1000)
                                 .sphere({33.6, 8, 0}, {}, 0.5, 30)
                                 .sphere({34.7, 8, 0})
                                 .sphere({39.3, 8.1, 0})
                                 .sphere({0.3, 8.2, 0})
                                 .halo_factor(0.5)
                                 .cuts({0, 64, 84});  // a slab of 32, and one of 10
    const SlabRun expected = through.by_reference();
    EXPECT_EQ(expected.contacts.size(), 4u);
    const SlabRun run = through.on_ranks(2);
    EXPECT_EQ(first_difference(expected, run), "");
    EXPECT_EQ(run.statistics.num_redone, 0u);
    EXPECT_EQ(run.statistics.num_verified, 0u);
    EXPECT_EQ(run.statistics.num_copies_sent, 4u);
}

/// Two particles at the ends of a thin slab fly towards each other, farther than the halo is wide; one comes
/// back and touches what the other slab has.
TEST(EscapingPaths, FastParticlesMeetInAThinSlab) {
    const Scenario head_on = Scenario("head-on in the gap")
                                 .periodic({42, 16, 0})
                                 .timestep(0.5)
                                 .steps(1)
                                 .sphere({37.7, 8, 0}, {4, 0, 0})
                                 .sphere({41.7, 8, 0}, {-4, 0, 0})
                                 .sphere({1.5, 8.1, 0}, {-4, 0, 0})
                                 .halo_factor(0.1)
                                 .cuts({0, 75, 84});  // a slab of 37.5, and one of 4.5
    const SlabRun expected = head_on.by_reference();
    EXPECT_EQ(expected.contacts.size(), 2u);
    const SlabRun run = head_on.on_ranks(2);
    EXPECT_EQ(first_difference(expected, run), "");
    EXPECT_EQ(run.statistics.num_redone, 0u);
}

}  // namespace
}  // namespace ricochet
