// SPDX-License-Identifier: BSD-3-Clause
//
// Paths that lead farther than the halo is wide: what was not sent then matters, or it does not, and the step
// is done again, judged path by path, or neither. Between threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "ricochet/parallel/slab_step.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet {
namespace {

using test::first_difference;
using test::run_on_threads;
using test::SlabRun;
using test::SlabRunSettings;
using test::System;

TEST(StrayPaths, APathBeyondTheHaloIsRedone) {
    // Light discs at rest behind a wall of the halo's width for the slow heavy one: hit, they fly twice as
    // far.
    System system;
    system.name = "heavy into light at rest";
    system.box = test::walled_box({64, 32, 0}, {1});
    system.dt = 0.5;
    for (int k = 0; k < 40; ++k) {
        const double column = k < 20 ? 12 : 17;
        test::add_particle(system, {column + 0.25 * (k % 3), 1.5 * (k % 20) + 1, 0}, {}, 0.5, 0.01);
    }
    for (int k = 0; k < 4; ++k) test::add_particle(system, {8, 4.0 + 8 * k, 0}, {6, 0.25, 0}, 2, 100);
    SlabRunSettings settings;
    settings.num_steps = 8;
    settings.slabs.excursion_factor = 0.1;
    const SlabRun expected = test::run_reference(system, settings);
    std::uint64_t num_redone = 0;
    for (const int num_ranks : {1, 2, 3, 4, 5, 7}) {
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks";
        num_redone += run.statistics.num_redone;
        if (num_ranks == 1) {
            EXPECT_EQ(run.statistics.num_redone, 0u);
        }
    }
    EXPECT_GT(num_redone, 0u);
}

/// Left for right, in a box that is 64 wide.
void mirror(System& system) {
    for (Motion& motion : system.particles.motion) {
        motion.position.x = 64 - motion.position.x;
        motion.velocity.x = -motion.velocity.x;
    }
}

enum class Shot : std::uint8_t { upwards, downwards };

/// A heavy disc hits a light one at rest, which flies 3.8 on, nearly four times as far as the halo of width 3
/// allows for, and touches a third, unless that is elsewhere across. The light one and the target are so far
/// before and behind the face, which is at 32.
SlabRun run_long_shot(Shot shot, double before, double behind, int num_ranks, double across = 8.25,
                      std::uint64_t num_windows = 0) {
    System system;
    system.name = "long shot";
    system.box = test::walled_box({64, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {32 - before - 1.1, 8, 0}, {4, 0, 0}, 0.5, 1000);
    test::add_particle(system, {32 - before, 8, 0}, {}, 0.5, 0.01);
    test::add_particle(system, {32 + behind, across, 0}, {}, 0.5, 0.01);
    if (shot == Shot::downwards) mirror(system);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.slabs.excursion_factor = 0.5;
    settings.slabs.num_windows = num_windows;
    if (num_ranks == 0) return test::run_reference(system, settings);
    return run_on_threads(num_ranks, system, settings);
}

TEST(StrayPaths, AStepIsNotRedoneWhenALongPathPassesFarFromWhatWasNotSent) {
    // As far along x as in the tests that follow, but 6 away across: seen only when balls are compared.
    for (const Shot shot : {Shot::upwards, Shot::downwards}) {
        const auto [before, behind] = shot == Shot::upwards ? std::pair(1.0, 3.5) : std::pair(3.5, 1.0);
        const SlabRun run = run_long_shot(shot, before, behind, 2, 2);
        EXPECT_EQ(first_difference(run_long_shot(shot, before, behind, 0, 2), run), "");
        EXPECT_EQ(run.contacts.size(), 1u);
        EXPECT_EQ(run.statistics.num_judged, 1u);
        EXPECT_EQ(run.statistics.num_redone, 0u);
    }
}

TEST(StrayPaths, PathsAreJudgedOnceHoweverManySubWindowsKnowThem) {
    const SlabRun run = run_long_shot(Shot::upwards, 1, 3.5, 2, 2, 50);
    EXPECT_EQ(first_difference(run_long_shot(Shot::upwards, 1, 3.5, 0, 2), run), "");
    EXPECT_EQ(run.statistics.num_judged, 1u);
    EXPECT_EQ(run.statistics.num_windows, 50u);
}

TEST(StrayPaths, AStepIsRedoneWhenAPathTouchesWhatWasNotSentDown) {
    const SlabRun run = run_long_shot(Shot::upwards, 1, 3.5, 2);
    EXPECT_EQ(first_difference(run_long_shot(Shot::upwards, 1, 3.5, 0), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    EXPECT_GT(run.statistics.num_redone, 0u);
}

TEST(StrayPaths, AStepIsRedoneWhenAPathThatWasNotSentDownTouchesAParticleBelow) {
    const SlabRun run = run_long_shot(Shot::downwards, 3.5, 1, 2);
    EXPECT_EQ(first_difference(run_long_shot(Shot::downwards, 3.5, 1, 0), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    EXPECT_GT(run.statistics.num_redone, 0u);
}

TEST(StrayPaths, AStepIsRedoneWhenAPathTouchesWhatWasTooDeepToBeLookedAt) {
    // The target lies deeper than the survey's margins: 4 above the face, 1.5 below it.
    for (const Shot shot : {Shot::upwards, Shot::downwards}) {
        const auto [before, behind] = shot == Shot::upwards ? std::pair(0.4, 4.3) : std::pair(3.1, 1.6);
        const SlabRun run = run_long_shot(shot, before, behind, 2);
        EXPECT_EQ(first_difference(run_long_shot(shot, before, behind, 0), run), "");
        EXPECT_EQ(run.contacts.size(), 2u);
        EXPECT_GT(run.statistics.num_redone, 0u);
    }
}

TEST(StrayPaths, ALongPathOfTheLowerSlabIsNoReasonToRedoWhereItMeetsACopy) {
    for (const Shot shot : {Shot::upwards, Shot::downwards}) {
        const auto [before, behind] = shot == Shot::upwards ? std::pair(3.5, 1.0) : std::pair(1.0, 3.5);
        const SlabRun run = run_long_shot(shot, before, behind, 2);
        EXPECT_EQ(first_difference(run_long_shot(shot, before, behind, 0), run), "");
        EXPECT_EQ(run.contacts.size(), 2u);
        EXPECT_EQ(run.statistics.num_copies_sent, shot == Shot::upwards ? 1u : 2u);
        EXPECT_EQ(run.statistics.num_judged, 0u);
        EXPECT_EQ(run.statistics.num_redone, 0u);
    }
}

TEST(StrayPaths, AStepIsRedoneWhenASmallParticleThatWasNotSentGoesFar) {
    // The halo is 6 wide for a disc of radius 2, 4.5 for those of radius 0.5. The light one, 4.6 above the
    // face and not sent, is hit and flies 3.8 down, where the large one waits, 1 behind the face.
    System system;
    system.name = "long shot at a large one";
    system.box = test::walled_box({64, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {26.3, 8, 0}, {4, 0, 0}, 0.5, 1000);
    test::add_particle(system, {27.4, 8, 0}, {}, 0.5, 0.01);
    test::add_particle(system, {33, 8.25, 0}, {}, 2, 0.01);
    mirror(system);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.slabs.excursion_factor = 0.5;
    const SlabRun run = run_on_threads(2, system, settings);
    EXPECT_EQ(first_difference(test::run_reference(system, settings), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    EXPECT_EQ(run.statistics.num_redone, 1u);
}

TEST(StrayPaths, ALongPathDeepInsideTheSlabIsNoReasonToRedo) {
    const SlabRun run = run_long_shot(Shot::upwards, 22, -18.5, 2);
    EXPECT_EQ(first_difference(run_long_shot(Shot::upwards, 22, -18.5, 0), run), "");
    EXPECT_EQ(run.contacts.size(), 2u);
    EXPECT_EQ(run.statistics.num_redone, 0u);
}

TEST(StrayPaths, SmallParticlesOfAMixtureHaveAHaloOfTheirOwn) {
    System system;
    system.name = "1:8";
    system.box = test::periodic_box({64, 20, 20});
    system.dt = 0.1;
    test::fill_at_random(system, {{0.5, 1, 1500}, {4, 512, 10}}, {}, system.box.size, 4);
    test::thermalise(system, 1, 5);
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun run = run_on_threads(2, system, settings);
    EXPECT_EQ(first_difference(run_on_threads(1, system, settings), run), "");
    // Those within 5.1 of the lower faces of slabs 32 thick, a sixth; it would be a quarter with the width of
    // the large ones.
    EXPECT_LT(run.statistics.num_copies_sent, 3 * system.particles.size() * 3 / 16);
    EXPECT_EQ(run.statistics.num_redone, 0u);
}

/// Fast small particles among slow large ones, which throw them about, with halos that are far too narrow
/// for them at first: paths stray on both sides of every face.
TEST(StrayPaths, StrayPathsInMixturesChangeNoBit) {
    System system;
    system.name = "1:4, light and heavy";
    system.box = test::periodic_box({48, 20, 20});
    system.dt = 0.07;
    test::fill_at_random(system, {{0.5, 0.02, 1400}, {2, 50, 25}}, {}, system.box.size, 14);
    test::thermalise(system, 1, 15);
    SlabRunSettings settings;
    settings.num_steps = 6;
    const SlabRun expected = run_on_threads(1, system, settings);
    EXPECT_EQ(expected.error, "");
    std::uint64_t num_judged = 0, num_redone = 0;
    for (const double factor : {0.02, 0.1, 0.3})
        for (const int num_ranks : {2, 3, 5}) {
            settings.slabs.excursion_factor = factor;
            settings.cuts_of_step = test::random_cuts(static_cast<std::uint64_t>(num_ranks));
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks, factor " << factor;
            num_judged += run.statistics.num_judged;
            num_redone += run.statistics.num_redone;
        }
    EXPECT_GT(num_redone, 0u);
    EXPECT_GT(num_judged, num_redone);
}

/// A disc that only its owner has hits one below the face, as in the tests of such paths above. Whoever
/// misses that leaves it between two heavy ones, where it has contact upon contact.
TEST(StrayPaths, ACapReachedByWrongPathsIsNone) {
    System system;
    system.name = "squeezed by mistake";
    system.box = test::walled_box({64, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {27.4, 8, 0}, {4, 0, 0}, 0.5, 1000);
    test::add_particle(system, {28.5, 8, 0}, {}, 0.5, 0.01);
    test::add_particle(system, {33, 8.25, 0}, {}, 0.5, 0.01);
    test::add_particle(system, {32.4, 9.53, 0}, {0, -1, 0}, 0.5, 1000);
    test::add_particle(system, {33, 7.2495, 0}, {}, 0.5, 1000);
    mirror(system);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.engine.contact_cap = 3;
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_EQ(expected.error, "");
    for (const std::uint64_t num_windows : {1, 200}) {
        settings.slabs.num_windows = num_windows;
        const SlabRun run = run_on_threads(2, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << num_windows << " sub-windows";
        EXPECT_GT(run.statistics.num_redone, 0u);
    }
}

/// A shot that begins in one slab and goes through all of the other, which is thin: there it leaves the
/// layer of which the first has copies, and comes back into the first from below.
TEST(StrayPaths, AShotGoesThroughAThinSlabAndOnIntoTheOneItCameFrom) {
    System system;
    system.name = "through the gap";
    system.box = test::periodic_box({42, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {32.5, 8, 0}, {4, 0, 0}, 0.5, 1000);
    test::add_particle(system, {33.6, 8, 0}, {}, 0.5, 30);
    test::add_particle(system, {34.7, 8, 0}, {}, 0.5, 1);
    test::add_particle(system, {39.3, 8.1, 0}, {}, 0.5, 1);
    test::add_particle(system, {0.3, 8.2, 0}, {}, 0.5, 1);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.slabs.excursion_factor = 0.5;
    settings.cuts = {0, 64, 84};  // a slab of 32, and one of 10
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_EQ(expected.contacts.size(), 4u);
    const SlabRun run = run_on_threads(2, system, settings);
    EXPECT_EQ(first_difference(expected, run), "");
    EXPECT_EQ(run.statistics.num_redone, 0u);
    EXPECT_EQ(run.statistics.num_judged, 0u);
    EXPECT_EQ(run.statistics.num_copies_sent, 4u);
}

/// Two particles at the ends of a thin slab fly towards each other, farther than the halo is wide; one comes
/// back and touches what the other slab has.
TEST(StrayPaths, FastParticlesMeetInAThinSlab) {
    System system;
    system.name = "head-on in the gap";
    system.box = test::periodic_box({42, 16, 0});
    system.dt = 0.5;
    test::add_particle(system, {37.7, 8, 0}, {4, 0, 0}, 0.5, 1);
    test::add_particle(system, {41.7, 8, 0}, {-4, 0, 0}, 0.5, 1);
    test::add_particle(system, {1.5, 8.1, 0}, {-4, 0, 0}, 0.5, 1);
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.slabs.excursion_factor = 0.1;
    settings.cuts = {0, 75, 84};  // a slab of 37.5, and one of 4.5
    const SlabRun expected = test::run_reference(system, settings);
    EXPECT_EQ(expected.contacts.size(), 2u);
    const SlabRun run = run_on_threads(2, system, settings);
    EXPECT_EQ(first_difference(expected, run), "");
    EXPECT_EQ(run.statistics.num_redone, 0u);
}
}  // namespace
}  // namespace ricochet
