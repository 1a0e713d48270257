// SPDX-License-Identifier: BSD-3-Clause
//
// The islands of a sub-window as structure: which slots belong together, what a discarded run leaves behind.
#include "engine/islands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

constexpr NeighbourMask above = 1;

/// Twelve particles in a row, in a box with walls, and the islands of one sub-window.
class Islands : public testing::Test {
  protected:
    Islands() {
        system_.box = test::walled_box({30, 10, 10});
        for (int k = 0; k < 12; ++k) test::add_particle(system_, {2.0 * k + 1, 5, 5}, {1, 0, 0});
        local_.load(system_.particles, 12, true, 0);
    }

    static WaitingContact pair(double time, Slot a, Slot b) {
        return InitialPrediction{time, a, Partner::particle(b)}.waiting();
    }
    static WaitingContact with_wall(double time, Slot slot, ObstacleNumber face) {
        return InitialPrediction{time, slot, Partner::obstacle(face)}.waiting();
    }
    std::size_t open(const std::vector<WaitingContact>& contacts) {
        BlockVector<WaitingContact> waiting(store_);
        for (const WaitingContact& contact : contacts) waiting.push_back(contact);
        const std::size_t num_open = forest_.open(local_, waiting);
        EXPECT_TRUE(waiting.empty());
        return num_open;
    }
    std::uint32_t root_of(Slot slot) {
        const std::uint32_t island = local_.status(slot).island;
        return island == no_island ? no_island : forest_.find(island);
    }

    /// What a run does with a slot: changes it, once or more, at a speed.
    void change(Slot slot, double time, double speed) {
        pools_.undo.push_back(local_.undo_record(slot));
        change_again(slot, time, speed);
    }
    void change_again(Slot slot, double time, double speed) {
        local_.motion(slot).time = time;
        local_.motion(slot).velocity = {speed, 0, 0};
        local_.mark_changed(slot, 0);
    }
    void claim(std::uint32_t root, Slot slot) {
        local_.status(slot).island = root;
        pools_.claims.push_back(slot);
    }
    void record(double time) {
        Contact contact;
        contact.key.time = time;
        pools_.contacts.push_back(contact);
    }
    /// A run of the island with one contact, at this time, of this slot.
    void run(std::uint32_t root, Slot slot, double time) {
        forest_.begin_run(root, pools_);
        change(slot, time, -1);
        record(time);
        forest_.end_run(root, pools_);
    }

    std::vector<double> pending_of(std::uint32_t root) const {
        std::vector<double> times;
        forest_.for_each_pending(root, [&](const Prediction& p) { times.push_back(p.time); });
        return times;
    }
    std::vector<std::uint32_t> remote_on(std::uint32_t root) const {
        std::vector<std::uint32_t> events;
        forest_.for_each_remote(root, [&](std::uint32_t event) { events.push_back(event); });
        return events;
    }
    std::vector<Slot> changed_in(std::uint32_t root) const {
        std::vector<Slot> slots;
        forest_.for_each_changed(root, [&](Slot slot) {
            slots.push_back(slot);
            return true;
        });
        return slots;
    }
    std::vector<double> recorded() const {
        ContactList list;
        pools_.contacts.give_to(list);
        std::vector<double> times;
        for (const Contact& c : list.contacts()) times.push_back(c.key.time);
        return times;
    }

    test::System system_;
    BlockStore store_;
    LocalMotion local_{false, false, true, store_};
    IslandForest forest_{store_};
    RunPools pools_{store_};
};

// --- which slots belong together ---------------------------------------------------------------------------

TEST_F(Islands, AreComponentsOfTheContacts) {
    EXPECT_EQ(open({pair(0.1, 0, 1), pair(0.2, 3, 4), pair(0.3, 1, 2), pair(0.4, 6, 7)}), 4u);
    EXPECT_EQ(root_of(0), root_of(2));
    EXPECT_EQ(root_of(3), root_of(4));
    EXPECT_NE(root_of(0), root_of(3));
    EXPECT_NE(root_of(3), root_of(6));
    EXPECT_EQ(root_of(5), no_island);
    EXPECT_THAT(pending_of(root_of(0)), UnorderedElementsAre(0.1, 0.3));
    EXPECT_THAT(pending_of(root_of(3)), ElementsAre(0.2));
}

TEST_F(Islands, AreJoinedByABridge) {
    open({pair(0.1, 0, 1), pair(0.2, 3, 4), pair(0.3, 4, 0)});
    EXPECT_EQ(root_of(1), root_of(3));
    EXPECT_THAT(pending_of(root_of(1)), UnorderedElementsAre(0.1, 0.2, 0.3));
}

TEST_F(Islands, OfWallContactsHaveOneSlot) {
    EXPECT_EQ(open({with_wall(0.1, 0, 0), with_wall(0.2, 11, 1)}), 2u);
    EXPECT_NE(root_of(0), no_island);
    EXPECT_NE(root_of(0), root_of(11));
}

TEST_F(Islands, LeaveOutStaleContacts) {
    change_again(1, 0.05, -1);
    EXPECT_EQ(open({pair(0.1, 0, 1), pair(0.2, 3, 4)}), 1u);
    EXPECT_EQ(root_of(0), no_island);
    EXPECT_EQ(root_of(1), no_island);
    EXPECT_THAT(pending_of(root_of(3)), ElementsAre(0.2));
}

TEST_F(Islands, PinASlotOnce) {
    const std::uint32_t island = forest_.pin(local_, 5);
    EXPECT_TRUE(forest_.is_root(island));
    EXPECT_EQ(forest_.pin(local_, 5), island);
    EXPECT_NE(forest_.pin(local_, 6), island);
    EXPECT_EQ(forest_.size(), 2u);
}

TEST_F(Islands, PinASlotToTheRootOfAUnion) {
    const std::uint32_t first = forest_.pin(local_, 5), second = forest_.pin(local_, 6);
    forest_.unite(first, second);
    EXPECT_EQ(forest_.pin(local_, 6), first);
    EXPECT_EQ(local_.status(6).island, first);
}

/// Whichever comes first in the argument list, so that islands come up when their first contact does.
TEST_F(Islands, UniteUnderTheEarlierOne) {
    open({pair(0.1, 0, 1), pair(0.2, 3, 4), pair(0.3, 6, 7)});
    const std::uint32_t a = root_of(0), b = root_of(3), c = root_of(6);
    EXPECT_EQ(forest_.unite(c, b), b);
    EXPECT_EQ(forest_.unite(b, a), a);
    EXPECT_EQ(forest_.find(c), a);
    EXPECT_TRUE(forest_.is_root(a));
    EXPECT_FALSE(forest_.is_root(b));
    EXPECT_EQ(forest_.unite(a, a), a);
    EXPECT_THAT(pending_of(a), UnorderedElementsAre(0.1, 0.2, 0.3));
}

// --- remote events -----------------------------------------------------------------------------------------

TEST_F(Islands, KeepImposedEventsInAUnion) {
    const std::uint32_t a = forest_.pin(local_, 2), b = forest_.pin(local_, 5);
    forest_.add_remote(a, 0);
    forest_.add_remote(b, 1);
    forest_.add_remote(b, 2);
    EXPECT_THAT(remote_on(a), ElementsAre(0u));
    EXPECT_THAT(remote_on(b), UnorderedElementsAre(1u, 2u));
    EXPECT_THAT(remote_on(forest_.unite(a, b)), UnorderedElementsAre(0u, 1u, 2u));
}

TEST_F(Islands, ForgetImposedEventsOfUnionsToo) {
    const std::uint32_t a = forest_.pin(local_, 2), b = forest_.pin(local_, 5);
    forest_.add_remote(b, 1);
    forest_.unite(a, b);
    forest_.clear_remote();
    EXPECT_THAT(remote_on(a), IsEmpty());
    forest_.add_remote(a, 7);
    EXPECT_THAT(remote_on(a), ElementsAre(7u));
}

// --- discarded runs ----------------------------------------------------------------------------------------

TEST_F(Islands, RestoreSlotsWhenRolledBack) {
    open({pair(0.1, 0, 1)});
    const std::uint32_t root = root_of(0);
    const Motion before = local_.motion(0);
    run(root, 0, 0.1);
    EXPECT_TRUE(forest_[root].is_current);
    EXPECT_NE(local_.motion(0).velocity, before.velocity);
    forest_.roll_back(local_, pools_, root);
    EXPECT_FALSE(forest_[root].is_current);
    EXPECT_EQ(local_.motion(0).velocity, before.velocity);
    EXPECT_EQ(local_.motion(0).time, before.time);
    EXPECT_EQ(local_.status(0).stamp, 0u);
    EXPECT_EQ(local_.status(0).num_contacts, 0u);
}

/// A run may keep a slot twice; the older record is the one that counts.
TEST_F(Islands, UndoTheLatestChangeFirst) {
    const std::uint32_t root = forest_.pin(local_, 0);
    forest_.begin_run(root, pools_);
    change(0, 0.1, -1);
    change(0, 0.2, 3);
    forest_.end_run(root, pools_);
    forest_.roll_back(local_, pools_, root);
    EXPECT_EQ(local_.motion(0).velocity, (Vec3{1, 0, 0}));
    EXPECT_EQ(local_.status(0).stamp, 0u);
}

/// The rollback rule: what a discarded run had changed is searched again by each later run.
TEST_F(Islands, NoteWhatDiscardedRunsChanged) {
    open({pair(0.1, 0, 1), pair(0.2, 3, 4)});
    const std::uint32_t a = root_of(0), b = root_of(3);
    run(a, 0, 0.1);
    run(b, 4, 0.2);
    EXPECT_THAT(changed_in(a), IsEmpty());
    forest_.roll_back(local_, pools_, a);
    forest_.roll_back(local_, pools_, b);
    EXPECT_THAT(changed_in(a), ElementsAre(0u));
    EXPECT_THAT(changed_in(forest_.unite(a, b)), UnorderedElementsAre(0u, 4u));
    run(a, 1, 0.15);
    forest_.roll_back(local_, pools_, a);
    EXPECT_THAT(changed_in(a), UnorderedElementsAre(0u, 1u, 4u));
}

TEST_F(Islands, ReleaseClaimsWhenRolledBack) {
    const std::uint32_t root = forest_.pin(local_, 0);
    forest_.begin_run(root, pools_);
    claim(root, 8);
    forest_.end_run(root, pools_);
    EXPECT_EQ(root_of(8), root);
    forest_.roll_back(local_, pools_, root);
    EXPECT_EQ(root_of(8), no_island);
    EXPECT_EQ(root_of(0), root);
}

TEST_F(Islands, LeaveOtherRunsWhenRolledBack) {
    const std::uint32_t a = forest_.pin(local_, 0), b = forest_.pin(local_, 5);
    run(a, 0, 0.1);
    run(b, 5, 0.2);
    forest_.roll_back(local_, pools_, a);
    EXPECT_TRUE(forest_[b].is_current);
    EXPECT_EQ(local_.motion(5).time, 0.2);
    EXPECT_NE(local_.status(5).stamp, 0u);
}

TEST_F(Islands, AreNotRolledBackTwice) {
    const std::uint32_t root = forest_.pin(local_, 0);
    run(root, 0, 0.1);
    forest_.roll_back(local_, pools_, root);
    change_again(0, 0.3, 5);
    forest_.roll_back(local_, pools_, root);
    EXPECT_EQ(local_.motion(0).time, 0.3);
    EXPECT_THAT(changed_in(root), ElementsAre(0u));
}

TEST_F(Islands, SendNothingFromDiscardedRuns) {
    const std::uint32_t a = forest_.pin(local_, 0), b = forest_.pin(local_, 5);
    forest_.begin_run(a, pools_);
    pools_.outgoing.push_back({above, {}});
    forest_.end_run(a, pools_);
    forest_.begin_run(b, pools_);
    pools_.outgoing.push_back({above, {}});
    forest_.end_run(b, pools_);
    forest_.roll_back(local_, pools_, a);
    ASSERT_EQ(pools_.outgoing.size(), 2u);
    EXPECT_EQ(pools_.outgoing[0].receivers, 0u);
    EXPECT_EQ(pools_.outgoing[1].receivers, above);
    forest_.roll_back(local_, pools_, b);  // the last in its pool, which then shrinks
    EXPECT_EQ(pools_.outgoing.size(), 1u);
}

/// The contacts of a discarded run leave a gap, which is closed when the window is: in the middle, at the end
/// because the run behind it was discarded later, and longer than what is left behind it.
TEST_F(Islands, KeepOnlyTheContactsThatStand) {
    for (const std::vector<std::size_t>& discarded :
         {std::vector<std::size_t>{1, 2}, {1, 4, 5}, {4}, {0, 2, 4}, {5, 3}, {0, 1, 2, 3, 4, 5}}) {
        std::vector<std::uint32_t> roots;
        std::vector<double> standing;
        pools_.contacts.clear();
        for (Slot slot = 0; slot < 6; ++slot) {
            roots.push_back(forest_.pin(local_, slot));
            forest_.begin_run(roots.back(), pools_);
            const std::size_t num_contacts = slot == 5 ? 1 : 2;
            for (std::size_t k = 0; k < num_contacts; ++k) {
                record(slot + 0.5 * static_cast<double>(k));
                if (std::count(discarded.begin(), discarded.end(), slot) == 0)
                    standing.push_back(slot + 0.5 * static_cast<double>(k));
            }
            forest_.end_run(roots.back(), pools_);
        }
        for (const std::size_t k : discarded) forest_.roll_back(local_, pools_, roots[k]);
        forest_.clear(local_, pools_);
        EXPECT_THAT(recorded(), UnorderedElementsAreArray(standing));
    }
}

TEST_F(Islands, ForgetEverythingElseWhenCleared) {
    open({pair(0.1, 0, 1)});
    const std::uint32_t root = root_of(0);
    forest_.begin_run(root, pools_);
    claim(root, 8);
    change(0, 0.1, 2);
    record(0.1);
    forest_.end_run(root, pools_);
    forest_.note_cap(root, {});
    forest_.clear(local_, pools_);
    EXPECT_EQ(forest_.size(), 0u);
    EXPECT_TRUE(pools_.undo.empty());
    EXPECT_TRUE(pools_.claims.empty());
    EXPECT_TRUE(forest_.pending().empty());
    EXPECT_FALSE(forest_.cap_hit());
    for (const Slot slot : {0u, 1u, 8u}) EXPECT_EQ(local_.status(slot).island, no_island);
    EXPECT_THAT(recorded(), ElementsAre(0.1));
}

// --- what runs say about themselves ------------------------------------------------------------------------

TEST_F(Islands, NameTheEarliestCapHit) {
    const std::uint32_t a = forest_.pin(local_, 0), b = forest_.pin(local_, 5);
    EXPECT_FALSE(forest_.cap_hit());
    forest_.note_cap(a, {.key = {0.5, 0, 1, 2}, .particle = 1, .count = 9});
    forest_.note_cap(b, {.key = {0.25, 3, 4, 5}, .particle = 4, .count = 9});
    ASSERT_TRUE(forest_.cap_hit());
    EXPECT_EQ(forest_.cap_hit()->particle, 4u);
}

TEST_F(Islands, TakeCapHitsBackWithTheRun) {
    const std::uint32_t a = forest_.pin(local_, 0), b = forest_.pin(local_, 5);
    run(a, 0, 0.5);
    forest_.note_cap(a, {.key = {0.5, 0, 1, 2}, .particle = 1, .count = 9});
    run(b, 5, 0.25);
    forest_.note_cap(b, {.key = {0.25, 3, 4, 5}, .particle = 4, .count = 9});
    forest_.roll_back(local_, pools_, b);
    EXPECT_FALSE(forest_[b].has_cap_hit);
    ASSERT_TRUE(forest_.cap_hit());
    EXPECT_EQ(forest_.cap_hit()->particle, 1u);
}

/// Bounds are kept in few bits: they may be too large by little, never too small.
TEST_F(Islands, BoundExtentsAndSpeedsFromAbove) {
    const std::uint32_t root = forest_.pin(local_, 0);
    for (const double speed : {0.1, 1.0 / 3, 7.7e-30, 123456.789, 9.9e30}) {
        forest_.begin_run(root, pools_);
        EXPECT_EQ(forest_[root].max_speed(), 0);
        EXPECT_EQ(forest_[root].max_extent(), Vec3{});
        forest_[root].include_speed(speed);
        forest_[root].include_speed(speed / 2);
        forest_[root].include({speed, 0, speed / 3});
        forest_.end_run(root, pools_);
        EXPECT_GE(forest_[root].max_speed(), speed);
        EXPECT_LE(forest_[root].max_speed(), 1.01 * speed);
        EXPECT_GE(forest_[root].max_extent().x, speed);
        EXPECT_LE(forest_[root].max_extent().x, (1 + 1e-6) * speed);
        EXPECT_GE(forest_[root].max_extent().z, speed / 3);
    }
}

/// After one contact: the faster of before and after. After several, all that the run has seen.
TEST_F(Islands, KnowThePeakSpeedOfASlot) {
    const std::uint32_t root = forest_.pin(local_, 0);
    forest_.begin_run(root, pools_);
    forest_[root].include_speed(50);
    change(0, 0.1, 4);
    change(1, 0.2, 0.5);
    change(2, 0.3, 2);
    change_again(2, 0.4, 3);
    forest_.end_run(root, pools_);
    EXPECT_EQ(forest_.peak_speed(local_, pools_, root, 0), 4);
    EXPECT_EQ(forest_.peak_speed(local_, pools_, root, 1), 1);
    EXPECT_GE(forest_.peak_speed(local_, pools_, root, 2), 50);
}

}  // namespace
}  // namespace ricochet
