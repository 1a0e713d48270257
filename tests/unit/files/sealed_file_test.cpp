// SPDX-License-Identifier: BSD-3-Clause
//
// Seals that ranks make and check together.
#include "files/sealed_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "ricochet/core/error.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::bytes_of;
using test::run_ranks;
using test::SharedFolder;
using test::write_bytes;
using testing::HasSubstr;
using testing::Optional;

constexpr std::size_t block_bytes = std::size_t{4} << 20;

std::string content_of_length(std::size_t length) {
    std::string content(length, '\0');
    for (std::size_t k = 0; k < length; ++k) content[k] = static_cast<char>(k * 31 % 251);
    return content;
}

/// As all ranks find it, each of them having found the same.
void expect_damage(int num_ranks, const std::string& path, const char* words) {
    run_ranks(num_ranks, [&](Exchange& exchange) {
        EXPECT_THAT(find_damage(exchange, path), Optional(HasSubstr(words))) << exchange.rank();
    });
}

TEST(SealedFile, HasTheSameSealFromAnyNumberOfRanks) {
    const SharedFolder folder;
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, block_bytes, 2 * block_bytes + 1}) {
        std::array<std::string, 2> sealed;
        for (const std::size_t k : {0u, 1u}) {
            const std::string path = folder.file("a");
            write_bytes(path, content_of_length(length));
            run_ranks(k == 0 ? 1 : 5, [&](Exchange& exchange) { seal_file(exchange, path, 77); });
            sealed.at(k) = bytes_of(path);
            run_ranks(3, [&](Exchange& exchange) {
                EXPECT_EQ(find_damage(exchange, path), std::nullopt);
                EXPECT_EQ(owner_of_sealed(path), 77u);
            });
        }
        EXPECT_EQ(sealed[0].size(), length + 40);
        EXPECT_EQ(sealed[0], sealed[1]) << length;
    }
}

TEST(SealedFile, ShowsAnyFlippedBitToAllRanks) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, content_of_length(2 * block_bytes + 100));
    run_ranks(2, [&](Exchange& exchange) { seal_file(exchange, path); });
    const std::string good = bytes_of(path);
    for (const std::size_t place : {std::size_t{0}, block_bytes, good.size() - 41}) {
        std::string bad = good;
        bad[place] = static_cast<char>(bad[place] ^ 4);
        write_bytes(path, bad);
        for (const int num_ranks : {1, 3}) expect_damage(num_ranks, path, "has changed");
    }
}

TEST(SealedFile, ShowsWhatIsCutOffToAllRanks) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, content_of_length(1000));
    run_ranks(2, [&](Exchange& exchange) { seal_file(exchange, path); });
    const std::string good = bytes_of(path);
    write_bytes(path, good.substr(0, 500));
    expect_damage(3, path, "cut off");
    write_bytes(path, good.substr(1));
    expect_damage(3, path, "length");
    write_bytes(path, "");
    expect_damage(3, path, "is empty");
}

TEST(SealedFile, ThatIsMissingIsAnErrorOfAllRanks) {
    const SharedFolder folder;
    run_ranks(3, [&](Exchange& exchange) {
        EXPECT_THROW(seal_file(exchange, folder.file("none")), RunError) << exchange.rank();
        EXPECT_EQ(checksum_of_file(exchange, folder.file("none")), std::nullopt);
        EXPECT_NE(find_damage(exchange, folder.file("none")), std::nullopt);
    });
}

TEST(SealedFile, ChecksumIsThatOfOneRank) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, content_of_length(3 * block_bytes + 7));
    std::optional<std::uint64_t> of_one;
    run_ranks(1, [&](Exchange& exchange) { of_one = checksum_of_file(exchange, path); });
    ASSERT_TRUE(of_one.has_value());
    run_ranks(4, [&](Exchange& exchange) { EXPECT_EQ(checksum_of_file(exchange, path), of_one); });
}

/// Ranks that do not do the same with a file are found, and do not hang.
TEST(SealedFile, MixedUpCollectivesAreFound) {
    const SharedFolder folder;
    const std::string path = folder.file("a");
    write_bytes(path, "content");
    const auto mixed = [&](Exchange& exchange) {
        if (exchange.rank() == 1)
            checksum_of_file(exchange, path);
        else
            seal_file(exchange, path);
    };
    EXPECT_THROW(run_ranks(3, mixed), std::logic_error);
}

}  // namespace
}  // namespace ricochet
