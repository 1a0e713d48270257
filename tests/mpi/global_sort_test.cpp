// SPDX-License-Identifier: BSD-3-Clause
//
// Sorting across ranks, against sorting in one place.
#include "io/global_sort.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ricochet {
namespace {

struct Record {
    std::uint64_t key = 0;
    std::uint64_t origin = 0;
};

std::uint64_t key_of(const Record& record) { return record.key; }

// Sorts the records that `make(rank)` gives each rank, and compares with all of them sorted.
template <class Make>
void expect_sorted(Make make) {
    const boost::mpi::communicator world;
    std::vector<std::uint64_t> expected;
    for (int rank = 0; rank < world.size(); ++rank)
        for (const Record& record : make(rank)) expected.push_back(record.key);
    std::sort(expected.begin(), expected.end());
    const auto block = sort_across_ranks(world, make(world.rank()), key_of);
    const GlobalRows place = locate_rows(world, block.size());
    ASSERT_EQ(place.total, expected.size());
    for (std::size_t k = 0; k < block.size(); ++k) EXPECT_EQ(block[k].key, expected[place.first + k]);
}

std::vector<Record> random_records(int rank, std::size_t count) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(rank) + 1);
    std::vector<Record> records(count);
    for (auto& record : records) record = {generator(), static_cast<std::uint64_t>(rank)};
    return records;
}

TEST(RanksGlobalSort, OrdersRandomKeys) {
    expect_sorted([](int rank) { return random_records(rank, 2000); });
}

TEST(RanksGlobalSort, OrdersUnevenShares) {
    expect_sorted(
        [](int rank) { return random_records(rank, rank == 1 ? 5000 : static_cast<std::size_t>(rank)); });
}

TEST(RanksGlobalSort, OrdersWhenOneRankHasAll) {
    expect_sorted([](int rank) { return random_records(rank, rank == 0 ? 3000 : 0); });
}

TEST(RanksGlobalSort, OrdersFewerRecordsThanRanks) {
    expect_sorted([](int rank) { return random_records(rank, rank == 0 ? 1 : 0); });
}

TEST(RanksGlobalSort, AcceptsNoRecordsAtAll) {
    expect_sorted([](int) { return std::vector<Record>{}; });
}

TEST(RanksGlobalSort, OrdersInterleavedRuns) {
    const int num_ranks = boost::mpi::communicator().size();
    expect_sorted([num_ranks](int rank) {
        std::vector<Record> records;
        for (int k = 999; k >= 0; --k)
            records.push_back({static_cast<std::uint64_t>(k * num_ranks + rank), 0});
        return records;
    });
}

TEST(RanksGlobalSort, KeepsEqualKeysOnOneRank) {
    expect_sorted([](int) { return std::vector<Record>(500, Record{7, 0}); });
}

TEST(RanksGlobalSort, SpreadsTheRecordsEvenly) {
    const boost::mpi::communicator world;
    const auto block = sort_across_ranks(world, random_records(world.rank(), 10000), key_of);
    EXPECT_LT(block.size(), 10500u);
    EXPECT_GT(block.size(), 9500u);
}

TEST(RanksGlobalSort, MovesWholeRecords) {
    const boost::mpi::communicator world;
    const auto block = sort_across_ranks(world, random_records(world.rank(), 100), key_of);
    for (const Record& record : block) {
        const auto of_origin = random_records(static_cast<int>(record.origin), 100);
        EXPECT_TRUE(std::any_of(of_origin.begin(), of_origin.end(),
                                [&](const Record& other) { return other.key == record.key; }));
    }
}

}  // namespace
}  // namespace ricochet
