// SPDX-License-Identifier: BSD-3-Clause
#include "engine/holders.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace ricochet {
namespace {

void expect_masks(const Holders& holders, const std::map<Slot, NeighbourMask>& masks) {
    for (Slot slot = 0; slot < holders.size(); ++slot) {
        const auto found = masks.find(slot);
        ASSERT_EQ(holders[slot], found == masks.end() ? 0 : found->second) << "slot " << slot;
        if (holders[slot] != 0) {
            ASSERT_TRUE(holders.may_be_shared(slot)) << "slot " << slot;
        }
    }
}

TEST(Holders, NobodyHoldsAnythingAtFirst) {
    Holders holders;
    holders.reset(10'000);
    EXPECT_EQ(holders.size(), 10'000u);
    expect_masks(holders, {});
    for (Slot slot = 0; slot < holders.size(); ++slot) ASSERT_FALSE(holders.may_be_shared(slot));
}

TEST(Holders, EverySlotHasTheMaskThatWasSetLast) {
    std::mt19937 random(5);
    Holders holders;
    for (const std::size_t size : {1u, 64u, 4095u, 4096u, 20'000u, 300u}) {
        holders.reset(size);
        std::map<Slot, NeighbourMask> masks;
        for (int k = 0; k < 500; ++k) {
            const auto slot = static_cast<Slot>(random() % size);
            masks[slot] = random() % 4 == 0 ? 0 : static_cast<NeighbourMask>(random());
            holders.set(slot, masks[slot]);
        }
        expect_masks(holders, masks);
        // Copies follow.
        holders.resize(size + 1000);
        for (Slot slot = static_cast<Slot>(size); slot < holders.size(); slot += 3) {
            masks[slot] = slot;
            holders.set(slot, slot);
        }
        expect_masks(holders, masks);
    }
}

TEST(Holders, ABlockOfDeepSlotsIsSeenToBeUnshared) {
    Holders holders;
    holders.reset(100'000);
    for (Slot slot = 0; slot < holders.size(); ++slot) holders.set(slot, slot >= 90'000 ? 1 : 0);
    std::size_t num_possible = 0;
    for (Slot slot = 0; slot < holders.size(); ++slot) num_possible += holders.may_be_shared(slot) ? 1 : 0;
    EXPECT_LE(num_possible, 10'064u);
    EXPECT_GE(num_possible, 10'000u);
}

TEST(Holders, AllThatIsSharedIsVisitedOnce) {
    std::mt19937 random(6);
    Holders holders;
    for (const std::size_t size : {1u, 63u, 64u, 65u, 5000u}) {
        holders.reset(size);
        std::set<Slot> shared;
        for (int k = 0; k < 200; ++k) {
            const auto slot = static_cast<Slot>(random() % size);
            const auto mask = static_cast<NeighbourMask>(random() % 3 == 0 ? 0 : 1 + random() % 7);
            holders.set(slot, mask);
            mask == 0 ? (void)shared.erase(slot) : (void)shared.insert(slot);
        }
        std::set<Slot> visited;
        holders.for_each_shared([&](Slot slot) { EXPECT_TRUE(visited.insert(slot).second) << slot; });
        EXPECT_EQ(visited, shared);
    }
}

}  // namespace
}  // namespace ricochet
