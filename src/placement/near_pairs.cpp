// SPDX-License-Identifier: BSD-3-Clause
#include "placement/near_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/sphere_grid.hpp"
#include "model/rounding.hpp"

namespace ricochet::detail {

namespace {

/// The number of cells along an axis of this length.
double cells_along(double length, double edge) { return std::max(1.0, std::floor(length / edge)); }

}  // namespace

/// Cells at least `edge` long, and not many more than members.
void NearPairs::set_cells(Grid& grid, double edge, std::size_t num_members, const StripRange& strip) const {
    const double reach = nearness_.distance(2 * largest_) * lookup_reach_up;
    const bool is_cut = strip.thickness + 2 * reach < box_.size.x;
    Vec3 length = box_.size;
    grid.origin = {};
    if (is_cut) {
        grid.origin.x = strip.low - reach;
        length.x = strip.thickness + 2 * reach;
    }
    const double most = 2 * static_cast<double>(num_members) + 27;
    Vec3 count{1, 1, 1};
    for (double longer = edge * lookup_reach_up;; longer *= 1.25) {
        for (int axis = 0; axis < box_.dimension; ++axis) count[axis] = cells_along(length[axis], longer);
        if (count.x * count.y * count.z <= most) break;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        grid.num_cells[k] = static_cast<std::int64_t>(count[axis]);
        grid.per_length[axis] = axis < box_.dimension ? count[axis] / length[axis] : 0;
        grid.wraps[k] = box_.is_periodic(axis) && !(axis == 0 && is_cut);
    }
}

std::int64_t NearPairs::cell_along(const Grid& grid, int axis, double x) const {
    double from_origin = x - grid.origin[axis];
    if (box_.is_periodic(axis)) {
        if (from_origin < 0) from_origin += box_.size[axis];
        if (from_origin >= box_.size[axis]) from_origin -= box_.size[axis];
    }
    const auto cell = static_cast<std::int64_t>(from_origin * grid.per_length[axis]);
    return std::clamp<std::int64_t>(cell, 0, grid.num_cells[static_cast<std::size_t>(axis)] - 1);
}

NearPairs::CellRange NearPairs::around(const Grid& grid, int axis, std::int64_t cell) {
    const auto k = static_cast<std::size_t>(axis);
    const std::int64_t n = grid.num_cells[k];
    if (n <= 3) return {0, n};
    if (grid.wraps[k]) return {cell - 1, 3};
    const std::int64_t first = std::max<std::int64_t>(cell - 1, 0), last = std::min(cell + 1, n - 1);
    return {first, last - first + 1};
}

std::int64_t NearPairs::wrapped_cell(const Grid& grid, int axis, std::int64_t cell) {
    const std::int64_t n = grid.num_cells[static_cast<std::size_t>(axis)];
    return cell < 0 ? cell + n : cell >= n ? cell - n : cell;
}

/// Counting sort of the balls of a class.
void NearPairs::fill(Grid& grid, std::uint8_t size_class) {
    const auto num_cells =
        static_cast<std::size_t>(grid.num_cells[0] * grid.num_cells[1] * grid.num_cells[2]);
    grid.begin.assign(num_cells + 1, 0);
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        if (class_of_[k] != size_class) continue;
        const Vec3 centre = balls_[k].centre;
        const std::int64_t row =
            cell_along(grid, 1, centre.y) + grid.num_cells[1] * cell_along(grid, 2, centre.z);
        cell_of_[k] = static_cast<std::uint32_t>(cell_along(grid, 0, centre.x) + grid.num_cells[0] * row);
        ++grid.begin[cell_of_[k]];
    }
    std::uint32_t end = 0;
    for (std::uint32_t& of_cell : grid.begin) of_cell = end += of_cell;
    grid.members.resize(end);
    for (std::size_t k = balls_.size(); k-- > 0;)
        if (class_of_[k] == size_class)
            grid.members[--grid.begin[cell_of_[k]]] = static_cast<std::uint32_t>(k);
}

void NearPairs::sort(std::span<const Ball> balls, std::size_t num_owned, const StripRange& strip,
                     const Nearness& nearness) {
    balls_ = balls;
    num_owned_ = num_owned;
    nearness_ = nearness;
    class_of_.resize(balls.size());
    cell_of_.resize(balls.size());
    std::array<std::size_t, num_size_classes> counts{};
    for (std::size_t k = 0; k < balls.size(); ++k) {
        class_of_[k] = static_cast<std::uint8_t>(size_class(balls[k].radius, largest_));
        ++counts[class_of_[k]];
    }
    grids_.resize(num_size_classes);
    for (std::size_t c = 0; c < counts.size(); ++c) {
        grids_[c].members.clear();
        if (counts[c] == 0) continue;
        const double top = class_top(static_cast<int>(c), largest_);
        set_cells(grids_[c], nearness.distance(2 * top), counts[c], strip);
        fill(grids_[c], static_cast<std::uint8_t>(c));
    }
}

std::vector<std::uint32_t> NearPairs::order() const {
    std::vector<std::uint32_t> all;
    all.reserve(balls_.size());
    for (const Grid& grid : grids_) all.insert(all.end(), grid.members.begin(), grid.members.end());
    return all;
}

/// Calls visit(index) for the balls of the cells around a point.
template <class Visit>
void NearPairs::visit_near(const Grid& grid, Vec3 centre, Visit&& visit) const {
    const CellRange xs = around(grid, 0, cell_along(grid, 0, centre.x));
    const CellRange ys = around(grid, 1, cell_along(grid, 1, centre.y));
    const CellRange zs = around(grid, 2, cell_along(grid, 2, centre.z));
    const bool is_one_piece = xs.first >= 0 && xs.first + xs.count <= grid.num_cells[0];
    for (std::int64_t z = zs.first; z < zs.first + zs.count; ++z)
        for (std::int64_t y = ys.first; y < ys.first + ys.count; ++y) {
            const std::int64_t row =
                grid.num_cells[0] * (wrapped_cell(grid, 1, y) + grid.num_cells[1] * wrapped_cell(grid, 2, z));
            const std::int64_t length = is_one_piece ? xs.count : 1;
            for (std::int64_t x = xs.first; x < xs.first + xs.count; x += length) {
                const auto cell = static_cast<std::size_t>(row + wrapped_cell(grid, 0, x));
                const std::uint32_t end = grid.begin[cell + static_cast<std::size_t>(length)];
                for (std::uint32_t m = grid.begin[cell]; m < end; ++m) visit(grid.members[m]);
            }
        }
}

void NearPairs::find_within(const Grid& grid, std::uint32_t own, bool is_same_class,
                            std::vector<BallPair>& pairs) const {
    const Ball ball = balls_[own];
    const bool is_owned = own < num_owned_;
    visit_near(grid, ball.centre, [&](std::uint32_t other) {
        if (is_same_class ? other <= own : !is_owned && other >= num_owned_) return;
        const Vec3 r = minimum_image(balls_[other].centre - ball.centre, images_);
        const double near = nearness_.distance(ball.radius + balls_[other].radius);
        if (dot(r, r) >= near * near) return;
        pairs.push_back(is_owned ? BallPair{own, other} : BallPair{other, own});
    });
}

void NearPairs::find(std::vector<BallPair>& pairs) const {
    for (std::uint32_t own = 0; own < balls_.size(); ++own)
        for (std::size_t c = 0; c <= class_of_[own]; ++c) {
            // Halo balls follow the owned ones, so that those find all pairs within their class.
            const bool is_same_class = c == class_of_[own];
            if (grids_[c].members.empty() || (is_same_class && own >= num_owned_)) continue;
            find_within(grids_[c], own, is_same_class, pairs);
        }
}

}  // namespace ricochet::detail
