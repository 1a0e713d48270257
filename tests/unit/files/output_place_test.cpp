// SPDX-License-Identifier: BSD-3-Clause
//
// The place of an output, which rank 0 looks at and all ranks learn about: its path, its room, its lock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "files/output_lock.hpp"
#include "files/output_path.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::message_of;
using test::run_ranks;
using test::SharedFolder;
using test::write_bytes;
using testing::AllOf;
using testing::HasSubstr;

TEST(OutputPlace, PathIsRefusedOnAllRanks) {
    const SharedFolder folder;
    write_bytes(folder.file("old"), "precious");
    run_ranks(3, [&](Exchange& exchange) {
        const auto refusal = [&](const std::string& path, bool force) {
            return message_of<InputError>([&] { check_output_path(exchange, path, force); });
        };
        EXPECT_EQ(refusal(folder.file("new"), false), "");
        EXPECT_EQ(refusal(folder.file("old"), true), "");
        EXPECT_THAT(refusal(folder.file("old"), false), AllOf(HasSubstr("it exists"), HasSubstr("--force")));
        EXPECT_THAT(refusal(folder.file("no/such/a"), true), HasSubstr("does not exist"));
    });
    EXPECT_EQ(test::bytes_of(folder.file("old")), "precious");
}

TEST(OutputPlace, RoomIsRefusedOnAllRanks) {
    const SharedFolder folder;
    run_ranks(3, [&](Exchange& exchange) {
        const auto refusal = [&](std::uint64_t num_bytes) {
            return message_of<RunError>([&] { require_free_space(exchange, folder.file("a"), num_bytes); });
        };
        EXPECT_EQ(refusal(1), "");
        EXPECT_THAT(refusal(std::uint64_t{1} << 60), HasSubstr("the next output needs"));
    });
}

TEST(OutputPlace, LockIsHeldForAllRanks) {
    const SharedFolder folder;
    const std::string output = folder.file("a.h5md");
    run_ranks(2, [&](Exchange& exchange) {
        OutputLock lock;
        lock.take(exchange, output);
        EXPECT_EQ(lock.problem(), std::nullopt);
        OutputLock second;
        EXPECT_THAT(message_of<InputError>([&] { second.take(exchange, output); }),
                    HasSubstr("another run writes it"))
            << exchange.rank();
        exchange.bit_or(0);  // the first is held until both have asked
    });
    EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
    run_ranks(2, [&](Exchange& exchange) {
        OutputLock lock;
        EXPECT_NO_THROW(lock.take(exchange, output));
    });
}

}  // namespace
}  // namespace ricochet
