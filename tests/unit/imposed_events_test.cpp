// SPDX-License-Identifier: BSD-3-Clause
//
// What a neighbour says of a shared particle, as the engine of one slab takes it.
#include <gtest/gtest.h>

#include <vector>

#include "ricochet/engine/step_engine.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

/// A slab from 0 to 32, a disc at rest in it, and one above the face that is a copy or owned as well.
class ImposedEvents : public testing::TestWithParam<bool> {
  protected:
    static constexpr ParticleId at_rest = 0, shared = 1;
    static constexpr double dt = 1;

    ImposedEvents() {
        system_.box = test::walled_box({64, 16, 0});
        test::add_particle(system_, {30, 8, 0}, {}, 0.5, 1);
        test::add_particle(system_, {33, 8, 0}, {0, 1, 0}, 0.5, 1);
        engine_ = test::engine_for(system_, {});
        holders_.reset(2);
        holders_.set(shared, 1);
        Coverage coverage;
        coverage.is_whole_box = false;
        coverage.upper = 32;
        coverage.lower = 0;
        coverage.halo_width = 4;
        coverage.straight = PathReach(1);
        engine_->begin_step(system_.particles, GetParam() ? 1 : 2, holders_, {0, dt}, coverage);
        engine_->plan_windows(1);
        engine_->begin_window();
        engine_->resolve();
    }

    /// After a contact out of sight, at the given time and where it then is, it flies to the one at rest.
    BoundaryEvent turn(double time) const {
        BoundaryEvent event;
        event.key = {time, 0, shared, 5};
        event.particle = shared;
        event.position = {33, 8 + time, 0};
        event.velocity = {-6, -time, 0};
        event.premise = premise_of(system_.particles.motion[shared]);
        return event;
    }

    std::vector<Contact> contacts() {
        engine_->commit_window();
        std::vector<Contact> all;
        engine_->contacts().for_each([&](const Contact& contact) { all.push_back(contact); });
        return all;
    }

    test::System system_;
    std::unique_ptr<StepEngine> engine_;
    Holders holders_;
};

TEST_P(ImposedEvents, AreFollowedByTheContactsTheyLeadTo) {
    const std::vector<BoundaryEvent> events{turn(0.25)};
    EXPECT_TRUE(engine_->impose(events));
    engine_->resolve();
    EXPECT_FALSE(engine_->impose(events));
    const auto all = contacts();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].key.time, 0.25 + 2.0 / 6, 0.02);
    EXPECT_EQ(all[0].key.low, at_rest);
    EXPECT_EQ(all[0].key.high, shared);
}

TEST_P(ImposedEvents, AreTakenBackWithWhatTheyLedTo) {
    EXPECT_TRUE(engine_->impose(std::vector{turn(0.25)}));
    engine_->resolve();
    EXPECT_TRUE(engine_->impose({}));
    engine_->resolve();
    EXPECT_TRUE(contacts().empty());
}

TEST_P(ImposedEvents, ThatFollowFromWhatIsNoLongerSoAreNone) {
    BoundaryEvent event = turn(0.25);
    event.premise += 1;
    engine_->impose(std::vector{event});
    engine_->resolve();
    EXPECT_TRUE(contacts().empty());
}

TEST_P(ImposedEvents, CountWhereTheOneBeforeThemDoes) {
    BoundaryEvent first = turn(0.25), second = turn(0.5);
    first.velocity = {0, 0, 0};
    Motion between = system_.particles.motion[shared];
    between.position = first.position;
    between.velocity = first.velocity;
    between.time = first.key.time;
    second.premise = premise_of(between);
    engine_->impose(std::vector{second});
    engine_->resolve();
    engine_->impose(std::vector{first, second});
    engine_->resolve();
    EXPECT_EQ(contacts().size(), 1u);
}

TEST_P(ImposedEvents, OfParticlesThatNobodyElseHasAreIgnored) {
    BoundaryEvent event = turn(0.25);
    event.particle = at_rest;
    event.premise = premise_of(system_.particles.motion[at_rest]);
    EXPECT_FALSE(engine_->impose(std::vector{event}));
}

INSTANTIATE_TEST_SUITE_P(OnCopiesAndOwned, ImposedEvents, testing::Bool());

}  // namespace
}  // namespace ricochet
