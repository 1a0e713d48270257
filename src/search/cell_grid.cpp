// SPDX-License-Identifier: BSD-3-Clause
//
// Building the grid: levels, cells, places.
#include "ricochet/search/cell_grid.hpp"

#include <algorithm>
#include <cmath>

#include "search/cell_grid_filter.hpp"

namespace ricochet {

CellGrid::CellGrid(const Box& box, const GridShape& shape)
    : box_(box),
      images_(box),
      shape_(shape),
      slack_(2e-6 * std::max({box.size.x, box.size.y, box.size.z})),
      frame_size_(box.size),
      is_ring_{box.is_periodic(0), box.is_periodic(1), box.is_periodic(2)} {}

void CellGrid::build(std::span<SweptBall> balls, SearchDomain domain) {
    balls_ = balls;
    is_part_ = domain.width < box_.size.x;
    frame_lower_ = is_part_ ? domain.lower : 0;
    frame_size_.x = is_part_ ? domain.width : box_.size.x;
    is_ring_[0] = box_.is_periodic(0) && !is_part_;
    num_strays_ = 0;
    choose_levels();
    sort_into_places();
    mean_reach_ = latest_mean_reach_;
}

Vec3 CellGrid::in_frame(Vec3 point) const {
    if (!is_part_) return point;
    point.x -= frame_lower_;
    if (!box_.is_periodic(0)) return point;
    const double gap = 0.5 * (box_.size.x - frame_size_.x);
    if (point.x < -gap) point.x += box_.size.x;
    if (point.x >= frame_size_.x + gap) point.x -= box_.size.x;
    return point;
}

int CellGrid::level_of(double reach) const {
    if (reach <= 2 * mean_reach_) return 0;
    return std::min(max_levels - 1, 1 + std::ilogb(reach / (2 * mean_reach_)));
}

void CellGrid::choose_levels() {
    // Where levels end matters for speed only: the mean of the step before will do.
    if (mean_reach_ == 0 && !balls_.empty()) mean_reach_ = static_cast<double>(balls_.front().reach);
    double sum = 0;
    levels_.fill({});
    level_size_.fill(0);
    for (const SweptBall& ball : balls_) {
        const auto reach = static_cast<double>(ball.reach);
        const auto l = static_cast<std::size_t>(level_of(reach));
        ++level_size_[l];
        levels_[l].max_reach = std::max(levels_[l].max_reach, reach);
        sum += reach;
    }
    latest_mean_reach_ = balls_.empty() ? 0 : sum / static_cast<double>(balls_.size());
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
    cell_start_.assign(num_cells + 1, 0);
}

void CellGrid::size_cells(Level& level, std::size_t num_balls) const {
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
/// a ball meets others holds some; along them, cells so short that they do not lengthen the interval much.
void CellGrid::set_rows(Level& level, double volume_per_ball, int num_cut) const {
    constexpr double balls_per_interval = 4, balls_per_cell = 0.5, near_in_reaches = 4, dilute_factor = 1.5;
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
    double across = across_for(balls_per_interval);
    level.has_near_rows = across < near_in_reaches * typical;
    if (!level.has_near_rows) across = across_for(dilute_factor * balls_per_interval);
    double volume_per_length = 1;
    for (int axis = 1; axis < num_cut; ++axis) volume_per_length *= across;
    constexpr double shortest_in_reaches = 1.0 / 8;
    set_cells(level, across,
              std::max(shortest_in_reaches * typical, balls_per_cell * volume_per_ball / volume_per_length));
}

void CellGrid::set_cells(Level& level, double across, double along) const {
    std::ptrdiff_t stride = 1;
    for (std::size_t k = 3; k-- > 0;) {
        const int axis = shape_.axis_order[k];
        const auto a = static_cast<std::size_t>(axis);
        const double width = frame_size_[axis];
        if (shape_.is_cut[a])
            level.num_cells[a] =
                std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(width / (k == 2 ? along : across)));
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

/// Which cell of a level a midpoint belongs to; a copy of what that takes, which stays in registers.
class CellGrid::CellLocator {
  public:
    CellLocator() = default;
    explicit CellLocator(const Level& level)
        : inverse_edge_(level.inverse_edge), first_cell_(static_cast<std::int64_t>(level.first_cell)) {
        for (std::size_t a = 0; a < 3; ++a) {
            stride_[a] = level.stride[a];
            last_[a] = level.num_cells[a] - 1;
        }
    }
    std::uint32_t operator()(Vec3 midpoint) const {
        return static_cast<std::uint32_t>(first_cell_ + along(0, midpoint.x * inverse_edge_.x) +
                                          along(1, midpoint.y * inverse_edge_.y) +
                                          along(2, midpoint.z * inverse_edge_.z));
    }

  private:
    std::int64_t along(std::size_t a, double place) const {
        return stride_[a] * std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, last_[a]);
    }

    Vec3 inverse_edge_;
    std::array<std::int64_t, 3> stride_{}, last_{};
    std::int64_t first_cell_ = 0;
};

void CellGrid::sort_into_places() {
    std::array<CellLocator, max_levels> locators;
    for (std::size_t l = 0; l < locators.size(); ++l) locators[l] = CellLocator(levels_[l]);
    const std::size_t num_balls = balls_.size();
    place_.resize(num_balls);
    for (std::size_t k = 0; k < num_balls; ++k) {
        const int level = level_of(static_cast<double>(balls_[k].reach));
        const std::uint32_t cell = locators[static_cast<std::size_t>(level)](in_frame(balls_[k].midpoint()));
        place_[k] = cell;  // for now
        ++cell_start_[cell + 1];
    }
    for (std::size_t c = 1; c < cell_start_.size(); ++c) cell_start_[c] += cell_start_[c - 1];
    order_.resize(num_balls + padding());
    for (auto* array : {&x_, &y_, &z_, &reach_}) array->resize(num_balls + padding());
    for (std::size_t k = 0; k < num_balls; ++k) {
        const Place place = cell_start_[place_[k]]++;
        const Vec3 midpoint = in_frame(balls_[k].midpoint());
        place_[k] = place;
        order_[place] = static_cast<Slot>(k);
        x_[place] = static_cast<float>(midpoint.x);
        y_[place] = static_cast<float>(midpoint.y);
        z_[place] = static_cast<float>(midpoint.z);
        reach_[place] = balls_[k].reach * reach_slack;
    }
    // The scatter has moved every start to the next cell's; move them back.
    std::move_backward(cell_start_.begin(), cell_start_.end() - 1, cell_start_.end());
    cell_start_.front() = 0;
}

}  // namespace ricochet
