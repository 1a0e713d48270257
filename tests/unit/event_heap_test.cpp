// SPDX-License-Identifier: BSD-3-Clause
//
// The heap of one island hands its events out in the order of ContactKey, whatever order they came in.
#include "engine/event_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "tests/support/hash_random.hpp"

namespace ricochet {
namespace {

/// Slots are the ids here. Counts how often it is asked.
struct BySlots {
    int* num_asked;
    bool operator()(const Prediction& p, const Prediction& q) const {
        ++*num_asked;
        return std::pair(p.a, p.b.slot()) > std::pair(q.a, q.b.slot());
    }
};

Prediction event(double time, std::uint32_t generation, Slot a, Slot b = 9) {
    return {.time = time, .generation = generation, .a = a, .b = Partner::particle(b)};
}
auto order_of(const Prediction& p) { return std::tuple(p.time, p.generation, p.a, p.b.slot()); }

class EventHeapOrder : public testing::Test {
  protected:
    void push(const std::vector<Prediction>& events) {
        for (const Prediction& e : events) heap_.push(e);
    }
    std::vector<std::tuple<double, std::uint32_t, Slot, Slot>> popped() {
        std::vector<std::tuple<double, std::uint32_t, Slot, Slot>> all;
        while (!heap_.empty()) all.push_back(order_of(heap_.pop()));
        return all;
    }

    int num_asked_ = 0;
    EventHeap<BySlots> heap_{BySlots{&num_asked_}};
};

TEST_F(EventHeapOrder, IsEmptyAtFirst) { EXPECT_TRUE(heap_.empty()); }

TEST_F(EventHeapOrder, IsByTimeFirst) {
    push({event(0.3, 0, 1), event(0.1, 7, 5), event(0.2, 3, 2)});
    EXPECT_EQ(heap_.pop().time, 0.1);
    EXPECT_EQ(heap_.pop().time, 0.2);
    EXPECT_EQ(heap_.pop().time, 0.3);
    EXPECT_TRUE(heap_.empty());
}

TEST_F(EventHeapOrder, IsByGenerationAtOneTime) {
    push({event(0.5, 2, 0), event(0.5, 0, 7), event(0.5, 1, 3)});
    EXPECT_EQ(heap_.pop().generation, 0u);
    EXPECT_EQ(heap_.pop().generation, 1u);
    EXPECT_EQ(heap_.pop().generation, 2u);
}

TEST_F(EventHeapOrder, IsByIdsAtOneTimeAndGeneration) {
    push({event(0.5, 1, 4, 6), event(0.5, 1, 2, 8), event(0.5, 1, 4, 5), event(0.5, 1, 2, 3)});
    EXPECT_EQ(order_of(heap_.pop()), std::tuple(0.5, 1u, 2u, 3u));
    EXPECT_EQ(order_of(heap_.pop()), std::tuple(0.5, 1u, 2u, 8u));
    EXPECT_EQ(order_of(heap_.pop()), std::tuple(0.5, 1u, 4u, 5u));
    EXPECT_EQ(order_of(heap_.pop()), std::tuple(0.5, 1u, 4u, 6u));
}

/// Ids are far away in memory, so only exact ties may ask for them.
TEST_F(EventHeapOrder, AsksForIdsAtTiesOnly) {
    push({event(0.1, 0, 1), event(0.2, 0, 2), event(0.2, 1, 3), event(0.3, 0, 4)});
    popped();
    EXPECT_EQ(num_asked_, 0);
    push({event(0.2, 1, 3), event(0.2, 1, 2)});
    popped();
    EXPECT_GT(num_asked_, 0);
}

TEST_F(EventHeapOrder, HoldsBetweenPushesAndPops) {
    test::HashRandom random(5);
    std::vector<std::tuple<double, std::uint32_t, Slot, Slot>> inside;
    for (int round = 0; round < 2000; ++round) {
        if (inside.empty() || random.uniform() < 0.55) {
            const Prediction e = event(0.25 * static_cast<double>(random.index(8)),
                                       static_cast<std::uint32_t>(random.index(3)),
                                       static_cast<Slot>(random.index(5)), static_cast<Slot>(round));
            heap_.push(e);
            inside.push_back(order_of(e));
        } else {
            const auto first = std::min_element(inside.begin(), inside.end());
            EXPECT_EQ(order_of(heap_.pop()), *first);
            inside.erase(first);
        }
    }
    std::sort(inside.begin(), inside.end());
    EXPECT_EQ(popped(), inside);
}

TEST_F(EventHeapOrder, KeepsWhatAnEventCarries) {
    const Prediction e{
        .time = 1, .generation = 2, .a = 3, .b = Partner::particle(4), .stamp_a = 5, .stamp_b = 6};
    heap_.push(e);
    const Prediction back = heap_.pop();
    EXPECT_EQ(order_of(back), order_of(e));
    EXPECT_EQ(back.stamp_a, 5u);
    EXPECT_EQ(back.stamp_b, 6u);
}

TEST_F(EventHeapOrder, ForgetsAllWhenCleared) {
    push({event(0.1, 0, 1), event(0.2, 0, 2)});
    heap_.clear();
    EXPECT_TRUE(heap_.empty());
    heap_.push(event(0.4, 0, 1));
    EXPECT_EQ(heap_.pop().time, 0.4);
}

}  // namespace
}  // namespace ricochet
