// SPDX-License-Identifier: BSD-3-Clause
//
// A vector of the motions of consecutive particles, one per lane.
#pragma once

#include <array>
#include <cstddef>

#include "geometry/record_columns.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet::detail {

template <class Tag>
struct MotionColumns {
    using Vector = hwy::HWY_NAMESPACE::Vec<Tag>;
    static constexpr std::size_t num_lanes = hwy::HWY_NAMESPACE::MaxLanes(Tag());

    Vector x, y, z, velocity_x, velocity_y, velocity_z, time;

    HWY_INLINE explicit MotionColumns(const Motion* first) {
        static_assert(sizeof(Motion) == 64 && offsetof(Motion, position) == 0 &&
                      offsetof(Motion, velocity) == 24 && offsetof(Motion, time) == 48);
        std::array<const void*, num_lanes> records;
        for (std::size_t k = 0; k < num_lanes; ++k) records[k] = first + k;
        const RecordColumns<Tag> low(records, 0), high(records, 32);
        x = low.first;
        y = low.second;
        z = low.third;
        velocity_x = low.fourth;
        velocity_y = high.first;
        velocity_z = high.second;
        time = high.third;
    }
};

}  // namespace ricochet::detail
