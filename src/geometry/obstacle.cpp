// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/obstacle.hpp"

#include "geometry/contact_time.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

[[gnu::noinline]] double obstacle_contact_time(const Motion& motion, double radius, const Wall& wall) {
    const double velocity = motion.velocity[wall.axis];
    const double approach = wall.is_high ? velocity : -velocity;
    if (!(approach > 0)) return never;
    const double gap = distance_to(motion.position, wall) - radius;
    return gap <= 0 ? motion.time : motion.time + gap / approach;
}

Surface surface_at(Vec3 centre, const Wall& wall) {
    Surface surface{.point = centre, .normal = {}};
    surface.point[wall.axis] = wall.position;
    surface.normal[wall.axis] = wall.is_high ? 1 : -1;
    return surface;
}

double distance_to(Vec3 centre, const Wall& wall) {
    return wall.is_high ? wall.position - centre[wall.axis] : centre[wall.axis] - wall.position;
}

Wall wall_at(const Box& box, int face) {
    RICOCHET_CHECK_GE(face, 0);
    RICOCHET_CHECK_LT(face, 2 * box.dimension);
    const int axis = face / 2;
    const bool is_high = face % 2 == 1;
    return {axis, is_high, is_high ? box.size[axis] : 0};
}

std::vector<Obstacle> obstacles_of(const World& world) {
    const Box& box = world.box;
    std::vector<Obstacle> obstacles;
    for (int face = 0; face < 2 * box.dimension; ++face) {
        if (box.has_walls(face / 2))
            obstacles.push_back({static_cast<ObstacleNumber>(face), wall_at(box, face)});
    }
    return obstacles;
}

std::string obstacle_name(ParticleId id) {
    RICOCHET_CHECK_GE(id, first_obstacle_id);
    return "wall face " + std::to_string(id - first_obstacle_id);
}

}  // namespace ricochet
