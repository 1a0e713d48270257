// SPDX-License-Identifier: BSD-3-Clause
//
// Fixed bodies that particles touch: which there are, and when and where a sphere touches one. So far they are
// the walls of the box.
//
// An obstacle is a shape and a number. The number names it in contact keys, and so in the collision log.
//
// Layout: a variant of the shapes, each a small value with three free functions. A shape without these does not
// compile. Only they decide a contact time with an obstacle.
//
// Invariants, as for pairs (geometry/contact_time.hpp): a sphere that does not approach has no contact, even
// when rounding left it inside. One that approaches from inside has it now.
//
// Not done: other shapes, and obstacles that move.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// Its place in contact keys. Of a wall the face, 2 axis + (0 low, 1 high). Other obstacles go on from 6.
using ObstacleNumber = std::uint32_t;

/// A wall that closes the box at one end of an axis.
struct Wall {
    int axis = 0;
    bool is_high = false;  ///< at the upper end
    double position = 0;   ///< along the axis

    friend bool operator==(const Wall&, const Wall&) = default;
};

/// One of all shapes that there are.
using ObstacleShape = std::variant<Wall>;

struct Obstacle {
    ObstacleNumber number = 0;
    ObstacleShape shape;

    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

/// Where a sphere touches an obstacle.
struct Surface {
    Vec3 point;
    Vec3 normal;  ///< unit vector from the centre of the sphere into the obstacle
};

// --- shapes: three functions for each --------------------------------------------------------------------

/// Time within the step at which a sphere of the given radius touches the obstacle, at or after its own time.
/// The value is `never` (geometry/contact_time.hpp) if it does not.
double obstacle_contact_time(const Motion& motion, double radius, const Wall& wall);

/// Where a sphere with this centre touches the obstacle.
Surface surface_at(Vec3 centre, const Wall& wall);

/// How far the centre is from the surface; negative inside the obstacle.
double distance_to(Vec3 centre, const Wall& wall);

inline double obstacle_contact_time(const Motion& motion, double radius, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return obstacle_contact_time(motion, radius, of); }, shape);
}
inline Surface surface_at(Vec3 centre, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return surface_at(centre, of); }, shape);
}
inline double distance_to(Vec3 centre, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return distance_to(centre, of); }, shape);
}

/// The same for a sphere and an obstacle whose rule says what they do while they overlap.
inline double obstacle_contact_time(const Motion& motion, double radius, const ObstacleShape& shape,
                                    Overlap overlap) {
    if (overlap == Overlap::reacts && distance_to(motion.position, shape) - radius <= 0) return motion.time;
    return obstacle_contact_time(motion, radius, shape);
}

/// The same for a sphere that grows: at time t of the step its radius is `radius` (1 + rate t).
inline double growing_obstacle_contact_time(const Motion& motion, double radius, const ObstacleShape& shape,
                                            double rate) {
    Motion surface = motion;  // that approaches the obstacle
    surface.velocity = advanced(motion.velocity, surface_at(motion.position, shape).normal, rate * radius);
    return obstacle_contact_time(surface, radius * std::fma(rate, motion.time, 1.0), shape);
}

// --- which there are, and their names ----------------------------------------------------------------------------

/// `face` = 2 axis + (0 low, 1 high); whether the axis has walls is not asked.
/// Requires: 0 <= face < 2 * box.dimension.
Wall wall_at(const Box& box, int face);

/// All obstacles of a world, in ascending order of their numbers.
std::vector<Obstacle> obstacles_of(const World& world);

/// Its name in contact keys.
constexpr ParticleId obstacle_id(ObstacleNumber number) { return first_obstacle_id + number; }
/// Its name in sentences.
/// Requires: `id` is that of an obstacle in contact keys.
std::string obstacle_name(ParticleId id);

}  // namespace ricochet
