// SPDX-License-Identifier: BSD-3-Clause
//
// Predictions: their three sizes, the kinds of partners, and when they are stale.
#include "engine/prediction.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "engine/local_motion.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

TEST(Prediction, OfAWaitingContactKeepsItsStamps) {
    const WaitingContact waiting{
        .time = 0.5, .a = 3, .b = Partner::particle(7), .stamp_a = 11, .stamp_b = 13};
    const Prediction prediction = waiting.prediction();
    EXPECT_EQ(prediction.time, 0.5);
    EXPECT_EQ(prediction.generation, 0u);
    EXPECT_EQ(prediction.a, 3u);
    EXPECT_EQ(prediction.b, Partner::particle(7));
    EXPECT_EQ(prediction.stamp_a, 11u);
    EXPECT_EQ(prediction.stamp_b, 13u);
}

TEST(Prediction, OfAnInitialContactHasNoStamps) {
    const WaitingContact waiting =
        InitialPrediction{.time = 0.25, .a = 5, .b = Partner::particle(2)}.waiting();
    EXPECT_EQ(waiting.time, 0.25);
    EXPECT_EQ(waiting.a, 5u);
    EXPECT_EQ(waiting.b, Partner::particle(2));
    EXPECT_EQ(waiting.stamp_a, 0u);
    EXPECT_EQ(waiting.stamp_b, 0u);
}

TEST(Partner, OfEachKindSaysWhatItIs) {
    for (const Slot slot : {0u, 1u, most_local_particles - 1}) {
        const Partner particle = Partner::particle(slot);
        EXPECT_TRUE(particle.is_particle() && !particle.is_obstacle() && !particle.is_of_remote_event());
        EXPECT_EQ(particle.slot(), slot);
    }
    for (const ObstacleIndex number : {0u, 5u, Partner::most_obstacles - 1}) {
        const Partner obstacle = Partner::obstacle(number);
        EXPECT_TRUE(obstacle.is_obstacle() && !obstacle.is_particle() && !obstacle.is_of_remote_event());
        EXPECT_EQ(obstacle.obstacle_index(), number);
    }
    const Partner elsewhere = Partner::of_remote_event();
    EXPECT_TRUE(elsewhere.is_of_remote_event() && !elsewhere.is_particle() && !elsewhere.is_obstacle());
}

TEST(Partner, OfOneKindIsNeverOneOfAnother) {
    static_assert(!std::is_convertible_v<Slot, Partner> && !std::is_convertible_v<Partner, Slot>);
    EXPECT_NE(Partner::particle(most_local_particles - 1), Partner::obstacle(0));
    EXPECT_NE(Partner::particle(0), Partner::obstacle(0));
    EXPECT_NE(Partner::obstacle(62), Partner::of_remote_event());
}

/// Three particles in a box with walls, as a step holds them.
class LocalPredictions : public testing::Test {
  protected:
    LocalPredictions() {
        system_.box = test::walled_box({10, 10, 10});
        for (const double x : {2.0, 4.0, 6.0}) test::add_particle(system_, {x, 5, 5}, {1, 0, 0});
        local_.load(system_.particles, 3, true, 0);
    }
    /// What a contact at this time does to a slot's records.
    void change(Slot slot, double time, std::uint32_t generation) {
        local_.motion(slot).time = time;
        local_.mark_changed(slot, generation);
    }

    test::System system_;
    BlockStore store_;
    LocalMotion local_{false, false, true, store_};
};

TEST_F(LocalPredictions, AreStaleOnceAPartnerChanges) {
    const Prediction pair = local_.predict_pair(0, 1, 0.5);
    const WaitingContact waiting =
        InitialPrediction{.time = 0.5, .a = 1, .b = Partner::particle(0)}.waiting();
    EXPECT_FALSE(local_.is_stale(pair));
    EXPECT_FALSE(local_.is_stale(waiting));
    change(2, 0.1, 0);
    EXPECT_FALSE(local_.is_stale(pair));
    change(1, 0.2, 0);
    EXPECT_TRUE(local_.is_stale(pair));
    EXPECT_TRUE(local_.is_stale(waiting));
    EXPECT_FALSE(local_.is_stale(local_.predict_pair(0, 1, 0.6)));
}

TEST_F(LocalPredictions, OfObstaclesHaveOnePartner) {
    const Prediction wall = local_.predict_obstacle(0, 1, 0.75);
    EXPECT_EQ(wall.a, 0u);
    EXPECT_EQ(wall.b, Partner::obstacle(1));
    EXPECT_EQ(wall.time, 0.75);
    change(1, 0.2, 0);
    EXPECT_FALSE(local_.is_stale(wall));
    change(0, 0.3, 0);
    EXPECT_TRUE(local_.is_stale(wall));
}

/// A state that is undone may come back, and what was predicted with it is then right again.
TEST_F(LocalPredictions, AreValidAgainAfterUndo) {
    const Prediction before = local_.predict_pair(0, 1, 0.5);
    const SlotUndo undo = local_.undo_record(0);
    change(0, 0.1, 0);
    const Prediction discarded = local_.predict_pair(0, 2, 0.5);
    local_.restore(undo);
    EXPECT_FALSE(local_.is_stale(before));
    EXPECT_TRUE(local_.is_stale(discarded));
    change(0, 0.1, 0);
    EXPECT_TRUE(local_.is_stale(discarded));  // stamps are never used twice
}

/// One generation later than the latest contact of either partner at exactly this time.
TEST_F(LocalPredictions, CountGenerationsAtOneTime) {
    EXPECT_EQ(local_.predict_pair(0, 1, 0.5).generation, 0u);
    change(0, 0.5, 0);
    change(1, 0.5, 4);
    EXPECT_EQ(local_.predict_pair(0, 1, 0.5).generation, 5u);
    EXPECT_EQ(local_.predict_pair(1, 0, 0.5).generation, 5u);
    EXPECT_EQ(local_.predict_pair(0, 2, 0.5).generation, 1u);
    EXPECT_EQ(local_.predict_obstacle(1, 0, 0.5).generation, 5u);
    EXPECT_EQ(local_.predict_pair(0, 1, 0.75).generation, 0u);
}

TEST_F(LocalPredictions, HaveNoGenerationsWhenOff) {
    LocalMotion without(false, false, false, store_);
    without.load(system_.particles, 3, true, 0);
    without.motion(0).time = 0.5;
    without.mark_changed(0, 4);
    EXPECT_EQ(without.predict_pair(0, 1, 0.5).generation, 0u);
}

}  // namespace
}  // namespace ricochet
