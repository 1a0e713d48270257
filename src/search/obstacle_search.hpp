// SPDX-License-Identifier: BSD-3-Clause
//
// The search of obstacles: names those that a particle may touch. They stand still, so it is built once.
//
// Along each axis a particle can touch only the wall that it flies towards. Surfaces of bodies are looked up in a grid
// by the box that the path fills. Those that are endless, or few, are always named.
//
// Cost: one candidate per axis with walls, and the surfaces in the cells that the path crosses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "geometry/obstacle.hpp"
#include "geometry/surface_grid.hpp"
#include "geometry/surface_patches.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

class ObstacleSearch {
  public:
    explicit ObstacleSearch(const World& world);

    /// Whether there is none to find.
    bool is_empty() const { return obstacles_.empty(); }
    /// Whether there are others than walls.
    bool has_bodies() const { return has_bodies_; }

    /// visit(index, wall) for all walls that a sphere of any radius may touch before its motion changes: perhaps too
    /// many, never too few, each once.
    template <class Visit>
    void for_each_wall_ahead(const Motion& motion, Visit&& visit) const {
        for (const FacingWalls& walls : facing_walls_) {
            const bool is_high = motion.velocity[walls.axis] > 0;
            visit(is_high ? walls.high : walls.low, is_high ? walls.wall_high : walls.wall_low);
        }
    }
    /// visit(index, wall) for all walls that there are.
    template <class Visit>
    void for_each_wall(Visit&& visit) const {
        for (const FacingWalls& walls : facing_walls_)
            for (const ObstacleIndex index : {walls.low, walls.high}) visit(index, obstacles_[index]);
    }
    /// visit(index, surface) for all surfaces of bodies that a sphere of this radius may touch before `until`.
    /// Requires: the motion starts in the box, as in_box returns it.
    template <class Visit>
    void for_each_surface(const Motion& motion, double radius, double until, Visit&& visit) const {
        for (const ObstacleIndex index : always_) visit(index, obstacles_[index]);
        const Vec3 start = motion.position, end = position_at(motion, until);
        const Vec3 room{radius + slack_, radius + slack_, radius + slack_};
        grid_.for_each_in({min(start, end) - room, max(start, end) + room},
                          [&](ObstacleIndex index) { visit(index, obstacles_[index]); });
    }

    /// visit(index, surface) for those that are round, touched from inside, and no wider than a sphere that is there.
    /// O(such surfaces); O(1) where all are wider.
    template <class Visit>
    void for_each_too_narrow(Vec3 centre, double radius, Visit&& visit) const {
        if (radius < narrowest_) return;
        for (const ObstacleIndex index : hollows_) {
            const ObstacleShape& shape = obstacles_[index].shape;
            const bool is_inside =
                std::holds_alternative<HollowCapsule>(shape) || distance_to_whole(centre, shape) > 0;
            if (is_inside && radius >= hollow_radius(shape)) visit(index, obstacles_[index]);
        }
    }

    const SurfacePatches& patches() const { return patches_; }
    const Obstacle& operator[](ObstacleIndex index) const { return obstacles_[index]; }
    /// The wall's or the body's name in sentences. O(log surfaces).
    /// Requires: `id` is that of an obstacle in contact keys.
    std::string name_of(ParticleId id) const;

    /// The motion as surfaces of bodies see it: shifted so that it starts in the box along periodic axes, where bodies
    /// repeat.
    Motion in_box(const Motion& motion) const {
        Motion shifted = motion;
        for (int axis = 0; axis < 3; ++axis) {
            const double period = period_[axis];
            double& x = shifted.position[axis];
            if (period > 0) x -= period * std::floor(x / period);
        }
        return shifted;
    }

  private:
    /// The two walls of an axis, and copies of them: every particle asks for walls.
    struct FacingWalls {
        int axis = 0;
        ObstacleIndex low = 0, high = 0;
        Wall wall_low, wall_high;
    };

    void list_surfaces(const Box& box);

    std::vector<Obstacle> obstacles_;  ///< in ascending order of their numbers
    std::vector<std::string> names_;   ///< of bodies
    std::vector<FacingWalls> facing_walls_;
    bool has_bodies_;
    Vec3 period_;       ///< of bodies: the edge of a periodic axis, else 0; 0 without bodies
    double slack_ = 0;  ///< more than rounding
    std::vector<ObstacleIndex> always_;
    std::vector<ObstacleIndex> hollows_;                          ///< round, and touched from inside
    double narrowest_ = std::numeric_limits<double>::infinity();  ///< of their radii
    SurfaceGrid grid_;
    SurfacePatches patches_;
};

}  // namespace ricochet
