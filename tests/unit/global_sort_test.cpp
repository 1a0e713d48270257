// SPDX-License-Identifier: BSD-3-Clause
//
// Sorting across ranks, against sorting in one place.
#include "parallel/global_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

struct Record {
    std::uint64_t key = 0;
    std::uint64_t origin = 0;
};

std::uint64_t key_of(const Record& record) { return record.key; }

class GlobalSort : public testing::TestWithParam<int> {
  protected:
    static int num_ranks() { return GetParam(); }

    /// Sorts the records that `make(rank)` gives each rank, and compares with all of them sorted.
    template <class Make>
    static void expect_sorted(Make make) {
        std::vector<std::uint64_t> expected;
        for (int rank = 0; rank < num_ranks(); ++rank)
            for (const Record& record : make(rank)) expected.push_back(record.key);
        std::sort(expected.begin(), expected.end());
        test::run_ranks(num_ranks(), [&](Exchange& exchange) {
            const auto block = sort_across_ranks(exchange, make(exchange.rank()), key_of);
            const GlobalRows place = locate_rows(exchange, block.size());
            ASSERT_EQ(place.total, expected.size());
            for (std::size_t k = 0; k < block.size(); ++k) ASSERT_EQ(block[k].key, expected[place.first + k]);
        });
    }
};

std::vector<Record> random_records(int rank, std::size_t count) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(rank) + 1);
    std::vector<Record> records(count);
    for (auto& record : records) record = {generator(), static_cast<std::uint64_t>(rank)};
    return records;
}

TEST_P(GlobalSort, OrdersRandomKeys) {
    expect_sorted([](int rank) { return random_records(rank, 2000); });
}

TEST_P(GlobalSort, OrdersUnevenShares) {
    expect_sorted(
        [](int rank) { return random_records(rank, rank == 1 ? 5000 : static_cast<std::size_t>(rank)); });
}

TEST_P(GlobalSort, OrdersWhenOneRankHasAll) {
    expect_sorted([](int rank) { return random_records(rank, rank == 0 ? 3000 : 0); });
}

TEST_P(GlobalSort, OrdersFewerRecordsThanRanks) {
    expect_sorted([](int rank) { return random_records(rank, rank == 0 ? 1 : 0); });
}

TEST_P(GlobalSort, AcceptsNoRecordsAtAll) {
    expect_sorted([](int) { return std::vector<Record>{}; });
}

TEST_P(GlobalSort, OrdersInterleavedRuns) {
    expect_sorted([](int rank) {
        std::vector<Record> records;
        for (int k = 999; k >= 0; --k)
            records.push_back({static_cast<std::uint64_t>(k * num_ranks() + rank), 0});
        return records;
    });
}

TEST_P(GlobalSort, KeepsEqualKeysOnOneRank) {
    expect_sorted([](int) { return std::vector<Record>(500, Record{7, 0}); });
}

TEST_P(GlobalSort, SpreadsTheRecordsEvenly) {
    test::run_ranks(num_ranks(), [](Exchange& exchange) {
        const auto block = sort_across_ranks(exchange, random_records(exchange.rank(), 10000), key_of);
        EXPECT_LT(block.size(), 10500u);
        EXPECT_GT(block.size(), 9500u);
    });
}

TEST_P(GlobalSort, MovesWholeRecords) {
    test::run_ranks(num_ranks(), [](Exchange& exchange) {
        const auto block = sort_across_ranks(exchange, random_records(exchange.rank(), 100), key_of);
        for (const Record& record : block) {
            const auto of_origin = random_records(static_cast<int>(record.origin), 100);
            EXPECT_TRUE(std::any_of(of_origin.begin(), of_origin.end(),
                                    [&](const Record& other) { return other.key == record.key; }));
        }
    });
}

/// Once for all: later merges of as many records find the room of earlier ones.
TEST_P(GlobalSort, MergesInMemoryThatIsKept) {
    test::run_ranks(num_ranks(), [](Exchange& exchange) {
        std::vector<Record> records, spare;
        std::size_t room = 0;
        for (int round = 0; round < 5; ++round) {
            auto own = random_records(exchange.rank() + 10 * round, 4000);
            std::sort(own.begin(), own.end(), [](const Record& a, const Record& b) { return a.key < b.key; });
            if (round == 0) {
                records.reserve(5000);
                spare.reserve(5000);
                room = records.capacity() + spare.capacity();
            }
            records.assign(own.begin(), own.end());
            merge_across_ranks(exchange, records, spare, key_of);
            EXPECT_TRUE(std::is_sorted(records.begin(), records.end(),
                                       [](const Record& a, const Record& b) { return a.key < b.key; }));
            EXPECT_EQ(locate_rows(exchange, records.size()).total,
                      4000u * static_cast<unsigned>(exchange.size()));
            EXPECT_EQ(records.capacity() + spare.capacity(), room);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(RankCounts, GlobalSort, testing::Values(1, 2, 3, 4, 5, 7));

}  // namespace
}  // namespace ricochet
