// SPDX-License-Identifier: BSD-3-Clause
#include "engine/neighbour_lists.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ricochet {
namespace {

std::vector<Slot> neighbours(const NeighbourLists& lists, Slot slot) {
    std::vector<Slot> scratch;
    const auto list = lists.of(slot, scratch);
    std::vector<Slot> sorted(list.begin(), list.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

NeighbourLists example(BlockStore& store) {
    CandidatePairs pairs(store);
    pairs.add(2, 0);
    pairs.add(2, 3);
    pairs.add(0, 3);
    pairs.add(2, 4);
    EXPECT_EQ(pairs.size(), 4u);
    NeighbourLists lists(store);
    lists.build(pairs, 6);
    return lists;
}

using Slots = std::vector<Slot>;

TEST(NeighbourLists, HoldEveryPairOnBothSides) {
    BlockStore store;
    const NeighbourLists lists = example(store);
    EXPECT_EQ(neighbours(lists, 0), (Slots{2, 3}));
    EXPECT_EQ(neighbours(lists, 1), Slots{});
    EXPECT_EQ(neighbours(lists, 2), (Slots{0, 3, 4}));
    EXPECT_EQ(neighbours(lists, 3), (Slots{0, 2}));
    EXPECT_EQ(neighbours(lists, 4), Slots{2});
    EXPECT_EQ(neighbours(lists, 5), Slots{});
}

/// By what is new.
TEST(NeighbourLists, AreExtendedOnBothSides) {
    BlockStore store;
    NeighbourLists lists = example(store);
    lists.extend(2, Slots{2, 0, 5, 4, 1});  // itself and known ones among them
    EXPECT_EQ(neighbours(lists, 2), (Slots{0, 1, 3, 4, 5}));
    EXPECT_EQ(neighbours(lists, 5), Slots{2});
    EXPECT_EQ(neighbours(lists, 1), Slots{2});
    EXPECT_EQ(neighbours(lists, 0), (Slots{2, 3}));
    lists.extend(5, Slots{2, 1});
    EXPECT_EQ(neighbours(lists, 5), (Slots{1, 2}));
    EXPECT_EQ(neighbours(lists, 1), (Slots{2, 5}));
}

TEST(NeighbourLists, NameAllNeighboursAhead) {
    BlockStore store;
    const NeighbourLists lists = example(store);
    for (Slot slot = 0; slot < 6; ++slot) {
        std::vector<Slot> ahead;
        lists.for_each_ahead(slot, [&](Slot other) { ahead.push_back(other); });
        for (const Slot neighbour : neighbours(lists, slot))
            EXPECT_NE(std::find(ahead.begin(), ahead.end(), neighbour), ahead.end()) << slot;
        EXPECT_LE(ahead.size(), neighbours(lists, slot).size() + 3);
    }
}

TEST(NeighbourLists, ForgetExtensionsWhenBuiltAgain) {
    BlockStore store;
    NeighbourLists lists = example(store);
    lists.extend(5, Slots{1});
    lists.build(CandidatePairs(store), 3);
    for (Slot slot = 0; slot < 3; ++slot) EXPECT_EQ(neighbours(lists, slot), Slots{});
}

}  // namespace
}  // namespace ricochet
