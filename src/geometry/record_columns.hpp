// SPDX-License-Identifier: BSD-3-Clause
//
// Turns four numbers of each of several records into four vectors, with one lane per record. Vector code
// reads particles and bounding spheres this way, because they are stored record by record.
#pragma once

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace ricochet::detail {

/// The columns of the `records` (one address per lane), from four numbers at `offset` (in bytes) of each.
template <class Tag>
struct RecordColumns {
    using Vector = hwy::HWY_NAMESPACE::Vec<Tag>;
    using Number = hwy::HWY_NAMESPACE::TFromD<Tag>;
    static constexpr std::size_t num_lanes = hwy::HWY_NAMESPACE::MaxLanes(Tag());

    Vector first, second, third, fourth;

    HWY_INLINE RecordColumns(const std::array<const void*, num_lanes>& records, std::size_t offset) {
        namespace hn = hwy::HWY_NAMESPACE;
        const Tag tag;
        const auto address = [&](std::size_t lane) {
            return reinterpret_cast<const Number*>(static_cast<const std::byte*>(records[lane]) + offset);
        };
#if HWY_TARGET != HWY_SCALAR  // which lacks these operations
        if constexpr (num_lanes == 4) {
            // Transposed in registers: through memory, a load that spans two stores would wait for both.
            const Vector a = hn::LoadU(tag, address(0)), b = hn::LoadU(tag, address(1));
            const Vector c = hn::LoadU(tag, address(2)), d = hn::LoadU(tag, address(3));
            const Vector even_ab = hn::InterleaveLower(tag, a, b), odd_ab = hn::InterleaveUpper(tag, a, b);
            const Vector even_cd = hn::InterleaveLower(tag, c, d), odd_cd = hn::InterleaveUpper(tag, c, d);
            // Operations interleave blocks of 16 bytes: one block holds two of each of the doubles, four floats.
            constexpr bool is_one_block = num_lanes * sizeof(Number) == 16;
            const Vector upper_even = hn::ConcatUpperUpper(tag, even_cd, even_ab);
            const Vector lower_odd = hn::ConcatLowerLower(tag, odd_cd, odd_ab);
            first = hn::ConcatLowerLower(tag, even_cd, even_ab);
            second = is_one_block ? upper_even : lower_odd;
            third = is_one_block ? lower_odd : upper_even;
            fourth = hn::ConcatUpperUpper(tag, odd_cd, odd_ab);
            return;
        }
#endif
        alignas(64) std::array<Number, 4 * num_lanes> rows;
        for (std::size_t k = 0; k < num_lanes; ++k) std::memcpy(&rows[4 * k], address(k), 4 * sizeof(Number));
        hn::LoadInterleaved4(tag, rows.data(), first, second, third, fourth);
    }
};

}  // namespace ricochet::detail
