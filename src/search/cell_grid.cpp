// SPDX-License-Identifier: BSD-3-Clause
//
// Building the grid: levels and their cells.
#include "ricochet/search/cell_grid.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/vector_memory.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {
namespace {

/// A level has at most 16 cells per ball, and may have 4,096 where it has few balls. Boxes of which all axes
/// are longer than a cell stay far below.
constexpr double cells_per_ball_limit = 16, fewest_limit = 4096;

/// Halves the largest of the counts until their product is within the limit. An axis shorter than a cell has
/// one cell all the same; so a box that is very long for its width would have too many along its length.
Vec3 limited(Vec3 counts, double most) {
    while (counts.x * counts.y * counts.z > most) {
        int largest = 0;
        for (const int axis : {1, 2})
            if (counts[axis] > counts[largest]) largest = axis;
        counts[largest] = std::ceil(counts[largest] / 2);
    }
    return counts;
}

}  // namespace

CellGrid::CellGrid(const Box& box, const GridShape& shape)
    : box_(box),
      images_(box),
      shape_(shape),
      slack_(2 * ball_slack(box)),
      most_reach_(reach_of_box(box)),
      frame_size_(box.size),
      is_ring_{box.is_periodic(0), box.is_periodic(1), box.is_periodic(2)} {}

void CellGrid::build(std::span<SweptBall> balls, SearchDomain domain) {
    balls_ = balls;
    set_frame(domain);
    if (shape_.has_longest_first) order_axes();
    num_strays_ = 0;
    choose_levels();
    sort_into_places();
    mean_reach_ = latest_mean_reach_;
}

/// The domain and some room about it, so that for many steps the frame can remain what it is.
void CellGrid::set_frame(SearchDomain domain) {
    const bool was_part = is_part_;
    is_part_ = domain.width < box_.size.x;
    is_ring_[0] = box_.is_periodic(0) && !is_part_;
    if (!is_part_) {
        frame_lower_ = 0;
        frame_size_.x = box_.size.x;
        return;
    }
    const double room = std::min(domain.width / 256, (box_.size.x - domain.width) / 16);
    const double below = domain.lower - frame_lower_;
    const double above = frame_size_.x - domain.width - below;
    if (was_part && std::min(below, above) >= 0 && std::max(below, above) <= 4 * room) return;
    frame_lower_ = domain.lower - room;
    frame_size_.x = domain.width + 2 * room;
}

/// Another order moves all particles when they are sorted: it must not come and go with the width of a halo.
void CellGrid::order_axes() {
    constexpr double clearly = 1.25;
    const auto length = [this](int axis) { return frame_size_[axis]; };
    int longest = shape_.axis_order[0];
    for (const int axis : {0, 1, 2})
        if (length(axis) > length(longest)) longest = axis;
    if (length(longest) < clearly * length(shape_.axis_order[0])) return;
    shape_.axis_order = {longest, longest == 0 ? 1 : 0, longest == 2 ? 1 : 2};
}

void CellGrid::choose_levels() {
    // Where levels end matters for speed only: the mean of the step before will do.
    if (mean_reach_ == 0 && !balls_.empty()) mean_reach_ = static_cast<double>(balls_.front().reach);
    for (Level& level : levels_) {
        const auto before = level.num_cells;
        level = {};
        level.num_cells_before = before;
    }
    level_size_.fill(0);
    tally_reaches();
    std::size_t num_cells = 0;
    Place begin = 0;
    for (std::size_t l = max_levels; l-- > 0;) {
        Level& level = levels_[l];
        level.max_reach *= level_slack;
        level.sorted_reach = level.max_reach;
        size_cells(level, level_size_[l]);
        level.first_cell = num_cells;
        level.begin = begin;
        begin = level.end = begin + static_cast<Place>(level_size_[l]);
        num_cells += static_cast<std::size_t>(level.num_cells[0] * level.num_cells[1] * level.num_cells[2]);
    }
    resize_for_overwrite(cell_start_, num_cells + 1);
    std::fill(cell_start_.begin(), cell_start_.end(), 0u);
}

void CellGrid::size_cells(Level& level, std::size_t num_balls) const {
    level.most_cells = std::max(fewest_limit, cells_per_ball_limit * static_cast<double>(num_balls));
    double volume = 1;
    int num_cut = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (!shape_.is_cut[static_cast<std::size_t>(axis)]) continue;
        volume *= frame_size_[axis];
        ++num_cut;
    }
    const double per_ball = volume / static_cast<double>(std::max<std::size_t>(num_balls, 1));
    set_rows(level, per_ball, num_cut);
    level.has_wide_rows = allows_adjacency(level);
    if (level.has_wide_rows) return;
    const double spacing = std::pow(shape_.particles_per_cell * per_ball, 1.0 / num_cut);
    const double edge = std::max(spacing, level.max_reach);
    set_cells(level, edge, edge);
}

/// Rows as wide as two balls that meet can be apart, or in dilute systems so wide that the interval in which
/// a ball meets others holds some, fewer than a vector; along them, cells so short that they do not lengthen
/// the interval much.
void CellGrid::set_rows(Level& level, double volume_per_ball, int num_cut) const {
    constexpr double balls_per_interval = 6, balls_per_cell = 0.5;
    const double widest = 2 * level.max_reach + slack_;
    const double typical = std::min(mean_reach_, level.max_reach) + level.max_reach;
    double most_across = frame_size_[shape_.axis_order[0]] + frame_size_[shape_.axis_order[1]];
    for (const int axis : {shape_.axis_order[0], shape_.axis_order[1]})
        if (is_ring_[static_cast<std::size_t>(axis)])
            most_across = std::min(most_across, frame_size_[axis] / 3);
    const auto across_for = [&](double balls) {
        if (num_cut == 1) return widest;
        const double cross_section = balls * volume_per_ball / (2 * typical);
        return std::max(widest,
                        std::min(most_across, num_cut == 3 ? std::sqrt(cross_section) : cross_section));
    };
    const double across = across_for(balls_per_interval);
    double volume_per_length = 1;
    for (int axis = 1; axis < num_cut; ++axis) volume_per_length *= across;
    constexpr double shortest_in_reaches = 1.0 / 8;
    set_cells(level, across,
              std::max(shortest_in_reaches * typical, balls_per_cell * volume_per_ball / volume_per_length));
}

/// How many cells of these edges there is room for, by axis.
Vec3 CellGrid::counts_of(double across, double along) const {
    constexpr double beyond_all = 1e15;
    Vec3 counts{1, 1, 1};
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = shape_.axis_order[k];
        if (!shape_.is_cut[static_cast<std::size_t>(axis)]) continue;
        counts[axis] = std::clamp(std::floor(frame_size_[axis] / (k == 2 ? along : across)), 1.0, beyond_all);
    }
    return counts;
}

/// As many rows as before where that is nearly as good: the fastest particle, another one in each step, would
/// have particles that are sorted along the rows sorted anew. Measured for a million Brownian spheres at
/// volume fraction 0.3: sorting takes 5 ns per particle and step instead of 16.
void CellGrid::set_cells(Level& level, double across, double along) const {
    const auto steady = [](std::ptrdiff_t most, std::ptrdiff_t before) {
        return before <= most && most - before <= most / 16 ? before : most;
    };
    const Vec3 most_along = limited(counts_of(across, along), level.most_cells);
    std::ptrdiff_t stride = 1;
    for (std::size_t k = 3; k-- > 0;) {
        const int axis = shape_.axis_order[k];
        const auto a = static_cast<std::size_t>(axis);
        const double width = frame_size_[axis];
        if (shape_.is_cut[a]) {
            const auto most = static_cast<std::ptrdiff_t>(most_along[axis]);
            level.num_cells[a] = k == 2 ? most : steady(most, level.num_cells_before[a]);
        }
        level.inverse_edge[axis] = width > 0 ? static_cast<double>(level.num_cells[a]) / width : 0;
        level.stride[a] = stride;
        stride *= level.num_cells[a];
    }
}

/// Whether each pair of balls meets through one image only, in rows that are the same or adjacent: across, a
/// ring needs three rows of at least two reaches each, along as much length; a part of a periodic axis, a gap
/// that no pair can bridge.
bool CellGrid::allows_adjacency(const Level& level) const {
    const double widest = 2 * level.max_reach + slack_;
    for (std::size_t place = 0; place < 3; ++place) {
        const int axis = shape_.axis_order[place];
        if (!is_ring_[static_cast<std::size_t>(axis)]) continue;
        if (place < 2 ? num_along(level, place) < 3 : frame_size_[axis] < 3 * widest) return false;
    }
    const double gap = box_.size.x - frame_size_.x;
    return !is_part_ || !box_.is_periodic(0) || gap > widest;
}

}  // namespace ricochet
