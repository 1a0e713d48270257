// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/array_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "core/block_store.hpp"

namespace ricochet {
namespace {

constexpr std::size_t large = 4 * large_page_bytes;

/// What the kernel notes of the mapping that holds the address ("hg": large pages wanted); empty when
/// unknown.
std::string flags_of_mapping(const void* address) {
    std::ifstream maps("/proc/self/smaps");
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    bool is_here = false;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t dash = line.find('-');
        if (dash != std::string::npos && line.find_first_not_of("0123456789abcdef") == dash) {
            std::size_t length = 0;
            const std::uintptr_t begin = std::stoull(line, &length, 16);
            is_here = begin <= at && at < std::stoull(line.substr(dash + 1), nullptr, 16);
        } else if (is_here && line.starts_with("VmFlags:")) {
            return line.substr(8) + " ";
        }
    }
    return {};
}

bool has_large_pages() { return std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"); }

TEST(LargeArrays, AVectorKeepsItsElements) {
    std::vector<std::uint64_t> vector(1000);
    std::iota(vector.begin(), vector.end(), 5u);
    const std::vector<std::uint64_t> before = vector;
    reserve_in_large_pages(vector, large / sizeof(std::uint64_t));
    EXPECT_EQ(vector, before);
    EXPECT_GE(vector.capacity(), large / sizeof(std::uint64_t));
    const std::uint64_t* const place = vector.data();
    reserve_in_large_pages(vector, 2000);
    EXPECT_EQ(vector.data(), place);
    EXPECT_EQ(vector, before);
}

TEST(LargeArrays, AskForLargePages) {
    if (!has_large_pages()) GTEST_SKIP() << "this system has no large pages to ask for";
    std::vector<std::uint64_t> vector;
    reserve_in_large_pages(vector, large / sizeof(std::uint64_t));
    EXPECT_NE(flags_of_mapping(vector.data() + large / 2 / sizeof(std::uint64_t)).find(" hg "),
              std::string::npos);

    BlockStore store;
    std::vector<std::byte*> blocks;
    for (std::size_t bytes = 0; bytes < 2 * large; bytes += BlockStore::block_bytes)
        blocks.push_back(store.take());
    EXPECT_NE(flags_of_mapping(blocks.back()).find(" hg "), std::string::npos);
}

TEST(LargeArrays, LeaveWhatIsThereAlone) {
    std::vector<std::byte> bytes(large, std::byte{7});
    prefer_large_pages(bytes.data() + 1, large - 2);
    prefer_large_pages(bytes.data(), 10);
    for (const std::byte byte : bytes) ASSERT_EQ(byte, std::byte{7});
}

TEST(ClearAndTrim, FreesMemoryThatOnlyOneUseNeeded) {
    std::vector<int> numbers(100'000);
    clear_and_trim(numbers);
    EXPECT_GE(numbers.capacity(), 100'000u);  // the latest use needed all of it
    numbers.resize(20'000);
    clear_and_trim(numbers);
    EXPECT_TRUE(numbers.empty());
    EXPECT_GE(numbers.capacity(), 20'000u);
    EXPECT_LT(numbers.capacity(), 50'000u);
}

TEST(ResizeForOverwrite, GrowsByLittleMoreThanAsked) {
    std::vector<int> numbers(3200);
    resize_for_overwrite(numbers, 6400);
    EXPECT_EQ(numbers.size(), 6400u);
    EXPECT_LE(numbers.capacity(), 6600u);
    const int* const place = numbers.data();
    resize_for_overwrite(numbers, 100);
    resize_for_overwrite(numbers, 6600);
    EXPECT_EQ(numbers.size(), 6600u);
    EXPECT_EQ(numbers.data(), place);
    numbers.clear();
    make_room(numbers, 10'000);
    EXPECT_TRUE(numbers.empty());
    EXPECT_GE(numbers.capacity(), 10'000u);
    EXPECT_LE(numbers.capacity(), 10'400u);
}

}  // namespace
}  // namespace ricochet
