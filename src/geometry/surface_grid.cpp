// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface_grid.hpp"

#include <cmath>
#include <utility>

namespace ricochet {

ObstacleBounds region_of_paths(const Box& box) {
    ObstacleBounds region{{}, box.size};
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (!box.is_periodic(axis)) continue;
        region.low[axis] = -0.5 * box.size[axis];
        region.high[axis] = 1.5 * box.size[axis];
    }
    return region;
}

SurfaceGrid::SurfaceGrid(const ObstacleBounds& region, const std::vector<Obstacle>& obstacles,
                         std::vector<ObstacleIndex> members)
    : origin_(region.low), members_(std::move(members)) {
    if (members_.empty()) return;
    const Vec3 size = region.high - region.low;
    const double num_axes = size.z > 0 ? 3 : 2;
    const double per_axis = std::ceil(std::pow(static_cast<double>(members_.size()), 1 / num_axes));
    for (int axis = 0; axis < 3; ++axis) {
        const bool has_room = size[axis] > 0;
        count_[static_cast<std::size_t>(axis)] = has_room ? static_cast<std::uint32_t>(per_axis) : 1;
        per_length_[axis] = has_room ? per_axis / size[axis] : 0;
    }
    start_.assign(std::size_t{count_[0]} * count_[1] * count_[2] + 1, 0);
    const auto for_each_cell = [&](const ObstacleBounds& bounds, auto&& visit) {
        const Cell low = cell_of(bounds.low), high = cell_of(bounds.high);
        for (std::uint32_t z = low[2]; z <= high[2]; ++z)
            for (std::uint32_t y = low[1]; y <= high[1]; ++y)
                for (std::uint32_t x = low[0]; x <= high[0]; ++x) visit(place_of({x, y, z}));
    };
    for (const ObstacleIndex index : members_) {
        const ObstacleBounds bounds = bounds_of(obstacles[index].shape);
        first_.push_back(cell_of(bounds.low));
        for_each_cell(bounds, [this](std::size_t place) { ++start_[place + 1]; });
    }
    for (std::size_t place = 1; place < start_.size(); ++place) start_[place] += start_[place - 1];
    entry_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::uint32_t k = 0; k < members_.size(); ++k)
        for_each_cell(bounds_of(obstacles[members_[k]].shape),
                      [&](std::size_t place) { entry_[next[place]++] = k; });
}

}  // namespace ricochet
