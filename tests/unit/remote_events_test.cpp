// SPDX-License-Identifier: BSD-3-Clause
//
// What a neighbour says of a shared particle, as the engine of one slab takes it.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/support/engine_run.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet {
namespace {

/// A slab from 0 to 32, a disc at rest in it, and one above the face that is a copy or owned as well.
class RemoteEvents : public testing::TestWithParam<bool> {
  protected:
    static constexpr ParticleId at_rest = 0, shared = 1;

    RemoteEvents() {
        holders_.reset(2);
        holders_.set(shared, 1);
        Coverage coverage;
        coverage.is_whole_box = false;
        coverage.upper = 32;
        coverage.lower = 0;
        coverage.halo_width = 4;
        coverage.straight = PathReach(1);
        window_.emplace(system_, GetParam() ? 1 : 2, holders_, coverage);
    }

    /// After a contact out of sight, at the given time and where it then is, it flies to the one at rest.
    BoundaryEvent turn(double time) const {
        BoundaryEvent event;
        event.key = {time, 0, shared, 5};
        event.particle = shared;
        event.position = {33, 8 + time, 0};
        event.velocity = {-6, -time, 0};
        event.state_hash = state_hash_of(system_.particles.motion[shared]);
        return event;
    }

    test::System system_ = test::Scenario("a slab from 0 to 32")
                               .walled({64, 16, 0})
                               .timestep(1)
                               .sphere({30, 8, 0})
                               .sphere({33, 8, 0}, {0, 1, 0})
                               .system();
    Holders holders_;
    std::optional<test::OpenWindow> window_;
};

TEST_P(RemoteEvents, LeadToContacts) {
    const std::vector<BoundaryEvent> events{turn(0.25)};
    EXPECT_TRUE(window_->set_remote_events(events));
    EXPECT_FALSE(window_->set_remote_events(events));
    const auto all = window_->commit();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].key.time, 0.25 + 2.0 / 6, 0.02);
    EXPECT_EQ(all[0].key.low, at_rest);
    EXPECT_EQ(all[0].key.high, shared);
}

TEST_P(RemoteEvents, AreTakenBackWithWhatTheyLedTo) {
    EXPECT_TRUE(window_->set_remote_events({turn(0.25)}));
    EXPECT_TRUE(window_->set_remote_events({}));
    EXPECT_TRUE(window_->commit().empty());
}

/// What follows from what is no longer so is ignored.
TEST_P(RemoteEvents, CountOnlyOnTheirPremise) {
    BoundaryEvent event = turn(0.25);
    event.state_hash += 1;
    window_->set_remote_events({event});
    EXPECT_TRUE(window_->commit().empty());
}

TEST_P(RemoteEvents, CountWhereTheOneBeforeThemDoes) {
    BoundaryEvent first = turn(0.25), second = turn(0.5);
    first.velocity = {0, 0, 0};
    Motion between = system_.particles.motion[shared];
    between.position = first.position;
    between.velocity = first.velocity;
    between.time = first.key.time;
    second.state_hash = state_hash_of(between);
    window_->set_remote_events({second});
    window_->set_remote_events({first, second});
    EXPECT_EQ(window_->commit().size(), 1u);
}

/// The events are of particles that no other rank has.
TEST_P(RemoteEvents, AreIgnoredForUnsharedOnes) {
    BoundaryEvent event = turn(0.25);
    event.particle = at_rest;
    event.state_hash = state_hash_of(system_.particles.motion[at_rest]);
    EXPECT_FALSE(window_->set_remote_events({event}));
}

INSTANTIATE_TEST_SUITE_P(OnCopiesAndOwned, RemoteEvents, testing::Bool());

}  // namespace
}  // namespace ricochet
