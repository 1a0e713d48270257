// SPDX-License-Identifier: BSD-3-Clause
#include "search/obstacle_search.hpp"

#include <algorithm>

#include "ricochet/core/check.hpp"

namespace ricochet {

ObstacleSearch::ObstacleSearch(const World& world) : obstacles_(obstacles_of(world)) {
    for (std::size_t k = 0; k < obstacles_.size(); ++k) {
        const auto* const wall = std::get_if<Wall>(&obstacles_[k].shape);
        if (wall != nullptr && !wall->is_high) facing_walls_.push_back({wall->axis, k, k + 1});
    }
}

const Obstacle& ObstacleSearch::operator[](ObstacleNumber number) const {
    const auto at = std::lower_bound(
        obstacles_.begin(), obstacles_.end(), number,
        [](const Obstacle& obstacle, ObstacleNumber sought) { return obstacle.number < sought; });
    RICOCHET_CHECK(at != obstacles_.end());
    RICOCHET_CHECK_EQ(at->number, number);
    return *at;
}

}  // namespace ricochet
