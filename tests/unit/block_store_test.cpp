// SPDX-License-Identifier: BSD-3-Clause
#include "core/block_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

struct Record {
    std::uint64_t a = 0, b = 0, c = 0;
};
using Records = BlockVector<Record>;
constexpr std::size_t few_blocks = 3 * Records::per_block + 5;

void append(Records& records, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) records.push_back({k, 2 * k, 3 * k});
}

std::size_t num_used(const BlockStore& store) { return store.num_blocks() - store.num_free(); }

/// Distinct ones, and takes them back.
TEST(BlockStore, HandsOutAlignedBlocks) {
    BlockStore store;
    std::set<std::byte*> blocks;
    for (int k = 0; k < 1000; ++k) {
        std::byte* const block = store.take();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % BlockStore::alignment, 0u);
        block[0] = block[BlockStore::block_bytes - 1] = std::byte{1};
        EXPECT_TRUE(blocks.insert(block).second);
    }
    for (auto at = blocks.begin(), next = std::next(at); next != blocks.end(); ++at, ++next)
        EXPECT_GE(*next - *at, static_cast<std::ptrdiff_t>(BlockStore::block_bytes));
    const std::size_t most = store.num_blocks();
    EXPECT_LE(most, 1000u + 1000u / 16 + 16);
    for (std::byte* const block : blocks) store.give_back(block);
    for (int k = 0; k < 1000; ++k) EXPECT_EQ(blocks.count(store.take()), 1u);
    EXPECT_EQ(store.num_blocks(), most);
}

TEST(BlockVector, KeepsWhatIsAppended) {
    BlockStore store;
    Records records(store);
    EXPECT_TRUE(records.empty());
    for (std::size_t k = 0; k < few_blocks; ++k) {
        EXPECT_EQ(records.size(), k);
        append(records, k, k + 1);
    }
    EXPECT_FALSE(records.empty());
    for (std::size_t k = 0; k < few_blocks; ++k) ASSERT_EQ(records[k].c, 3 * k);
    std::size_t next = 0;
    records.for_each([&](const Record& record) { EXPECT_EQ(record.a, next++); });
    EXPECT_EQ(next, few_blocks);
}

TEST(BlockVector, NeverMovesWhatItHolds) {
    BlockStore store;
    Records records(store);
    append(records, 0, 1);
    const Record* const first = &records[0];
    append(records, 1, few_blocks);
    EXPECT_EQ(&records[0], first);
}

TEST(BlockVector, ShrinksToAnySizeAndGrowsAgain) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, Records::per_block - 1, Records::per_block,
                                   Records::per_block + 1, 3 * Records::per_block, few_blocks}) {
        BlockStore store;
        Records records(store);
        append(records, 0, few_blocks);
        records.shrink(size);
        EXPECT_EQ(records.size(), size);
        EXPECT_EQ(num_used(store), (size + Records::per_block - 1) / Records::per_block);
        append(records, size, few_blocks);
        EXPECT_EQ(records.size(), few_blocks);
        for (std::size_t k = 0; k < few_blocks; ++k) ASSERT_EQ(records[k].b, 2 * k) << size;
    }
}

TEST(BlockVector, IsExtendedByWhatIsWrittenLater) {
    for (const std::size_t before : {std::size_t{0}, std::size_t{1}, Records::per_block}) {
        for (const std::size_t count :
             {std::size_t{0}, std::size_t{1}, Records::per_block - 1, Records::per_block, few_blocks}) {
            BlockStore store;
            Records records(store);
            append(records, 0, before);
            records.extend(count);
            const std::size_t size = before + count;
            EXPECT_EQ(records.size(), size);
            EXPECT_EQ(records.empty(), size == 0);
            EXPECT_EQ(num_used(store), (size + Records::per_block - 1) / Records::per_block);
            for (std::size_t k = before; k < size; ++k) records[k] = {k, 2 * k, 3 * k};
            append(records, size, size + 2);
            std::size_t next = 0;
            records.for_each([&](const Record& record) { EXPECT_EQ(record.c, 3 * next++); });
            EXPECT_EQ(next, size + 2);
        }
    }
}

/// From the blocks of another that is consumed.
TEST(BlockVector, IsFilledFromAConsumedOne) {
    BlockStore store;
    Records from(store), to(store);
    append(from, 0, few_blocks);
    const std::size_t num_before = num_used(store);
    std::size_t most = 0;
    from.consume([&](const Record& record) {
        to.push_back(record);
        most = std::max(most, num_used(store));
    });
    EXPECT_TRUE(from.empty());
    EXPECT_EQ(to.size(), few_blocks);
    for (std::size_t k = 0; k < few_blocks; ++k) ASSERT_EQ(to[k].a, k);
    EXPECT_EQ(most, num_before + 1);
    EXPECT_EQ(num_used(store), num_before);
    append(from, 0, 1);  // still of use
    EXPECT_EQ(from.size(), 1u);
}

TEST(BlockVector, GivesItsBlocksBackWhenItEnds) {
    BlockStore store;
    {
        Records records(store), moved(store);
        append(records, 0, few_blocks);
        append(moved, 0, 1);
        moved = std::move(records);
        EXPECT_EQ(moved.size(), few_blocks);
        const Records last = std::move(moved);
        EXPECT_EQ(last[few_blocks - 1].a, few_blocks - 1);
        EXPECT_TRUE(moved.empty());  // NOLINT(bugprone-use-after-move)
    }
    EXPECT_EQ(num_used(store), 0u);
}

/// Each once.
TEST(BlockVector, GivesBlocksBackWhenAVisitThrows) {
    BlockStore store;
    Records records(store);
    append(records, 0, few_blocks);
    EXPECT_THROW(records.consume([](const Record& record) {
        if (record.a == Records::per_block + 1) throw 1;
    }),
                 int);
    EXPECT_EQ(num_used(store), 0u);
    std::set<std::byte*> blocks;
    for (std::size_t k = store.num_free(); k-- > 0;) EXPECT_TRUE(blocks.insert(store.take()).second);
}

}  // namespace
}  // namespace ricochet
