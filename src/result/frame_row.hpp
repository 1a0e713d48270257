// SPDX-License-Identifier: BSD-3-Clause
//
// The data of one particle in a frame, sent between ranks as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ricochet/result/result_description.hpp"

namespace ricochet {

struct FrameRow {
    std::uint64_t id = 0;
    std::array<double, 3> position{};
    std::array<double, 3> velocity{};
    std::array<std::int64_t, 3> image{};
    double radius = 0;
    double mass = 0;
    std::uint32_t species = 0;
    std::uint32_t unused = 0;  ///< explicit padding
};
static_assert(sizeof(FrameRow) == 104 && std::is_trivially_copyable_v<FrameRow>);

/// Consecutive rows of a frame.
struct RowBlock {
    std::uint64_t first = 0;
    std::vector<FrameRow> rows;
};

/// The row of a particle that has ended, or is not yet: the fill values of all elements.
inline FrameRow absent_row() {
    FrameRow row;
    row.id = absent_id;
    row.species = absent_species;
    return row;
}

}  // namespace ricochet
