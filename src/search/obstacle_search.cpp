// SPDX-License-Identifier: BSD-3-Clause
#include "search/obstacle_search.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "ricochet/core/check.hpp"

namespace ricochet {

ObstacleSearch::ObstacleSearch(const World& world)
    : obstacles_(obstacles_of(world)), has_bodies_(!world.bodies.empty()), patches_(world) {
    for (ObstacleIndex k = 0; k < obstacles_.size(); ++k) {
        const auto* const wall = std::get_if<Wall>(&obstacles_[k].shape);
        if (wall != nullptr && !wall->is_high)
            facing_walls_.push_back({wall->axis, k, k + 1, *wall, std::get<Wall>(obstacles_[k + 1].shape)});
    }
    for (const Body& body : world.bodies) names_.push_back(body.name);
    if (has_bodies_) list_surfaces(world.box);
}

std::string ObstacleSearch::name_of(ParticleId id) const {
    const auto found = std::lower_bound(
        obstacles_.begin(), obstacles_.end(), id,
        [](const Obstacle& obstacle, ParticleId of) { return obstacle_id(obstacle.number) < of; });
    RICOCHET_CHECK(found != obstacles_.end() && obstacle_id(found->number) == id);
    const BodyNumber body = found->body;
    if (body >= first_body) return "body " + names_[body - first_body];
    return std::string("wall ") + "xyz"[body / 2] + (body % 2 == 0 ? '-' : '+');
}

void ObstacleSearch::list_surfaces(const Box& box) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr std::size_t few = 8;
    constexpr double more_than_rounding = 1e-9;
    slack_ = more_than_rounding * std::max({box.size.x, box.size.y, box.size.z});
    for (int axis = 0; axis < 3; ++axis)
        if (box.is_periodic(axis)) period_[axis] = box.size[axis];
    std::vector<ObstacleIndex> members;
    for (ObstacleIndex k = 0; k < obstacles_.size(); ++k) {
        if (obstacles_[k].number < first_body) continue;
        if (const double radius = hollow_radius(obstacles_[k].shape); radius < infinite) {
            hollows_.push_back(k);
            narrowest_ = std::min(narrowest_, radius);
        }
        const auto [low, high] = bounds_of(obstacles_[k].shape);
        bool is_finite = true;
        for (int axis = 0; axis < box.dimension; ++axis)
            is_finite = is_finite && low[axis] > -infinite && high[axis] < infinite;
        (is_finite ? members : always_).push_back(k);
    }
    if (members.size() <= few) {
        always_.insert(always_.end(), members.begin(), members.end());
        members.clear();
    }
    grid_ = SurfaceGrid(region_of_paths(box), obstacles_, std::move(members));
}

}  // namespace ricochet
