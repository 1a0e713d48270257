// SPDX-License-Identifier: BSD-3-Clause
//
// Convex shapes that fly towards bodies. They touch where the hull of their corners touches the body as a whole, and
// nowhere earlier. How far both are apart, the corners alone say (tests/support/hull_distance.hpp).
#include "geometry/shapes_at_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry/body_room.hpp"
#include "search/obstacle_search.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/hull_distance.hpp"
#include "tests/support/random_bodies.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

/// A path in space, straight or a parabola, in a step of length 2.
struct Path {
    Motion seen;
    Vec3 acceleration;

    const Motion& motion() const { return seen; }
    Fall fall() const { return {seen, acceleration, 2}; }
    Vec3 place_at(double time) const { return place_after(fall(), time - seen.time); }
    Vec3 velocity_at(double time) const { return advanced(seen.velocity, acceleration, time - seen.time); }
    double time_of(Vec3 shift, double radius, const ObstacleShape& shape) const {
        Fall shifted = fall();
        shifted.motion.position = seen.position + shift;
        return acceleration == Vec3{} ? obstacle_contact_time(shifted.motion, radius, shape)
                                      : falling_contact_time(shifted, radius, shape);
    }
};

// --- how far a shape is from a solid, by places alone ----------------------------------------------------------

double from_solid(const BodySphere& of, const std::vector<Vec3>& shape) {
    return distance_to_hull(differences(shape, {of.centre}, {})) - of.radius;
}
double from_solid(const BodySpheres& of, const std::vector<Vec3>& shape) {
    double least = never;
    for (const BodySphere& sphere : of.spheres) least = std::min(least, from_solid(sphere, shape));
    return least;
}
double from_solid(const BodyCapsule& of, const std::vector<Vec3>& shape) {
    return distance_to_hull(differences(shape, {of.from, of.to}, {})) - of.radius;
}
double from_solid(const BodyCylinder& of, const std::vector<Vec3>& shape) {
    std::vector<Vec3> across;
    for (const Vec3 corner : shape) {
        const Vec3 r = of.point - corner;
        across.push_back(advanced(r, of.axis, -dot(r, of.axis)));
    }
    return distance_to_hull(across) - of.radius;
}
double from_solid(const BodyBox& of, const std::vector<Vec3>& shape) {
    std::vector<Vec3> corners;
    for (const double x : {of.low.x, of.high.x})
        for (const double y : {of.low.y, of.high.y})
            for (const double z : {of.low.z, of.high.z}) corners.push_back({x, y, z});
    return distance_to_hull(differences(shape, corners, {}));
}
double from_solid(const BodyPlane& of, const std::vector<Vec3>& shape) {
    double least = never;
    for (const Vec3 corner : shape) least = std::min(least, dot(corner - of.point, of.normal));
    return least;
}

/// Of what is inside, the corner that is farthest out.
double from_inside(const Body& body, const std::vector<Vec3>& shape) {
    Body inside = body;
    inside.side = BodySide::inside;
    double least = never;
    for (const Vec3 corner : shape) least = std::min(least, clearance(inside, corner));
    return least;
}

double distance_of(const Body& body, Vec3 centre, const std::vector<Vec3>& shape) {
    Body outside = body;
    outside.side = BodySide::outside;
    const bool is_inside =
        body.side == BodySide::inside || (body.side == BodySide::both && clearance(outside, centre) < 0);
    if (is_inside) return from_inside(body, shape);
    return std::visit([&](const auto& of) { return from_solid(of, shape); }, body.shape);
}

/// How far a shape is from the nearest body, images counted.
double room_of(const World& world, Vec3 centre, const std::vector<Vec3>& corners) {
    const auto shifts = [&](int axis) {
        std::vector<double> all{0};
        for (int k = -2; k <= 2; ++k)
            if (k != 0 && world.box.is_periodic(axis)) all.push_back(k * world.box.size[axis]);
        return all;
    };
    double least = never;
    for (const Body& body : world.bodies)
        for (const double x : shifts(0))
            for (const double y : shifts(1))
                for (const double z : shifts(2)) {
                    const Vec3 shift{x, y, z};
                    if (body.side == BodySide::inside && !(shift == Vec3{})) continue;
                    std::vector<Vec3> shape;
                    for (const Vec3 corner : corners) shape.push_back(corner + centre - shift);
                    least = std::min(least, distance_of(body, centre - shift, shape));
                }
    return least;
}

// --- paths -----------------------------------------------------------------------------------------------------

struct Touch {
    SurfaceTouch touch;
    ObstacleIndex index = 0;
    int num_same = 0;  ///< surfaces that are touched at this very time
};

Path in_box(const ObstacleSearch& search, const Path& path) {
    return {search.in_box(path.seen), path.acceleration};
}

Touch first_touch(const ObstacleSearch& search, const ShapesAtBodies& shapes, const Path& outside,
                  double radius, double until) {
    Touch first;
    const Path path = in_box(search, outside);
    const double reach = radius + norm(path.acceleration);
    search.for_each_surface(path.seen, reach, until, [&](ObstacleIndex index, const Obstacle& obstacle) {
        const SurfaceTouch touch = shapes.first_touch(0, obstacle, path);
        if (!(touch.time < until)) return;
        if (touch.time == first.touch.time) ++first.num_same;
        if (touch.time < first.touch.time) first = {touch, index, 1};
    });
    return first;
}

struct ShapedWorld {
    World world;
    std::vector<Vec3> corners;
    double radius = 0;
};

std::optional<ShapedWorld> random_world(HashRandom& random, BodySide side) {
    const bool is_flat = random.is_one_in(3);
    ShapedWorld of;
    of.world.box = periodic_box({4, 5, is_flat ? 0.0 : 6});
    set_random_walls(of.world.box, random);
    Body body =
        side == BodySide::inside ? random_container(of.world.box, random) : random_body(of.world.box, random);
    if (side == BodySide::both && !std::holds_alternative<BodySpheres>(body.shape)) body.side = side;
    if (side == BodySide::outside && !std::holds_alternative<BodyPlane>(body.shape)) body.side = side;
    of.world.bodies.push_back(body);
    of.radius = random.is_one_in(8) ? 1e-3 : random.uniform(0.05, 0.6);
    of.corners = random_corners(of.world.box.dimension, of.radius, random);
    const auto* const capsule = std::get_if<BodyCapsule>(&body.shape);
    if (capsule != nullptr && !SolidPair::has_sum(of.corners, *capsule, of.world.box.dimension))
        return std::nullopt;
    Species species;
    species.radius = of.radius;
    species.corners = of.corners;
    of.world.species.push_back(species);
    return of;
}

/// Where the shape fits, on a path of at most half of the shortest edge; none where no place was found.
std::optional<Path> random_path(const ShapedWorld& of, const BodyRoom& room, bool falls, HashRandom& random) {
    for (int attempt = 0; attempt < 30; ++attempt) {
        Motion motion;
        for (int axis = 0; axis < of.world.box.dimension; ++axis)
            motion.position[axis] = random.uniform() * of.world.box.size[axis];
        const bool keeps_off = room.keeps_off(motion.position, of.radius, 0);
        const double distance = room_of(of.world, motion.position, of.corners);
        EXPECT_EQ(keeps_off, distance > 1e-13) << distance;
        if (!keeps_off) continue;
        motion.velocity = random.normal_vector(of.world.box.dimension);
        motion.velocity = (random.uniform(0.1, falls ? 1 : 2) / norm(motion.velocity)) * motion.velocity;
        motion.time = random.uniform();
        const Vec3 v = random.normal_vector(of.world.box.dimension);
        return Path{motion, falls ? (random.uniform(0.1, 2) / norm(v)) * v : Vec3{}};
    }
    return std::nullopt;
}

/// The contact is where the distance ends, with a normal against the path, at a point of both.
void expect_contact(const ShapedWorld& of, const ObstacleSearch& search, const ShapesAtBodies& shapes,
                    const Path& path, const Touch& touch) {
    const Vec3 centre = in_box(search, path).place_at(touch.touch.time);
    EXPECT_NEAR(room_of(of.world, centre, of.corners), 0, 1e-10);
    EXPECT_GT(dot(touch.touch.normal, path.velocity_at(touch.touch.time)), 0);
    EXPECT_NEAR(norm(touch.touch.normal), 1, 1e-14);
    EXPECT_EQ(touch.num_same, 1);
    const Obstacle& obstacle = search[touch.index];
    const Vec3 point = shapes.touching_point(0, obstacle, centre, touch.touch.normal);
    std::vector<Vec3> shape;
    for (const Vec3 corner : of.corners) shape.push_back(corner + centre);
    EXPECT_LT(distance_to_hull(differences(shape, {point}, {})), 1e-6);
    EXPECT_NEAR(support(of.corners, touch.touch.normal), dot(point - centre, touch.touch.normal), 1e-7);
    EXPECT_NEAR(room_of(of.world, point, {Vec3{}}), 0, 1e-6);
}

struct Extent {
    int num_worlds = fewer_if_sanitized(700);  ///< with 10 paths each
    int num_points = 20;                       ///< of a path before it touches
};

void expect_first_touch_of_paths(BodySide side, bool falls, std::uint64_t seed, Extent extent = {}) {
    HashRandom random(seed);
    std::size_t num_touches = 0, num_misses = 0;
    for (int k = 0; k < extent.num_worlds && !::testing::Test::HasFailure(); ++k) {
        const auto of = random_world(random, side);
        if (!of) continue;
        SCOPED_TRACE(k);
        const ObstacleSearch search(of->world);
        const ShapesAtBodies shapes(of->world, {convex_hull(of->corners, of->world.box.dimension)});
        const BodyRoom room(of->world);
        for (int k_path = 0; k_path < 10; ++k_path) {
            const auto path = random_path(*of, room, falls, random);
            if (!path) break;
            const double start = path->seen.time, end = start + 1;
            const Touch touch = first_touch(search, shapes, *path, of->radius, end);
            const bool touches = touch.touch.time < end;
            ++(touches ? num_touches : num_misses);
            if (touches) expect_contact(*of, search, shapes, *path, touch);
            const double until = std::min(touch.touch.time, end);
            for (int point = 0; point < extent.num_points; ++point) {
                const double time = start + (until - start) * point / extent.num_points;
                ASSERT_GT(room_of(of->world, path->place_at(time), of->corners), 1e-13) << point;
            }
        }
    }
    std::printf("%zu touches, %zu misses\n", num_touches, num_misses);
    EXPECT_GT(num_touches, static_cast<std::size_t>(extent.num_worlds) / 2);
    EXPECT_GT(num_misses, static_cast<std::size_t>(extent.num_worlds) / 2);
}

}  // namespace

TEST(ShapesAtBodies, TouchSolidsFromOutside) { expect_first_touch_of_paths(BodySide::outside, false, 81); }
TEST(ShapesAtBodies, TouchBodiesFromInside) { expect_first_touch_of_paths(BodySide::inside, false, 82); }
TEST(ShapesAtBodies, TouchBothSides) { expect_first_touch_of_paths(BodySide::both, false, 83); }
TEST(ShapesAtBodies, FallOnSolids) { expect_first_touch_of_paths(BodySide::outside, true, 84); }
TEST(ShapesAtBodies, FallWithinBodies) { expect_first_touch_of_paths(BodySide::inside, true, 85); }
TEST(ShapesAtBodies, FallOnBothSides) { expect_first_touch_of_paths(BodySide::both, true, 86); }

}  // namespace ricochet::test
