// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/search/cell_grid.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;

/// Balls that outgrew their level and are looked at by every query; their copies stand behind the last slot.
constexpr std::size_t max_strays = 32;

/// Room behind the last slot: strays, and what the filter loads beyond the end.
std::size_t padding() { return max_strays + hn::Lanes(FloatTag()); }

/// Reaches are enlarged by this factor in the filter, more than the rounding of a squared distance in float.
constexpr float reach_slack = 1.00001f;

}  // namespace

CellGrid::CellGrid(const Box& box, const GridShape& shape)
    : box_(box), images_(box), shape_(shape), slack_(2e-6 * std::max({box.size.x, box.size.y, box.size.z})) {}

void CellGrid::build(std::span<const SweptBall> balls, SearchDomain domain) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const bool is_part = axis == 0 && domain.width < box_.size.x;
        domain_lower_[a] = is_part ? domain.lower : 0;
        domain_width_[a] = is_part ? domain.width : box_.size[axis];
        is_ring_[a] = box_.is_periodic(axis) && !is_part;
    }
    strays_.clear();
    choose_levels(balls);
    sort_into_slots(balls);
}

int CellGrid::level_of(double reach) const {
    const double ratio = reach / (2 * mean_reach_);
    if (!(ratio > 1)) return 0;
    return std::min(max_levels - 1, 1 + std::ilogb(ratio));
}

void CellGrid::choose_levels(std::span<const SweptBall> balls) {
    double sum = 0;
    for (const SweptBall& ball : balls) sum += ball.reach;
    mean_reach_ = balls.empty() ? 1 : sum / static_cast<double>(balls.size());
    levels_.fill({});
    level_size_.fill(0);
    for (const SweptBall& ball : balls) {
        const auto l = static_cast<std::size_t>(level_of(ball.reach));
        ++level_size_[l];
        levels_[l].sorted_reach = levels_[l].max_reach = std::max(levels_[l].max_reach, ball.reach);
    }
    std::size_t num_cells = 0;
    Slot begin = 0;
    for (std::size_t l = max_levels; l-- > 0;) {
        Level& level = levels_[l];
        size_cells(level, level_size_[l]);
        level.first_cell = num_cells;
        level.begin = begin;
        begin = level.end = begin + static_cast<Slot>(level_size_[l]);
        num_cells += static_cast<std::size_t>(level.num_cells[0] * level.num_cells[1] * level.num_cells[2]);
    }
    cell_start_.assign(num_cells + 1, 0);
}

void CellGrid::size_cells(Level& level, std::size_t num_balls) const {
    double volume = 1;
    int num_cut = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!shape_.is_cut[axis]) continue;
        volume *= domain_width_[axis];
        ++num_cut;
    }
    const double per_ball = volume / static_cast<double>(std::max<std::size_t>(num_balls, 1));
    const double spacing = std::pow(shape_.particles_per_cell * per_ball, 1.0 / num_cut);
    const double edge = std::max(spacing, level.max_reach);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!shape_.is_cut[axis]) continue;
        level.num_cells[axis] =
            std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(domain_width_[axis] / edge));
        level.inverse_edge[static_cast<int>(axis)] =
            static_cast<double>(level.num_cells[axis]) / domain_width_[axis];
    }
}

void CellGrid::sort_into_slots(std::span<const SweptBall> balls) {
    cell_of_ball_.resize(balls.size());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Level& level = levels_[static_cast<std::size_t>(level_of(balls[k].reach))];
        cell_of_ball_[k] = static_cast<std::uint32_t>(cell_of(level, balls[k].midpoint));
        ++cell_start_[cell_of_ball_[k] + 1];
    }
    for (std::size_t c = 1; c < cell_start_.size(); ++c) cell_start_[c] += cell_start_[c - 1];
    order_.resize(balls.size());
    for (auto* array : {&x_, &y_, &z_, &reach_}) array->resize(balls.size() + padding());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Slot slot = cell_start_[cell_of_ball_[k]]++;
        order_[slot] = static_cast<std::uint32_t>(k);
        x_[slot] = static_cast<float>(balls[k].midpoint.x);
        y_[slot] = static_cast<float>(balls[k].midpoint.y);
        z_[slot] = static_cast<float>(balls[k].midpoint.z);
        reach_[slot] = static_cast<float>(balls[k].reach) * reach_slack;
    }
    // The scatter has moved every start to the next cell's; move them back.
    std::move_backward(cell_start_.begin(), cell_start_.end() - 1, cell_start_.end());
    cell_start_.front() = 0;
}

std::size_t CellGrid::cell_of(const Level& level, Vec3 midpoint) const {
    std::size_t cell = 0;
    for (const int axis : shape_.axis_order) {
        const auto a = static_cast<std::size_t>(axis);
        double offset = midpoint[axis] - domain_lower_[a];
        if (axis == 0 && box_.is_periodic(0) && !is_ring_[0]) {
            if (offset < 0) offset += box_.size.x;
            if (offset > domain_width_[0] + 0.5 * (box_.size.x - domain_width_[0])) offset -= box_.size.x;
        }
        const auto k = static_cast<std::ptrdiff_t>(offset * level.inverse_edge[axis]);
        cell = cell * static_cast<std::size_t>(level.num_cells[a]) +
               static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 0, level.num_cells[a] - 1));
    }
    return level.first_cell + cell;
}

CellGrid::Ranges CellGrid::cells_within(const Level& level, int axis, double centre,
                                        double half_width) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t n = level.num_cells[a];
    const Ranges whole{{Range{0, n - 1}}, 1};
    if (n == 1) return whole;
    const double low = (centre - half_width - domain_lower_[a]) * level.inverse_edge[axis];
    const double high = (centre + half_width - domain_lower_[a]) * level.inverse_edge[axis];
    if (is_ring_[a]) return high - low + 2 >= static_cast<double>(n) ? whole : ring_cells(low, high, n);
    const double period = box_.is_periodic(axis) ? box_.size[axis] * level.inverse_edge[axis] : 0;
    if (period > 0 && high - low + 4 >= period) return whole;
    return clipped_cells(low, high, period, n);
}

CellGrid::Ranges CellGrid::ring_cells(double low, double high, std::ptrdiff_t n) {
    const auto first = static_cast<std::ptrdiff_t>(std::floor(low));
    const auto last = static_cast<std::ptrdiff_t>(std::floor(high));
    std::ptrdiff_t begin =
        first;  // a query centre lies near the box: subtraction is cheaper than a remainder
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
        // The end cells also hold what lies or was rounded beyond them.
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

/// A query made ready for the filter: everything broadcast once.
struct CellGrid::Filter {
    using Vector = hn::Vec<FloatTag>;
    Vector x, y, z, length_x, length_y, length_z, inverse_x, inverse_y, inverse_z, own_reach;

    Filter(const CellGrid& grid, Vec3 centre, double radius)
        : x(broadcast(centre.x)),
          y(broadcast(centre.y)),
          z(broadcast(centre.z)),
          length_x(broadcast(grid.images_.length.x)),
          length_y(broadcast(grid.images_.length.y)),
          length_z(broadcast(grid.images_.length.z)),
          inverse_x(broadcast(grid.images_.inverse.x)),
          inverse_y(broadcast(grid.images_.inverse.y)),
          inverse_z(broadcast(grid.images_.inverse.z)),
          own_reach(broadcast(reach_slack * radius + grid.slack_)) {}

    static Vector broadcast(double value) { return hn::Set(FloatTag(), static_cast<float>(value)); }
    static Vector squared_distance(Vector d, Vector length, Vector inverse, Vector sum) {
        const Vector nearest = hn::NegMulAdd(length, hn::Round(hn::Mul(d, inverse)), d);
        return hn::MulAdd(nearest, nearest, sum);
    }

    /// Appends the slots of [begin, end) whose balls come within the radius.
    HWY_ATTR void apply(const CellGrid& grid, Slot begin, Slot end, std::vector<Slot>& found) const {
        const FloatTag tag;
        const auto lanes = static_cast<Slot>(hn::Lanes(tag));
        for (Slot slot = begin; slot < end; slot += lanes) {
            Vector squared = hn::Zero(tag);
            squared =
                squared_distance(hn::Sub(hn::LoadU(tag, &grid.x_[slot]), x), length_x, inverse_x, squared);
            squared =
                squared_distance(hn::Sub(hn::LoadU(tag, &grid.y_[slot]), y), length_y, inverse_y, squared);
            squared =
                squared_distance(hn::Sub(hn::LoadU(tag, &grid.z_[slot]), z), length_z, inverse_z, squared);
            const Vector reach = hn::Add(hn::LoadU(tag, &grid.reach_[slot]), own_reach);
            const auto inside = hn::Le(squared, hn::Mul(reach, reach));
            std::uint64_t bits = 0;
            hn::StoreMaskBits(tag, inside, reinterpret_cast<std::uint8_t*>(&bits));
            if (end - slot < lanes) bits &= (std::uint64_t{1} << (end - slot)) - 1;
            for (; bits != 0; bits &= bits - 1)
                found.push_back(slot + static_cast<Slot>(std::countr_zero(bits)));
        }
    }
};

void CellGrid::collect(Vec3 centre, double radius, Slot first, std::vector<Slot>& found) const {
    const Filter filter(*this, centre, radius);
    for (const Level& level : levels_) {
        if (level.end > first && level.end > level.begin)
            collect_level(level, centre, radius, first, filter, found);
    }
    if (strays_.empty()) return;
    const auto num_balls = static_cast<Slot>(order_.size());
    const std::size_t num_found = found.size();
    filter.apply(*this, num_balls, num_balls + static_cast<Slot>(strays_.size()), found);
    for (std::size_t k = num_found; k < found.size(); ++k) found[k] = strays_[found[k] - num_balls];
    const auto new_end = std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(num_found), found.end(),
                                        [first](Slot slot) { return slot < first; });
    found.erase(new_end, found.end());
}

void CellGrid::collect_level(const Level& level, Vec3 centre, double radius, Slot first, const Filter& filter,
                             std::vector<Slot>& found) const {
    const double half_width = radius + level.max_reach + slack_;
    const auto [slow, middle, fast] = shape_.axis_order;
    const Ranges slow_cells = cells_within(level, slow, centre[slow], half_width);
    const Ranges middle_cells = cells_within(level, middle, centre[middle], half_width);
    const Ranges fast_cells = cells_within(level, fast, centre[fast], half_width);
    const auto num_middle = level.num_cells[static_cast<std::size_t>(middle)];
    const auto num_fast = level.num_cells[static_cast<std::size_t>(fast)];
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    for_each_cell(slow_cells, [&](std::ptrdiff_t i) {
        for_each_cell(middle_cells, [&](std::ptrdiff_t j) {
            const std::uint32_t* const row = starts + (i * num_middle + j) * num_fast;
            for (int f = 0; f < fast_cells.count; ++f) {
                const Range cells = fast_cells.range[static_cast<std::size_t>(f)];
                filter.apply(*this, std::max(row[cells.first], first), row[cells.last + 1], found);
            }
        });
    });
}

double CellGrid::cover(Slot slot, Vec3 end, double radius) {
    const Vec3 midpoint{x_[slot], y_[slot], z_[slot]};
    const double excursion = norm(minimum_image(end - midpoint, images_)) + slack_;
    const double reach = excursion + radius;
    if (reach <= static_cast<double>(reach_[slot])) return excursion;
    reach_[slot] = static_cast<float>(reach) * reach_slack;
    Level* level = levels_.data();
    while (slot < level->begin || slot >= level->end) ++level;
    if (reach <= level->max_reach) return excursion;
    // A moderate excess is cheapest as a wider cube for everyone; the few fast ones are looked at one by one.
    constexpr double moderate = 1.2;
    if (reach > moderate * level->sorted_reach && strays_.size() < max_strays)
        add_stray(slot);
    else
        level->max_reach = reach;
    return excursion;
}

void CellGrid::add_stray(Slot slot) {
    const std::size_t copy = order_.size() + strays_.size();
    for (auto* array : {&x_, &y_, &z_, &reach_}) (*array)[copy] = (*array)[slot];
    strays_.push_back(slot);
}

}  // namespace ricochet
