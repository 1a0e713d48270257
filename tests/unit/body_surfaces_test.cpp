// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres that fly towards bodies. They touch where the body as a whole is as far as their radius, and nowhere earlier.
// How far it is, another formula says: that of the solid, not of its surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "contact/response.hpp"
#include "geometry/body_room.hpp"
#include "geometry/contact_time.hpp"
#include "search/obstacle_search.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/random_bodies.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

struct Touch {
    double time = never;
    ObstacleIndex index = 0;
};

Touch first_touch(const ObstacleSearch& search, const Motion& motion, double radius, double until) {
    Touch first;
    const Motion in_box = search.in_box(motion);
    search.for_each_surface(in_box, radius, until, [&](ObstacleIndex index, const Obstacle& obstacle) {
        const double time = obstacle_contact_time(in_box, radius, obstacle.shape);
        if (time < first.time) first = {time, index};
    });
    return first.time < until ? first : Touch{};
}

/// How far a place is from the nearest body, images counted.
double room_at(const World& world, Vec3 place) {
    double least = never;
    const auto shifts = [&](int axis) {
        std::vector<double> all{0};
        for (int k = -2; k <= 2; ++k)
            if (k != 0 && world.box.is_periodic(axis)) all.push_back(k * world.box.size[axis]);
        return all;
    };
    for (const Body& body : world.bodies) {
        if (body.side == BodySide::inside) {
            least = std::min(least, clearance(body, place));
            continue;
        }
        for (const double x : shifts(0))
            for (const double y : shifts(1))
                for (const double z : shifts(2))
                    least = std::min(least, clearance(body, place - Vec3{x, y, z}));
    }
    return least;
}

World world_with_body(HashRandom& random, bool is_container) {
    const bool is_flat = random.is_one_in(3);
    World world{.box = periodic_box({4, 5, is_flat ? 0.0 : 6})};
    set_random_walls(world.box, random);
    world.bodies.push_back(is_container ? random_container(world.box, random)
                                        : random_body(world.box, random));
    world.species.emplace_back();
    return world;
}

/// A sphere at a place where it fits, on a path of at most half of the shortest edge; none where no place was found.
std::optional<Motion> random_path(const World& world, double radius, HashRandom& random) {
    const BodyRoom room(world);
    for (int attempt = 0; attempt < 100; ++attempt) {
        Motion motion;
        for (int axis = 0; axis < world.box.dimension; ++axis)
            motion.position[axis] = random.uniform() * world.box.size[axis];
        if (!room.keeps_off(motion.position, radius)) continue;
        motion.velocity = random.normal_vector(world.box.dimension);
        motion.velocity = (random.uniform(0.1, 2) / norm(motion.velocity)) * motion.velocity;
        motion.time = random.uniform();
        return motion;
    }
    return std::nullopt;
}

struct Extent {
    int num_worlds = fewer_if_sanitized(3000);  ///< with 10 paths each
    int num_points = 40;                        ///< of a path before it touches
};

void expect_first_touch_of_paths(bool is_container, std::uint64_t seed, Extent extent = {}) {
    HashRandom random(seed);
    std::size_t num_touches = 0, num_misses = 0;
    for (int k = 0; k < extent.num_worlds; ++k) {
        const World world = world_with_body(random, is_container);
        const ObstacleSearch search(world);
        for (int path = 0; path < 10; ++path) {
            const double radius = random.is_one_in(8) ? 1e-6 : random.uniform(0.001, 0.3);
            const auto motion = random_path(world, radius, random);
            if (!motion) break;
            const double end = motion->time + 1;
            const Touch touch = first_touch(search, *motion, radius, end);
            ++(touch.time < never ? num_touches : num_misses);
            const double until = std::min(touch.time, end);
            for (int point = 0; point <= extent.num_points; ++point) {
                const double time = motion->time + (until - motion->time) * point / extent.num_points;
                ASSERT_GE(room_at(world, position_at(*motion, time)), radius - 1e-12) << k << ' ' << point;
            }
            if (touch.time < never) {
                ASSERT_NEAR(room_at(world, position_at(*motion, touch.time)), radius, 1e-12) << k;
            }
        }
    }
    EXPECT_GT(num_touches, fewer_if_sanitized(1000u));
    EXPECT_GT(num_misses, fewer_if_sanitized(1000u));
}

TEST(BodySurfaces, AreTouchedWhereTheSolidIs) { expect_first_touch_of_paths(false, 1); }
TEST(BodySurfaces, AreTouchedFromInsideWhereTheyAre) { expect_first_touch_of_paths(true, 2); }

/// A million spheres.
constexpr Extent long_extent{.num_worlds = 100000, .num_points = 100};
TEST(LongBodySurfaces, AreTouchedWhereTheSolidIs) { expect_first_touch_of_paths(false, 3, long_extent); }
TEST(LongBodySurfaces, AreTouchedFromInside) { expect_first_touch_of_paths(true, 4, long_extent); }

/// One sphere bounces for long. `most_error`: of the energy.
void expect_billiard(const World& world, Motion motion, double radius, int num_contacts) {
    const ObstacleSearch search(world);
    const Attributes attributes{.radius = radius, .mass = 2};
    const double energy = dot(motion.velocity, motion.velocity);
    for (int k = 0; k < num_contacts; ++k) {
        const Motion in_box = search.in_box(motion);
        const Touch touch = first_touch(search, motion, radius, motion.time + 100);
        ASSERT_LT(touch.time, never) << k;
        const Surface surface = surface_at(position_at(in_box, touch.time), search[touch.index].shape);
        ObstacleContact contact{touch.time, motion, attributes, surface.normal};
        contact.is_hollow = surface.is_hollow;
        const ContactOutcome outcome = ricochet::outcome(Bounce{}, contact);
        motion.position = outcome.low->position;
        motion.velocity = outcome.low->velocity;
        motion.time = 0;
        ASSERT_GE(room_at(world, motion.position), radius - 1e-11) << k;
    }
    EXPECT_NEAR(dot(motion.velocity, motion.velocity), energy, 5e-11 * energy);
}

World container_of(const BodyShape& shape) {
    return {
        .box = walled_box({10, 10, 10}), .bodies = {{"container", shape, BodySide::inside}}, .species = {{}}};
}

TEST(BodyBilliard, StaysInsideContainers) {
    const Motion motion{.position = {5, 5.25, 5.125}, .velocity = {1, 0.3, -0.7}};
    expect_billiard(container_of(BodySphere{{5, 5, 5}, 3}), motion, 0.5, 100'000);
    expect_billiard(container_of(BodyCapsule{{4, 4, 4}, {6, 7, 5}, 2}), motion, 0.5, 100'000);
    expect_billiard(container_of(BodyCapsule{{4, 5, 5}, {6, 5, 5}, 2}), motion, 0, 100'000);
    expect_billiard(container_of(BodyBox{{1, 2, 3}, {9, 8, 7}}), motion, 0.5, 10'000);
}

TEST(BodyBilliard, StaysInsideWhereItGrazes) {
    const Motion along{.position = {5, 7.5, 5}, .velocity = {0, 1e-9, 1}};
    expect_billiard(container_of(BodySphere{{5, 5, 5}, 3}), along, 0.5, 10'000);
    const Motion on_seam{.position = {4, 6.5, 5}, .velocity = {1, 1e-9, 1e-7}};
    expect_billiard(container_of(BodyCapsule{{4, 5, 5}, {6, 5, 5}, 2}), on_seam, 0.5, 10'000);
}

}  // namespace
}  // namespace ricochet::test
