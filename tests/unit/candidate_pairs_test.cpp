// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/search/candidate_pairs.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <vector>

namespace ricochet {
namespace {

constexpr std::size_t per_block = BlockStore::block_bytes / sizeof(Slot);

using Pair = std::pair<Slot, Slot>;

/// Partners first, first + 1, ... of the slot, written after asking for `asked` of them.
void add_run(CandidatePairs& pairs, Slot slot, Slot first, std::size_t count, std::size_t asked,
             std::vector<Pair>& expected) {
    Slot* const partners = pairs.begin_run(asked);
    std::iota(partners, partners + count, first);
    pairs.end_run(slot, count);
    for (std::size_t k = 0; k < count; ++k) expected.emplace_back(slot, first + static_cast<Slot>(k));
}

/// Runs of many lengths, some of them longer than a block, some asked for with much room to spare.
std::vector<Pair> fill(CandidatePairs& pairs) {
    std::vector<Pair> expected;
    for (Slot slot = 0; slot < 3000; ++slot) {
        const std::size_t count = slot % 7 == 0 ? 0 : slot % 11;
        const std::size_t asked = slot % 500 == 0 ? 2 * per_block : slot % 100 == 0 ? per_block : 40;
        add_run(pairs, slot, 10 * slot, count, asked, expected);
        if (slot % 1000 == 1) add_run(pairs, slot, 7, 3 * per_block + slot, 4 * per_block, expected);
    }
    return expected;
}

std::vector<Pair> listed(const CandidatePairs& pairs) {
    std::vector<Pair> result;
    pairs.for_each_run([&](Slot slot, std::span<const Slot> partners) {
        EXPECT_FALSE(partners.empty());
        for (const Slot partner : partners) result.emplace_back(slot, partner);
    });
    return result;
}

TEST(CandidatePairs, KeepRunsOfAllLengthsInTheirOrder) {
    BlockStore store;
    CandidatePairs pairs(store);
    const std::vector<Pair> expected = fill(pairs);
    EXPECT_EQ(pairs.size(), expected.size());
    EXPECT_EQ(listed(pairs), expected);
    // Close to 4 bytes a pair and 8 a run.
    const std::size_t used = (store.num_blocks() - store.num_free()) * BlockStore::block_bytes;
    EXPECT_LT(static_cast<double>(used), 1.3 * (4.0 * static_cast<double>(expected.size()) + 8 * 2600));
}

TEST(CandidatePairs, KeepWhatWasWrittenWhenARunAsksForMore) {
    for (const std::size_t step : {std::size_t{8}, std::size_t{100}, per_block}) {
        BlockStore store;
        CandidatePairs pairs(store);
        std::vector<Pair> expected;
        add_run(pairs, 0, 0, 5, 5, expected);
        const std::size_t count = 5 * step;
        for (std::size_t k = 0; k < count; ++k) {
            Slot* const partners = pairs.begin_run((k / step + 1) * step);
            partners[k] = static_cast<Slot>(k);
            expected.emplace_back(9, static_cast<Slot>(k));
        }
        pairs.end_run(9, count);
        add_run(pairs, 1, 3, 5, 5, expected);
        EXPECT_EQ(listed(pairs), expected) << step;
    }
}

TEST(CandidatePairs, AreConsumedInOrderWithEveryPartnerFetchedBefore) {
    BlockStore store;
    CandidatePairs pairs(store);
    const std::vector<Pair> expected = fill(pairs);
    std::vector<Pair> visited;
    std::size_t num_fetched = 0;
    pairs.consume_runs(
        [&](Slot slot, std::span<const Slot> partners) {
            for (const Slot partner : partners) visited.emplace_back(slot, partner);
            EXPECT_GE(num_fetched, visited.size());
        },
        32,
        [&](Slot partner) {
            EXPECT_EQ(partner, expected[num_fetched].second);
            ++num_fetched;
        });
    EXPECT_EQ(visited, expected);
    EXPECT_EQ(num_fetched, expected.size());
    EXPECT_EQ(pairs.size(), 0u);
    EXPECT_EQ(store.num_free(), store.num_blocks());
    EXPECT_EQ(listed(pairs), std::vector<Pair>());
}

TEST(CandidatePairs, CanBeFilledAgain) {
    BlockStore store;
    CandidatePairs pairs(store);
    pairs.end_run(3, 0);  // of a slot without partners, for which nothing was asked
    fill(pairs);
    pairs.clear();
    EXPECT_EQ(store.num_free(), store.num_blocks());
    pairs.end_run(3, 0);
    std::vector<Pair> expected;
    add_run(pairs, 4, 1, 2, 30, expected);
    EXPECT_EQ(listed(pairs), expected);
    EXPECT_EQ(pairs.size(), 2u);
}

}  // namespace
}  // namespace ricochet
