// SPDX-License-Identifier: BSD-3-Clause
#include "search/candidate_pairs.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ricochet {
namespace {

using Pair = std::pair<Slot, Slot>;

/// Pairs that were asked for with room for more, of which few, all or none were kept; and single ones.
std::vector<Pair> fill(CandidatePairs& pairs) {
    std::vector<Pair> expected;
    for (Slot slot = 0; slot < 5000; ++slot) {
        const std::size_t asked = slot % 500 == 0 ? CandidatePairs::per_block : 40;
        const std::size_t count = slot % 7 == 0 ? 0 : slot % 1500 == 0 ? asked : slot % 41;
        const CandidatePairs::Room room = pairs.room_for(asked);
        for (std::size_t k = 0; k < asked; ++k) {
            room.first[k] = slot;
            room.second[k] = slot + static_cast<Slot>(k);
            if (k < count) expected.emplace_back(room.first[k], room.second[k]);
        }
        pairs.keep(count);
        if (slot % 3 != 0) continue;
        pairs.add(7, slot);
        expected.emplace_back(7, slot);
    }
    return expected;
}

void append(const PairSpan& some, std::vector<Pair>& list) {
    EXPECT_EQ(some.first.size(), some.second.size());
    for (std::size_t k = 0; k < some.size(); ++k) list.emplace_back(some.first[k], some.second[k]);
}

std::vector<Pair> listed(const CandidatePairs& pairs) {
    std::vector<Pair> result;
    pairs.for_each_block([&](const PairSpan& some) { append(some, result); });
    return result;
}

TEST(CandidatePairs, AreKeptInTheirOrder) {
    BlockStore store;
    CandidatePairs pairs(store);
    const std::vector<Pair> expected = fill(pairs);
    EXPECT_EQ(pairs.size(), expected.size());
    EXPECT_EQ(listed(pairs), expected);
    // Close to 8 bytes a pair.
    const std::size_t used = (store.num_blocks() - store.num_free()) * BlockStore::block_bytes;
    EXPECT_LT(static_cast<double>(used), 1.2 * 8.0 * static_cast<double>(expected.size()));
}

/// And give their memory back.
TEST(CandidatePairs, AreConsumedInOrder) {
    BlockStore store;
    CandidatePairs pairs(store);
    const std::vector<Pair> expected = fill(pairs);
    std::vector<Pair> visited;
    std::size_t num_free = store.num_free();
    pairs.consume([&](const PairSpan& some) {
        append(some, visited);
        EXPECT_EQ(store.num_free(), num_free++);
    });
    EXPECT_EQ(visited, expected);
    EXPECT_EQ(pairs.size(), 0u);
    EXPECT_EQ(store.num_free(), store.num_blocks());
    EXPECT_EQ(listed(pairs), std::vector<Pair>());
}

TEST(CandidatePairs, CanBeFilledAgain) {
    BlockStore store;
    CandidatePairs pairs(store);
    EXPECT_EQ(pairs.size(), 0u);
    fill(pairs);
    pairs.clear();
    EXPECT_EQ(store.num_free(), store.num_blocks());
    pairs.add(4, 1);
    EXPECT_EQ(listed(pairs), (std::vector<Pair>{{4, 1}}));
    EXPECT_EQ(pairs.size(), 1u);
}

}  // namespace
}  // namespace ricochet
