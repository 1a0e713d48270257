// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a shape that particles touch. A shape is a value with five functions: when a sphere touches it, where, how
// far a place is from it, and from what it would be without an end, and between which bounds it lies. This one is a
// round plate, without its rim.
//
// In the program the struct stands in geometry/obstacle_shapes.hpp, where ObstacleShape names it, and
// geometry/obstacle.cpp makes it from a body.
#include <gtest/gtest.h>

#include <limits>

#include "geometry/contact_time.hpp"
#include "geometry/obstacle_shapes.hpp"

namespace {

using namespace ricochet;

/// Touched from the side to which its normal points.
struct Plate {
    Vec3 centre;
    Vec3 normal;  ///< of length 1
    double radius = 0;
};

bool is_over(const Plate& plate, Vec3 place) {
    const Vec3 r = place - plate.centre;
    return norm(advanced(r, plate.normal, -dot(r, plate.normal))) <= plate.radius;
}

double obstacle_contact_time(const Motion& motion, double radius, const Plate& plate) {
    const double approach = -dot(motion.velocity, plate.normal);
    const double distance = dot(motion.position - plate.centre, plate.normal);
    if (!(approach > 0) || !(distance > 0)) return never;
    const double time = distance <= radius ? motion.time : motion.time + (distance - radius) / approach;
    return is_over(plate, position_at(motion, time)) ? time : never;
}

Surface surface_at(Vec3 centre, const Plate& plate) {
    const double distance = dot(centre - plate.centre, plate.normal);
    return {.point = advanced(centre, plate.normal, -distance), .normal = Vec3{} - plate.normal};
}

double distance_to_whole(Vec3 centre, const Plate& plate) { return dot(centre - plate.centre, plate.normal); }

double distance_to(Vec3 centre, const Plate& plate) {
    return is_over(plate, centre) ? distance_to_whole(centre, plate)
                                  : std::numeric_limits<double>::infinity();
}

ObstacleBounds bounds_of(const Plate& plate) {
    const Vec3 reach{plate.radius, plate.radius, plate.radius};
    return {plate.centre - reach, plate.centre + reach};
}

TEST(Recipe, Obstacle) {
    const Plate plate{{4, 4, 2}, {0, 0, 1}, 1};
    const Motion falling{.position = {4, 4.5, 5}, .velocity = {0, 0.25, -2}, .time = 0.5};
    const double time = obstacle_contact_time(falling, 0.5, plate);
    EXPECT_EQ(time, 0.5 + 1.25);
    const Surface surface = surface_at(position_at(falling, time), plate);
    EXPECT_EQ(surface.point, (Vec3{4, 4.8125, 2}));
    EXPECT_EQ(surface.normal, (Vec3{0, 0, -1}));
    EXPECT_EQ(distance_to(position_at(falling, time), plate), 0.5);
    EXPECT_EQ(bounds_of(plate).high, (Vec3{5, 5, 3}));
    const Motion beside{.position = {4, 4.5, 5}, .velocity = {0, 1, -2}};
    EXPECT_EQ(obstacle_contact_time(beside, 0.5, plate), never);
}

}  // namespace
