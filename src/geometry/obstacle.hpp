// SPDX-License-Identifier: BSD-3-Clause
//
// The obstacles of a world: the surfaces of the walls of its box, and of its bodies.
//
// An obstacle is a shape, a number and a body. The number names it in contact keys, and so in the collision log. The
// body decides by which rule it is touched. Along periodic axes it is there with its images, all of one number.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "geometry/obstacle_shapes.hpp"
#include "model/bend.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// Its name in contact keys. A wall has the number of its face, 2 axis + (0 low, 1 high). Surfaces of bodies go on from
/// 6.
using ObstacleNumber = std::uint32_t;

/// The place of an obstacle in the list of all. Ascending places have ascending numbers.
using ObstacleIndex = std::uint32_t;

struct Obstacle {
    ObstacleNumber number = 0;
    BodyNumber body = 0;
    ObstacleShape shape;

    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

// --- times that rules and growth change --------------------------------------------------------------------

/// obstacle_contact_time for a sphere and an obstacle whose rule says what they do while they overlap.
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

// --- curvature -----------------------------------------------------------------------------------------------

/// The bend of the surface on which centres of spheres of this radius are at contact, where it is nearest to a place.
/// An edge is a cylinder about its line, and a corner a sphere about its point. Flat where they have no room.
Bend bend_at_contact(const ObstacleShape& shape, Vec3 place, double radius, int dimension);

// --- which there are, and their names ----------------------------------------------------------------------

/// `face` = 2 axis + (0 low, 1 high); whether the axis has walls is not asked.
/// Requires: 0 <= face < 2 * box.dimension.
Wall wall_at(const Box& box, int face);

/// The surfaces of a body, in the order of their numbers.
std::vector<ObstacleShape> surfaces_of(const Body& body, int dimension);

/// The shifts by which what lies between these bounds comes near the box. Three for each periodic axis along which it
/// is not endless.
std::vector<Vec3> image_shifts(const Box& box, const ObstacleBounds& bounds);

/// All obstacles of a world, in ascending order of their numbers. A body comes with its images: all
/// that a path may meet which begins in the box and is at most half an edge long.
/// Requires: along periodic axes bodies are endless, or shorter than the edge.
std::vector<Obstacle> obstacles_of(const World& world);

/// The body of every surface of bodies, by its number less 6. The table that a collision log needs.
std::vector<BodyNumber> bodies_of_surfaces(const World& world);

/// Its name in contact keys.
constexpr ParticleId obstacle_id(ObstacleNumber number) { return first_obstacle_id + number; }
/// What a particle remembers of a body that it may pass. A membrane has two surfaces in one place, one for each side.
constexpr ParticleId membrane_id(BodyNumber body, bool has_passed) {
    constexpr ParticleId beyond_obstacles = ParticleId{1} << 40;
    return first_obstacle_id + beyond_obstacles + 2 * ParticleId{body} + (has_passed ? 1 : 0);
}

}  // namespace ricochet
