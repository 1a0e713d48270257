// SPDX-License-Identifier: BSD-3-Clause
#include "core/columns.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace ricochet {
namespace {

using FourColumns = Columns<float, 4>;

// The third and the last size are such that four arrays by themselves, with room to spare and each on pages
// of its own, would lie 2 MiB + 64 KiB apart.
constexpr std::size_t sizes[] = {1, 1000, 523'500, 524'288, 1'000'000, 523'700};

/// Where an element's line must be in a first cache of 4 KiB per way.
std::uintptr_t set_of(const float* element) { return reinterpret_cast<std::uintptr_t>(element) / 64 % 64; }

TEST(Columns, HoldWhatIsWrittenToEach) {
    for (const std::size_t size : sizes) {
        FourColumns columns;
        columns.make_room(size);
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t k = 0; k < size; ++k) columns[c][k] = static_cast<float>(4 * k + c);
        const FourColumns& read = columns;
        std::size_t num_wrong = 0;
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t k = 0; k < size; ++k) num_wrong += read[c][k] != static_cast<float>(4 * k + c);
        EXPECT_EQ(num_wrong, 0u) << size;
    }
}

/// A row and those about it.
TEST(Columns, NeverCompeteForACacheSet) {
    for (const std::size_t size : sizes) {
        FourColumns columns;
        columns.make_room(size);
        constexpr std::size_t about = 64;
        for (std::size_t k = 0; k + about <= size; k += 13) {
            std::set<std::uintptr_t> lines, sets;
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t row = k; row < k + about; row += 16) {
                    lines.insert(reinterpret_cast<std::uintptr_t>(&columns[c][row]) / 64);
                    sets.insert(set_of(&columns[c][row]));
                }
            ASSERT_EQ(sets.size(), lines.size()) << "at row " << k << " of " << size;
        }
    }
}

TEST(Columns, StayWhereTheyAreWhileThereIsRoom) {
    FourColumns columns;
    columns.make_room(100'000);
    const float* const place = columns[3];
    columns[3][77] = 5;
    columns.make_room(10);
    columns.make_room(102'000);  // room for a few more was made
    EXPECT_EQ(columns[3], place);
    EXPECT_EQ(columns[3][77], 5);
}

}  // namespace
}  // namespace ricochet
