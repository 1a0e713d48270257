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
    : box_(box),
      images_(box),
      shape_(shape),
      slack_(2e-6 * std::max({box.size.x, box.size.y, box.size.z})),
      frame_size_(box.size),
      is_ring_{box.is_periodic(0), box.is_periodic(1), box.is_periodic(2)} {}

void CellGrid::build(std::span<const SweptBall> balls, SearchDomain domain) {
    is_part_ = domain.width < box_.size.x;
    frame_lower_ = is_part_ ? domain.lower : 0;
    frame_size_.x = is_part_ ? domain.width : box_.size.x;
    is_ring_[0] = box_.is_periodic(0) && !is_part_;
    strays_.clear();
    choose_levels(balls);
    sort_into_slots(balls);
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

void CellGrid::choose_levels(std::span<const SweptBall> balls) {
    double sum = 0;
    for (const SweptBall& ball : balls) sum += ball.reach;
    mean_reach_ = balls.empty() ? 1 : sum / static_cast<double>(balls.size());
    levels_.fill({});
    level_size_.fill(0);
    for (const SweptBall& ball : balls) {
        const auto l = static_cast<std::size_t>(level_of(ball.reach));
        ++level_size_[l];
        levels_[l].max_reach = std::max(levels_[l].max_reach, ball.reach);
    }
    std::size_t num_cells = 0;
    Slot begin = 0;
    for (std::size_t l = max_levels; l-- > 0;) {
        Level& level = levels_[l];
        level.sorted_reach = level.max_reach;
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
    for (int axis = 0; axis < 3; ++axis) {
        if (!shape_.is_cut[static_cast<std::size_t>(axis)]) continue;
        volume *= frame_size_[axis];
        ++num_cut;
    }
    const double per_ball = volume / static_cast<double>(std::max<std::size_t>(num_balls, 1));
    const double spacing = std::pow(shape_.particles_per_cell * per_ball, 1.0 / num_cut);
    const double edge = std::max(spacing, level.max_reach);
    std::ptrdiff_t stride = 1;
    for (std::size_t k = 3; k-- > 0;) {
        const int axis = shape_.axis_order[k];
        const auto a = static_cast<std::size_t>(axis);
        const double width = frame_size_[axis];
        if (shape_.is_cut[a])
            level.num_cells[a] = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(width / edge));
        level.inverse_edge[axis] = width > 0 ? static_cast<double>(level.num_cells[a]) / width : 0;
        level.stride[a] = stride;
        stride *= level.num_cells[a];
    }
}

void CellGrid::sort_into_slots(std::span<const SweptBall> balls) {
    cell_of_ball_.resize(balls.size());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Level& level = levels_[static_cast<std::size_t>(level_of(balls[k].reach))];
        cell_of_ball_[k] = static_cast<std::uint32_t>(cell_of(level, in_frame(balls[k].midpoint)));
        ++cell_start_[cell_of_ball_[k] + 1];
    }
    for (std::size_t c = 1; c < cell_start_.size(); ++c) cell_start_[c] += cell_start_[c - 1];
    order_.resize(balls.size());
    for (auto* array : {&x_, &y_, &z_, &reach_}) array->resize(balls.size() + padding());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Slot slot = cell_start_[cell_of_ball_[k]]++;
        const Vec3 midpoint = in_frame(balls[k].midpoint);
        order_[slot] = static_cast<std::uint32_t>(k);
        x_[slot] = static_cast<float>(midpoint.x);
        y_[slot] = static_cast<float>(midpoint.y);
        z_[slot] = static_cast<float>(midpoint.z);
        reach_[slot] = static_cast<float>(balls[k].reach) * reach_slack;
    }
    // The scatter has moved every start to the next cell's; move them back.
    std::move_backward(cell_start_.begin(), cell_start_.end() - 1, cell_start_.end());
    cell_start_.front() = 0;
}

std::size_t CellGrid::cell_of(const Level& level, Vec3 midpoint) const {
    std::ptrdiff_t cell = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        const auto k = static_cast<std::ptrdiff_t>(midpoint[axis] * level.inverse_edge[axis]);
        cell += level.stride[a] * std::clamp<std::ptrdiff_t>(k, 0, level.num_cells[a] - 1);
    }
    return level.first_cell + static_cast<std::size_t>(cell);
}

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
    // A query centre lies near the box: a subtraction or two are cheaper than a remainder.
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
    const CellGrid& grid;
    std::vector<Slot>& found;
    Slot first;
    Vector x, y, z, own_reach;

    Filter(const CellGrid& the_grid, Vec3 centre, double radius, Slot the_first, std::vector<Slot>& the_found)
        : grid(the_grid),
          found(the_found),
          first(the_first),
          x(broadcast(centre.x)),
          y(broadcast(centre.y)),
          z(broadcast(centre.z)),
          own_reach(broadcast(reach_slack * radius + the_grid.slack_)) {}

    static Vector broadcast(double value) { return hn::Set(FloatTag(), static_cast<float>(value)); }

    template <bool has_images>
    Vector add_square(const float* at, Vector centre, int axis, Vector sum) const {
        Vector d = hn::Sub(hn::LoadU(FloatTag(), at), centre);
        if constexpr (has_images) {
            const Vector images = hn::Round(hn::Mul(d, broadcast(grid.images_.inverse[axis])));
            d = hn::NegMulAdd(broadcast(grid.images_.length[axis]), images, d);
        }
        return hn::MulAdd(d, d, sum);
    }

    /// Appends the slots of [begin, end) from `first` on whose balls come within the radius. has_images:
    /// distances are taken to the nearest image; otherwise the caller knows that no image is nearer.
    template <bool has_images>
    HWY_ATTR void apply(Slot begin, Slot end) const {
        const FloatTag tag;
        const auto lanes = static_cast<Slot>(hn::Lanes(tag));
        for (Slot slot = std::max(begin, first); slot < end; slot += lanes) {
            Vector squared = hn::Zero(tag);
            squared = add_square<has_images>(&grid.x_[slot], x, 0, squared);
            squared = add_square<has_images>(&grid.y_[slot], y, 1, squared);
            squared = add_square<has_images>(&grid.z_[slot], z, 2, squared);
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
    const Vec3 local_centre = in_frame(centre);
    const Filter filter(*this, local_centre, radius, first, found);
    for (const Level& level : levels_) {
        if (level.end > first && level.end > level.begin) collect_level(level, local_centre, radius, filter);
    }
    if (!strays_.empty()) collect_strays(filter);
}

void CellGrid::collect_level(const Level& level, Vec3 centre, double radius, const Filter& filter) const {
    const double half_width = radius + level.max_reach + slack_;
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
    const auto [slow, middle, fast] = shape_.axis_order;
    const auto stride_slow = level.stride[static_cast<std::size_t>(slow)];
    const auto stride_middle = level.stride[static_cast<std::size_t>(middle)];
    const auto fast_first = static_cast<std::ptrdiff_t>(low[fast]);
    const auto fast_last = static_cast<std::ptrdiff_t>(high[fast]);
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    for (auto i = static_cast<std::ptrdiff_t>(low[slow]); i <= static_cast<std::ptrdiff_t>(high[slow]); ++i) {
        for (auto j = static_cast<std::ptrdiff_t>(low[middle]);
             j <= static_cast<std::ptrdiff_t>(high[middle]); ++j) {
            const std::uint32_t* const row = starts + i * stride_slow + j * stride_middle;
            filter.apply<false>(row[fast_first], row[fast_last + 1]);
        }
    }
}

void CellGrid::collect_anywhere(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const {
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
                filter.apply<true>(row[cells.first], row[cells.last + 1]);
            }
        });
    });
}

void CellGrid::collect_strays(const Filter& filter) const {
    const auto num_balls = static_cast<Slot>(order_.size());
    const std::size_t num_found = filter.found.size();
    filter.apply<true>(num_balls, num_balls + static_cast<Slot>(strays_.size()));
    std::size_t kept = num_found;
    for (std::size_t k = num_found; k < filter.found.size(); ++k) {
        const Slot slot = strays_[filter.found[k] - num_balls];
        if (slot >= filter.first) filter.found[kept++] = slot;
    }
    filter.found.resize(kept);
}

double CellGrid::cover(Slot slot, Vec3 end, double radius) {
    const Vec3 midpoint{x_[slot], y_[slot], z_[slot]};
    const double excursion = norm(minimum_image(in_frame(end) - midpoint, images_)) + slack_;
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
