// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/vector_memory.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

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
