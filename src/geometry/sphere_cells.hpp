// SPDX-License-Identifier: BSD-3-Clause
//
// The box cut into equal cells, for searches among resting spheres, and the order of these cells. Two searches use it:
// that among spheres of a growing set (geometry/sphere_grid.hpp) and the overlap census.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

class SphereCells {
  public:
    /// The number of a cell, x + (y << 21) + (z << 42): ascending along x, then y, then z.
    using Cell = std::uint64_t;
    static constexpr int bits_of_index = 21;

    /// The cells of an axis that a query looks at. Along a periodic axis they may lie beyond the box, by less than it.
    struct Range {
        std::int64_t first;
        std::int64_t count;
        /// The k-th index to visit, from the middle outwards: an overlap is most likely in the middle.
        std::int64_t from_middle(std::int64_t k) const {
            const std::int64_t shifted = k + count / 2;
            return first + (shifted < count ? shifted : shifted - count);
        }
    };

    /// Cells of at least `edge`, a length.
    /// Requires: edge > 0.
    SphereCells(const Box& box, double edge);

    static Cell cell(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return x + (y << bits_of_index) + (z << (2 * bits_of_index));
    }
    /// The cell of a centre in the box.
    Cell cell_of(Vec3 centre) const;

    /// Those within reach of a coordinate, none twice.
    Range range(int axis, double centre, double reach) const {
        const std::int64_t n = num_cells_[static_cast<std::size_t>(axis)];
        const double low = std::floor((centre - reach) * cells_per_length_[axis] - cell_slack);
        const double high = std::floor((centre + reach) * cells_per_length_[axis] + cell_slack);
        const double limit = static_cast<double>(2 * largest_cell_count);
        auto first = static_cast<std::int64_t>(low < -limit ? -limit : low);
        auto last = static_cast<std::int64_t>(high > limit ? limit : high);
        if (!is_periodic_[static_cast<std::size_t>(axis)]) {
            first = first < 0 ? 0 : first;
            last = last >= n ? n - 1 : last;
        } else if (last - first + 1 >= n) {
            return {0, n};
        }
        return {first, last - first + 1};
    }
    /// The index in the box of a cell of a range.
    std::uint64_t wrapped(std::int64_t cell, int axis) const {
        const std::int64_t n = num_cells_[static_cast<std::size_t>(axis)];
        if (cell < 0) cell += n;
        if (cell >= n) cell -= n;
        return static_cast<std::uint64_t>(cell);
    }
    std::int64_t num_cells(int axis) const { return num_cells_[static_cast<std::size_t>(axis)]; }

  private:
    static constexpr std::int64_t largest_cell_count = std::int64_t{1} << 20;

    std::array<std::int64_t, 3> num_cells_{1, 1, 1};
    Vec3 cells_per_length_;
    std::array<bool, 3> is_periodic_{};
};

/// The cell of a record, and its place among them.
using CellEntry = std::pair<SphereCells::Cell, std::uint32_t>;

/// Sorts by cells, then by places. Requires: places ascend.
void sort_entries(std::vector<CellEntry>& entries);

/// Sorts records by their cells, cell(record). The sort is stable.
template <class Record, class CellOf>
void sort_by_cell(std::vector<Record>& records, CellOf&& cell) {
    std::vector<CellEntry> order;
    reserve_in_large_pages(order, records.size());
    for (const Record& record : records)
        order.emplace_back(cell(record), static_cast<std::uint32_t>(order.size()));
    sort_entries(order);
    std::vector<Record> sorted;
    reserve_in_large_pages(sorted, records.size());
    for (const auto& entry : order) sorted.push_back(records[entry.second]);
    records.swap(sorted);
}

}  // namespace ricochet
