// SPDX-License-Identifier: BSD-3-Clause
//
// What runs of islands append, and the order in which an arena takes events.
#include "engine/run_pools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/run_arena.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Contact contact_at(double time) {
    Contact contact;
    contact.key.time = time;
    return contact;
}

std::vector<double> times_in(const ContactPool& pool) {
    ContactList list;
    pool.give_to(list);
    std::vector<double> times;
    for (const Contact& contact : list.contacts()) times.push_back(contact.key.time);
    return times;
}

class Pools : public testing::Test {
  protected:
    Pools() {
        for (int k = 0; k < 10; ++k) pools_.contacts.push_back(contact_at(k));
    }
    BlockStore store_;
    RunPools pools_{store_};
};

TEST_F(Pools, CloseGapsOfDiscardedRuns) {
    pools_.dead_contacts = {{1, 3}, {6, 7}};
    pools_.close_gaps();
    EXPECT_THAT(times_in(pools_.contacts), UnorderedElementsAre(0, 3, 4, 5, 7, 8, 9));
    pools_.close_gaps();
    EXPECT_EQ(pools_.contacts.size(), 7u);
}

/// Neighbouring gaps, one at the end, and all of the pool.
TEST_F(Pools, CloseGapsAnywhere) {
    pools_.dead_contacts = {{8, 10}, {4, 6}, {6, 8}};
    pools_.close_gaps();
    EXPECT_THAT(times_in(pools_.contacts), UnorderedElementsAre(0, 1, 2, 3));
    pools_.dead_contacts = {{0, 4}};
    pools_.close_gaps();
    EXPECT_THAT(times_in(pools_.contacts), IsEmpty());
}

TEST_F(Pools, KeepOnlyContactsWhenCleared) {
    pools_.undo.push_back({});
    pools_.claims.push_back(3);
    pools_.outgoing.push_back({});
    pools_.dead_contacts = {{0, 9}};
    pools_.clear();
    EXPECT_TRUE(pools_.undo.empty());
    EXPECT_THAT(pools_.claims, IsEmpty());
    EXPECT_TRUE(pools_.outgoing.empty());
    EXPECT_THAT(times_in(pools_.contacts), ElementsAre(9));
}

/// By time, then generation, then the lower and the higher id, whichever partner is named first.
TEST(RunArena, TakesEventsInTheOrderOfTheirKeys) {
    test::System system;
    system.box = test::walled_box({10, 10, 10});
    for (const double x : {2.0, 4.0, 6.0, 8.0}) test::add_particle(system, {x, 5, 5}, {1, 0, 0});
    const World world = test::world_of(system);
    StepContext context(world, ContactRules(world), {});
    StepState state(context);
    state.local.load(system.particles, 4, true, 0);
    BoundaryEvent event;
    event.key = {.time = 0.5, .generation = 0, .low = 1, .high = 2};
    context.remote.push_back({2, event});
    RunArena arena(context, state);
    const auto predict = [](double time, std::uint32_t generation, Slot a, Partner b) {
        return Prediction{time, generation, a, b, 0, 0, 0};
    };
    const std::vector<Prediction> in_order{
        predict(0.25, 9, 3, Partner::particle(2)), predict(0.5, 0, 3, Partner::particle(0)),
        predict(0.5, 0, 0, Partner::obstacle(1)),  predict(0.5, 0, 2, Partner::of_remote_event()),
        predict(0.5, 0, 1, Partner::particle(3)),  predict(0.5, 1, 1, Partner::particle(0)),
    };
    for (const std::size_t k : {4u, 1u, 5u, 0u, 3u, 2u}) arena.heap.push(in_order[k]);
    for (const Prediction& expected : in_order) {
        ASSERT_FALSE(arena.heap.empty());
        const Prediction next = arena.heap.pop();
        EXPECT_EQ(next.time, expected.time);
        EXPECT_EQ(next.a, expected.a);
        EXPECT_EQ(next.b, expected.b);
    }
    EXPECT_TRUE(arena.heap.empty());
}

}  // namespace
}  // namespace ricochet
