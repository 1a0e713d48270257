// SPDX-License-Identifier: BSD-3-Clause
//
// Which checkpoints there are, as all ranks find them. Their content, which HDF5 reads, is for the tests with
// MPI: that library serves one thread of a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;
using test::SharedFolder;
using test::write_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

/// One that is empty, one without its seal, and files that are none.
void write_damaged(const SharedFolder& folder) {
    write_bytes(folder.file("a.checkpoint-7"), "");
    write_bytes(folder.file("a.checkpoint-12"), std::string(100, 'x'));
    write_bytes(folder.file("a.checkpoint-12.tmp"), "unfinished");
    write_bytes(folder.file("a.checkpoint-x"), "another's");
    write_bytes(folder.file("b.checkpoint-3"), "another's");
}

TEST(CheckpointNames, AreListedTheNewestFirst) {
    const SharedFolder folder;
    write_damaged(folder);
    EXPECT_THAT(list_checkpoints(folder.file("a")),
                ElementsAre(folder.file("a.checkpoint-12"), folder.file("a.checkpoint-7")));
}

TEST(CheckpointNames, AllRanksFindTheSameDamage) {
    const SharedFolder folder;
    write_damaged(folder);
    for (const int num_ranks : {1, 2, 5})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            const FoundCheckpoint found = read_newest_checkpoint(exchange, folder.file("a"));
            EXPECT_FALSE(found.checkpoint.has_value());
            EXPECT_THAT(found.damaged, ElementsAre(HasSubstr("a.checkpoint-12: is damaged: it is cut off"),
                                                   HasSubstr("a.checkpoint-7: is damaged: it is empty")))
                << exchange.rank();
        });
}

TEST(CheckpointNames, OnlyTheRunsOwnAreRemoved) {
    const SharedFolder folder;
    write_damaged(folder);
    run_ranks(3, [&](Exchange& exchange) {
        remove_checkpoints(exchange, folder.file("a"));
        exchange.bit_or(0);
        EXPECT_TRUE(list_checkpoints(folder.file("a")).empty());
    });
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.checkpoint-12.tmp")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("a.checkpoint-x")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("b.checkpoint-3")));
}

}  // namespace
}  // namespace ricochet
