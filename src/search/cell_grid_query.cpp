// SPDX-License-Identifier: BSD-3-Clause
//
// Queries: finds what overlaps one bounding sphere, and enlarges spheres.
#include <algorithm>
#include <cmath>

#include "ricochet/core/array_memory.hpp"
#include "search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {

CellGrid::Ranges CellGrid::cells_between(const Level& level, int axis, double low, double high) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t n = level.num_cells[a];
    const Ranges whole{{Range{0, n - 1}}, 1};
    if (n == 1) return whole;
    if (is_ring_[a]) return high - low + 2 >= static_cast<double>(n) ? whole : ring_cells(low, high, n);
    const double period = box_.is_periodic(axis) ? box_.size[axis] * level.inverse_edge[axis] : 0;
    if (period > 0 && high - low + 4 >= period) return whole;
    return clipped_cells(low, high, period, n);
}

CellGrid::Ranges CellGrid::ring_cells(double low, double high, std::ptrdiff_t n) {
    const auto first = static_cast<std::ptrdiff_t>(std::floor(low));
    const auto last = static_cast<std::ptrdiff_t>(std::floor(high));
    std::ptrdiff_t begin = first;
    // The centre of a query lies near the box: one or two subtractions are cheaper than a remainder.
    while (begin < 0) begin += n;
    while (begin >= n) begin -= n;
    const std::ptrdiff_t end = begin + (last - first);
    if (end < n) return {{Range{begin, end}}, 1};
    return {{Range{begin, n - 1}, Range{0, end - n}}, 2};
}

CellGrid::Ranges CellGrid::clipped_cells(double low, double high, double period, std::ptrdiff_t n) {
    Ranges ranges;
    for (int image = -1; image <= 1; ++image) {
        if (period == 0 && image != 0) continue;
        const double shift = image * period;
        const auto first = static_cast<std::ptrdiff_t>(std::floor(low + shift));
        const auto last = static_cast<std::ptrdiff_t>(std::floor(high + shift));
        // The end cells also contain what lies, or was rounded, beyond them.
        if (last < -1 || first > n) continue;
        const Range clipped{std::clamp<std::ptrdiff_t>(first, 0, n - 1),
                            std::clamp<std::ptrdiff_t>(last, 0, n - 1)};
        for (int k = 0; k < ranges.count; ++k) {
            const Range& other = ranges.range[static_cast<std::size_t>(k)];
            if (clipped.first <= other.last && other.first <= clipped.last) return {{Range{0, n - 1}}, 1};
        }
        ranges.range[static_cast<std::size_t>(ranges.count++)] = clipped;
    }
    return ranges;
}

void CellGrid::collect_level(const Level& level, Vec3 centre, double radius, const Filter& filter) const {
    const double half_width = radius + level.max_reach + slack();
    Vec3 low, high;  // in cells
    bool is_interior = true;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (centre[axis] - half_width) * level.inverse_edge[axis];
        high[axis] = (centre[axis] + half_width) * level.inverse_edge[axis];
        is_interior = is_interior && low[axis] >= 0 &&
                      high[axis] < static_cast<double>(level.num_cells[static_cast<std::size_t>(axis)]);
    }
    if (is_interior)
        collect_interior(level, low, high, filter);
    else
        collect_anywhere(level, low, high, filter);
}

void CellGrid::collect_interior(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const {
    const int slow = shape_.axis_order[0], middle = shape_.axis_order[1], fast = shape_.axis_order[2];
    const auto stride_slow = level.stride[static_cast<std::size_t>(slow)];
    const auto stride_middle = level.stride[static_cast<std::size_t>(middle)];
    const auto fast_first = static_cast<std::ptrdiff_t>(low[fast]);
    const auto fast_last = static_cast<std::ptrdiff_t>(high[fast]);
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    const auto for_each_row = [&](auto&& visit) {
        const auto last_slow = static_cast<std::ptrdiff_t>(high[slow]);
        const auto last_middle = static_cast<std::ptrdiff_t>(high[middle]);
        for (auto i = static_cast<std::ptrdiff_t>(low[slow]); i <= last_slow; ++i) {
            for (auto j = static_cast<std::ptrdiff_t>(low[middle]); j <= last_middle; ++j)
                visit(starts + i * stride_slow + j * stride_middle);
        }
    };
    // Three passes: each prefetches for all rows what the next one reads.
    for_each_row([&](const std::uint32_t* row) { prefetch(row + fast_first); });
    for_each_row([&](const std::uint32_t* row) { filter.fetch_ahead(row[fast_first]); });
    for_each_row([&](const std::uint32_t* row) { filter.apply<false>(row[fast_first], row[fast_last + 1]); });
}

/// visit(begin, end) for the places of the cells in the cube [low, high] (in cells), in all images.
template <class Visit>
void CellGrid::for_each_range(const Level& level, Vec3 low, Vec3 high, Visit&& visit) const {
    const int slow = shape_.axis_order[0], middle = shape_.axis_order[1], fast = shape_.axis_order[2];
    const Ranges fast_cells = cells_between(level, fast, low[fast], high[fast]);
    const Ranges middle_cells = cells_between(level, middle, low[middle], high[middle]);
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    for_each_cell(cells_between(level, slow, low[slow], high[slow]), [&](std::ptrdiff_t i) {
        for_each_cell(middle_cells, [&](std::ptrdiff_t j) {
            const std::uint32_t* const row = starts + i * level.stride[static_cast<std::size_t>(slow)] +
                                             j * level.stride[static_cast<std::size_t>(middle)];
            for (int f = 0; f < fast_cells.count; ++f) {
                const Range cells = fast_cells.range[static_cast<std::size_t>(f)];
                visit(row[cells.first], row[cells.last + 1]);
            }
        });
    });
}

void CellGrid::collect_anywhere(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const {
    for_each_range(level, low, high, [&](Place begin, Place end) { filter.apply<true>(begin, end); });
}

void CellGrid::count_level(const Level& level, Vec3 centre, double radius, Place first) const {
    const double half_width = radius + level.max_reach + slack();
    Vec3 low, high;  // in cells
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (centre[axis] - half_width) * level.inverse_edge[axis];
        high[axis] = (centre[axis] + half_width) * level.inverse_edge[axis];
    }
    for_each_range(level, low, high, [&](Place begin, Place end) {
        begin = std::max(begin, first);
        num_compared_ += begin < end ? end - begin : 0;
    });
}

void CellGrid::collect_outliers(const Filter& filter) const {
    const auto first = static_cast<Place>(spheres_.size());
    filter.apply<true>(first, first + static_cast<Place>(num_outliers_));
}

void CellGrid::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    // A path that has been bent once is likely to be bent again.
    constexpr double room = 1.1;
    const double reach = radius + room * (reach_needed(spheres_[slot], path, radius) - radius);
    const Place place = place_[slot];
    spheres_[slot].reach = static_cast<float>(reach);
    const float sorted_reach = spheres_[slot].reach * filter_reach_up;
    columns_[3][place] = sorted_reach;
    Level* own = levels_.data();
    while (place < own->begin || place >= own->end) ++own;
    if (level_reach_up * reach > own->max_reach) {
        // For a moderate excess, a wider cube in all queries is cheapest. The few fast spheres are tested one
        // by one.
        constexpr double moderate = 1.2;
        if (reach > moderate * own->sorted_reach && num_outliers_ < max_outliers)
            add_outlier(place);
        else
            own->max_reach = level_reach_up * reach;
    }
    const auto first = std::ssize(found);
    collect_about(midpoint_in_frame(place), static_cast<double>(sorted_reach), found);
    if (is_rolled_up()) remove_far(spheres_[slot], first, found);
}

void CellGrid::query(const BoundingSphere& sphere, std::vector<Slot>& found) const {
    const auto first = std::ssize(found);
    collect_about(in_frame(sphere), static_cast<double>(sphere.reach * filter_reach_up), found);
    if (is_rolled_up()) remove_far(sphere, first, found);
}

/// `centre`: in the frame.
void CellGrid::collect_about(Vec3 centre, double reach, std::vector<Slot>& found) const {
    const Filter filter(*this, centre, reach, 0, found);
    for (const Level& level : levels_)
        if (level.end > level.begin) collect_level(level, centre, reach, filter);
    collect_outliers(filter);
    if (!counts_work_) return;
    num_compared_ += num_outliers_;
    for (const Level& level : levels_)
        if (level.end > level.begin) count_level(level, centre, reach, 0);
}

/// Of those found from `first` on: where the box is rolled up, other turns lie in the same cells.
void CellGrid::remove_far(const BoundingSphere& sphere, std::ptrdiff_t first,
                          std::vector<Slot>& found) const {
    const auto is_far = [&](Slot other) { return !may_overlap(sphere, spheres_[other]); };
    found.erase(std::remove_if(found.begin() + first, found.end(), is_far), found.end());
}

void CellGrid::add_outlier(Place place) {
    const std::size_t copy = spheres_.size() + num_outliers_++;
    order_[copy] = order_[place];
    for (std::size_t c = 0; c < 4; ++c) columns_[c][copy] = columns_[c][place];
}

}  // namespace ricochet
