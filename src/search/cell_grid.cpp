// SPDX-License-Identifier: BSD-3-Clause
//
// Builds the grid: levels and their cells.
#include "search/cell_grid.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {
namespace {

/// A level has at most 16 cells per sphere; with few spheres it may have 4,096. Boxes whose axes are all
/// longer than a cell stay far below.
constexpr double cells_per_sphere_limit = 16, fewest_limit = 4096;

/// Halves the largest of the counts until their product is within the limit. An axis shorter than a cell
/// still has one cell. So a box that is very long for its width would have too many along its length.
Vec3 limited(Vec3 counts, double most) {
    while (counts.x * counts.y * counts.z > most) {
        int largest = 0;
        for (const int axis : {1, 2})
            if (counts[axis] > counts[largest]) largest = axis;
        counts[largest] = std::ceil(counts[largest] / 2);
    }
    return counts;
}

double mean_of_reaches(std::span<const BoundingSphere> spheres) {
    double sum = 0;
    for (const BoundingSphere& sphere : spheres) sum += static_cast<double>(sphere.reach);
    return spheres.empty() ? 0 : sum / static_cast<double>(spheres.size());
}

}  // namespace

CellGrid::CellGrid(const Box& box, const GridShape& shape, bool counts_work)
    : BroadPhase(box),
      box_(box),
      shape_(shape),
      frame_size_(box.size),
      is_ring_{box.is_periodic(0), box.is_periodic(1), box.is_periodic(2)},
      frame_images_(box),
      counts_work_(counts_work) {}

void CellGrid::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, box_.size.x);
    spheres_ = spheres;
    lay_out(domain);
    constexpr unsigned builds_to_measure = 16;
    if (shape_.follows_crowds && num_builds_++ % builds_to_measure == 0) follow_crowds(domain);
    mean_reach_ = latest_mean_reach_;
}

void CellGrid::lay_out(SearchDomain domain) {
    placed_ = spheres_;
    if (is_rolled_up()) {
        roll_up();
    } else {
        set_frame(domain);
        if (shape_.has_longest_first) order_axes();
    }
    num_outliers_ = 0;
    choose_levels();
    sort_into_places();
}

/// The frame is the domain with some room, so that it can stay the same for many steps.
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

/// A new order of the axes moves all particles when they are sorted. So it must not alternate with the width
/// of a halo.
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
    // The boundaries of levels matter for speed only: the mean of the previous step will do.
    // In the first one the mean is needed itself: the first sphere may be the largest of all.
    if (mean_reach_ == 0) mean_reach_ = mean_of_reaches(spheres_);
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
        level.max_reach *= level_reach_up;
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

int CellGrid::num_cut() const {
    return static_cast<int>(std::count(shape_.is_cut.begin(), shape_.is_cut.end(), true));
}

/// Its extent along the axes that are cut.
double CellGrid::frame_volume() const {
    double volume = 1;
    for (int axis = 0; axis < 3; ++axis)
        if (shape_.is_cut[static_cast<std::size_t>(axis)]) volume *= frame_size_[axis];
    return volume;
}

void CellGrid::size_cells(Level& level, std::size_t num_spheres) const {
    level.most_cells = std::max(fewest_limit, cells_per_sphere_limit * static_cast<double>(num_spheres));
    const bool has_crowds = crowd_volume_ > 0 && &level == levels_.data();
    const double per_sphere =
        has_crowds ? crowd_volume_
                   : frame_volume() / static_cast<double>(std::max<std::size_t>(num_spheres, 1));
    const RowSize row = row_size(level, per_sphere);
    set_cells(level, row.across, row.along);
    level.has_wide_rows = allows_adjacency(level);
    if (level.has_wide_rows) return;
    const double spacing = std::pow(shape_.particles_per_cell * per_sphere, 1.0 / num_cut());
    const double edge = std::max(spacing, level.max_reach);
    set_cells(level, edge, edge);
}

/// Rows are as wide as the largest distance at which two spheres overlap. In dilute systems they are wider:
/// so wide that the interval of overlapping spheres contains some, fewer than a vector. Along rows, cells are
/// so short that they hardly lengthen the interval.
CellGrid::RowSize CellGrid::row_size(const Level& level, double volume_per_sphere) const {
    constexpr double spheres_per_interval = 6, spheres_per_cell = 0.5;
    const double widest = 2 * level.max_reach + slack();
    const double typical = std::min(mean_reach_, level.max_reach) + level.max_reach;
    double most_across = frame_size_[shape_.axis_order[0]] + frame_size_[shape_.axis_order[1]];
    for (const int axis : {shape_.axis_order[0], shape_.axis_order[1]})
        if (is_ring_[static_cast<std::size_t>(axis)])
            most_across = std::min(most_across, frame_size_[axis] / 3);
    const int dimension = num_cut();
    const auto across_for = [&](double spheres) {
        if (dimension == 1) return widest;
        const double cross_section = spheres * volume_per_sphere / (2 * typical);
        return std::max(widest,
                        std::min(most_across, dimension == 3 ? std::sqrt(cross_section) : cross_section));
    };
    const double across = across_for(spheres_per_interval);
    double volume_per_length = 1;
    for (int axis = 1; axis < dimension; ++axis) volume_per_length *= across;
    constexpr double shortest_in_reaches = 1.0 / 8;
    return {across, std::max(shortest_in_reaches * typical,
                             spheres_per_cell * volume_per_sphere / volume_per_length)};
}

/// The number of cells of these edges that fit, by axis.
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

/// Keeps the previous number of rows where that is nearly as good. The fastest particle differs from step to
/// step. If rows changed with it, particles sorted along rows would have to be sorted anew (note 6 of
/// tests/bench/notes.md).
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

/// Whether each pair of spheres in the same or adjacent rows overlaps through one image only. Across a ring,
/// that takes three rows of at least two reaches each; along it, as much length. In a part of a periodic axis
/// it takes a gap wider than any pair.
bool CellGrid::allows_adjacency(const Level& level) const {
    const double widest = 2 * level.max_reach + slack();
    for (std::size_t place = 0; place < 3; ++place) {
        const int axis = shape_.axis_order[place];
        if (!is_ring_[static_cast<std::size_t>(axis)]) continue;
        if (place < 2 ? num_along(level, place) < 3 : frame_size_[axis] < 3 * widest) return false;
    }
    const double gap = box_.size.x - frame_size_.x;
    return !is_part_ || !box_.is_periodic(0) || gap > widest;
}

}  // namespace ricochet
