// SPDX-License-Identifier: BSD-3-Clause
//
// The search of obstacles: names those that a particle may touch. They stand still, so it is built once.
//
// Along each axis a particle can touch only the wall that it flies towards.
//
// Cost: one candidate per axis with walls. Not done: a grid of obstacles, for shapes that fill the box.
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/obstacle.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

class ObstacleSearch {
  public:
    explicit ObstacleSearch(const World& world);

    /// Whether there is none to find.
    bool is_empty() const { return obstacles_.empty(); }

    /// visit(obstacle) for all that a sphere of any radius may touch before its motion changes: perhaps too
    /// many, never too few, each once.
    template <class Visit>
    void for_each_candidate(const Motion& motion, Visit&& visit) const {
        for (const FacingWalls& walls : facing_walls_)
            visit(obstacles_[motion.velocity[walls.axis] > 0 ? walls.high : walls.low]);
    }

    /// visit(obstacle) for all that there are.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Obstacle& obstacle : obstacles_) visit(obstacle);
    }

    /// The obstacle of this number. O(log(number of obstacles)).
    /// Requires: there is one.
    const Obstacle& operator[](ObstacleNumber number) const;

  private:
    /// The two walls of an axis, as indices of obstacles.
    struct FacingWalls {
        int axis = 0;
        std::size_t low = 0, high = 0;
    };

    std::vector<Obstacle> obstacles_;  ///< in ascending order of their numbers
    std::vector<FacingWalls> facing_walls_;
};

}  // namespace ricochet
