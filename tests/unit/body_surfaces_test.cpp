// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres that fly towards bodies. They touch where the body as a whole is as far as their radius, and nowhere earlier.
// How far it is, another formula says: that of the solid, not of its surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>
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

Body random_shell(const Box& box, HashRandom& random) {
    Body body;
    while (!std::holds_alternative<BodyCapsule>(body.shape) &&
           !std::holds_alternative<BodyCylinder>(body.shape) && !std::holds_alternative<BodyBox>(body.shape))
        body = random_body(box, random);
    body.side = BodySide::both;
    return body;
}

using MakeBody = Body(const Box& box, HashRandom& random);

World world_with_body(HashRandom& random, MakeBody& make) {
    const bool is_flat = random.is_one_in(3);
    World world{.box = periodic_box({4, 5, is_flat ? 0.0 : 6})};
    set_random_walls(world.box, random);
    world.bodies.push_back(make(world.box, random));
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

void expect_first_touch_of_paths(MakeBody& make, std::uint64_t seed, Extent extent = {}) {
    HashRandom random(seed);
    std::size_t num_touches = 0, num_misses = 0;
    for (int k = 0; k < extent.num_worlds; ++k) {
        const World world = world_with_body(random, make);
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

TEST(BodySurfaces, AreTouchedWhereTheSolidIs) { expect_first_touch_of_paths(random_body, 1); }
TEST(BodySurfaces, AreTouchedFromInsideWhereTheyAre) { expect_first_touch_of_paths(random_container, 2); }
TEST(BodySurfaces, AreTouchedFromBothSides) {
    expect_first_touch_of_paths(random_shell, 5, {.num_worlds = fewer_if_sanitized(2000)});
}

/// A million spheres.
constexpr Extent long_extent{.num_worlds = 100000, .num_points = 100};
TEST(LongBodySurfaces, AreTouchedWhereTheSolidIs) {
    expect_first_touch_of_paths(random_body, 3, long_extent);
}
TEST(LongBodySurfaces, AreTouchedFromInside) {
    expect_first_touch_of_paths(random_container, 4, long_extent);
}
TEST(LongBodySurfaces, AreTouchedFromBothSides) { expect_first_touch_of_paths(random_shell, 6, long_extent); }

// --- points that cross shells ----------------------------------------------------------------------------------

/// The earliest of the times at the surfaces of a body; at most one of them is finite.
template <class TimeAt>
double only_time(const std::vector<ObstacleShape>& surfaces, TimeAt&& time_at) {
    double earliest = never;
    for (const ObstacleShape& surface : surfaces) {
        const double time = time_at(surface);
        EXPECT_TRUE(time == never || earliest == never);
        earliest = std::min(earliest, time);
    }
    return earliest;
}

constexpr double longest = 50;  ///< of paths

/// The distance from what is convex is so along a path.
double least_distance(const Body& solid, const Motion& motion) {
    double low = motion.time, high = motion.time + longest;
    for (int k = 0; k < 80; ++k) {
        const double one = low + (high - low) / 3, other = high - (high - low) / 3;
        const bool is_before =
            clearance(solid, position_at(motion, one)) < clearance(solid, position_at(motion, other));
        (is_before ? high : low) = is_before ? other : one;
    }
    return clearance(solid, position_at(motion, low));
}

/// A path crosses on its way in and on its way out, and nowhere else. Returns how often it does.
int expect_crossings(const Body& shell, int dimension, const Motion& motion) {
    constexpr double rounding = 1e-12;
    Body solid = shell;
    solid.side = BodySide::outside;
    const std::vector<ObstacleShape> surfaces = surfaces_of(shell, dimension);
    const auto distance_at = [&](double time) { return clearance(solid, position_at(motion, time)); };
    const double first =
        only_time(surfaces, [&](const ObstacleShape& of) { return obstacle_contact_time(motion, 0, of); });
    if (clearance(solid, motion.position) < 0) {
        EXPECT_NEAR(distance_at(first), 0, rounding);
        EXPECT_GT(distance_at(first + longest), 0);
        return 1;
    }
    if (first == never) {
        EXPECT_GE(least_distance(solid, motion), -rounding);
        return 0;
    }
    EXPECT_NEAR(distance_at(first), 0, rounding);
    Motion crossed = motion;
    crossed.position = position_at(motion, first);
    crossed.time = first;
    const double last =
        only_time(surfaces, [&](const ObstacleShape& of) { return time_across_shell(crossed, of); });
    if (last == never) {  // it only grazes
        EXPECT_GE(least_distance(solid, motion), -rounding);
        return 1;
    }
    EXPECT_NEAR(distance_at(last), 0, rounding);
    EXPECT_LE(distance_at(0.5 * (first + last)), rounding);
    EXPECT_GE(distance_at(last + longest), 0);
    return 2;
}

/// Through a place near a joint of middle and end, or on it, or through any other.
Vec3 random_aim(const BodyCapsule& capsule, int dimension, HashRandom& random) {
    const Vec3 line = capsule.to - capsule.from, axis = 1 / norm(line) * line;
    Vec3 aside = random.normal_vector(dimension);
    if (random.is_one_in(4)) return capsule.from + random.uniform() * line + 0.5 * aside;
    aside = advanced(aside, axis, -dot(axis, aside));
    const Vec3 end = random.is_one_in(2) ? capsule.from : capsule.to;
    const double off = random.is_one_in(4) ? 0 : random.log_uniform(1e-17, 1e-2);
    return end + (capsule.radius / norm(aside)) * aside + off * random.normal_vector(dimension);
}

/// Through a place near an edge or corner, or on it, or through any other.
Vec3 random_aim(const BodyBox& box, int dimension, HashRandom& random) {
    const double off = random.is_one_in(4) ? 0 : random.log_uniform(1e-17, 1e-2);
    Vec3 aim = off * random.normal_vector(dimension);
    const auto across = random.index(static_cast<std::uint64_t>(dimension) + 1);  // the edges; or a corner
    for (int axis = 0; axis < dimension; ++axis) {
        const bool is_between = static_cast<std::uint64_t>(axis) == across;
        const double share = is_between ? random.uniform(-0.5, 1.5) : static_cast<double>(random.index(2));
        aim[axis] += share == 1 ? box.high[axis] : box.low[axis] + share * (box.high[axis] - box.low[axis]);
    }
    return aim;
}

TEST(BodySurfaces, OfBoxesAreCrossedInAndOut) {
    HashRandom random(8);
    std::array<int, 3> num_paths{};
    for (int k = 0; k < fewer_if_sanitized(1'000'000); ++k) {
        const int dimension = random.is_one_in(4) ? 2 : 3;
        const Vec3 low = random.normal_vector(dimension);
        Vec3 high = low;
        for (int axis = 0; axis < dimension; ++axis) high[axis] += random.uniform(0.1, 2);
        const BodyBox box{low, high};
        const Body shell{"shell", box, BodySide::both};
        Motion motion;
        motion.position = low + 2 * random.normal_vector(dimension);
        motion.velocity = random_aim(box, dimension, random) - motion.position;
        motion.time = random.uniform();
        if (random.is_one_in(4)) motion.velocity[static_cast<int>(random.index(2))] = 0;
        if (clearance(shell, motion.position) < 1e-9 || norm(motion.velocity) < 0.1) continue;
        ++num_paths.at(static_cast<std::size_t>(expect_crossings(shell, dimension, motion)));
        if (HasFailure()) FAIL() << "at path " << k;
    }
    for (const int count : num_paths) EXPECT_GT(count, fewer_if_sanitized(10'000));
}

TEST(BodySurfaces, AreCrossedInAndOut) {
    HashRandom random(7);
    std::array<int, 3> num_paths{};
    for (int k = 0; k < fewer_if_sanitized(1'000'000); ++k) {
        const int dimension = random.is_one_in(4) ? 2 : 3;
        const Vec3 line = random.is_one_in(2) ? Vec3{random.uniform(0.1, 3), 0, 0}
                                              : random.uniform(0.1, 3) * random.normal_vector(dimension);
        const Vec3 from = random.normal_vector(dimension);
        const BodyCapsule capsule{from, from + line, random.uniform(0.1, 1)};
        Body shell{"shell", capsule, BodySide::both};
        if (random.is_one_in(8)) shell.shape = BodyCylinder{from, 1 / norm(line) * line, capsule.radius};
        Motion motion;
        motion.position = from + 2 * random.normal_vector(dimension);
        motion.velocity = random_aim(capsule, dimension, random) - motion.position;
        motion.time = random.uniform();
        if (clearance(shell, motion.position) < 1e-9 || norm(motion.velocity) < 0.1) continue;
        ++num_paths.at(static_cast<std::size_t>(expect_crossings(shell, dimension, motion)));
        if (HasFailure()) FAIL() << "at path " << k;
    }
    for (const int count : num_paths) EXPECT_GT(count, fewer_if_sanitized(30'000));
}

/// One sphere bounces for long. `most_error`: of the energy.
void expect_billiard(const World& world, Motion motion, double radius, int num_contacts) {
    const ObstacleSearch search(world);
    World inside = world;
    inside.bodies[0].side = BodySide::inside;
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
        ASSERT_GE(room_at(inside, motion.position), radius - 1e-11) << k;
    }
    EXPECT_NEAR(dot(motion.velocity, motion.velocity), energy, 5e-11 * energy);
}

World container_of(const BodyShape& shape, BodySide side = BodySide::inside) {
    return {.box = walled_box({10, 10, 10}), .bodies = {{"container", shape, side}}, .species = {{}}};
}

TEST(BodyBilliard, StaysInsideContainers) {
    const Motion motion{.position = {5, 5.25, 5.125}, .velocity = {1, 0.3, -0.7}};
    expect_billiard(container_of(BodySphere{{5, 5, 5}, 3}), motion, 0.5, 100'000);
    expect_billiard(container_of(BodyCapsule{{4, 4, 4}, {6, 7, 5}, 2}), motion, 0.5, 100'000);
    expect_billiard(container_of(BodyCapsule{{4, 5, 5}, {6, 5, 5}, 2}), motion, 0, 100'000);
    expect_billiard(container_of(BodyBox{{1, 2, 3}, {9, 8, 7}}), motion, 0.5, 10'000);
}

TEST(BodyBilliard, StaysInsideShells) {
    const Motion motion{.position = {5, 5.25, 5.125}, .velocity = {1, 0.3, -0.7}};
    const auto shell_of = [](const BodyShape& shape) { return container_of(shape, BodySide::both); };
    expect_billiard(shell_of(BodySphere{{5, 5, 5}, 3}), motion, 0.5, 10'000);
    expect_billiard(shell_of(BodyCapsule{{4, 4, 4}, {6, 7, 5}, 2}), motion, 0.5, 100'000);
    expect_billiard(shell_of(BodyCapsule{{4, 5, 5}, {6, 5, 5}, 2}), motion, 1e-3, 100'000);
    expect_billiard(shell_of(BodyCylinder{{4, 5, 5}, {1, 0, 0}, 2}), motion, 0.5, 100'000);
    expect_billiard(shell_of(BodyBox{{1, 2, 3}, {9, 8, 7}}), motion, 0.5, 100'000);
    expect_billiard(shell_of(BodyBox{{4, 4.5, 4.5}, {6, 5.5, 5.5}}), motion, 1e-6, 100'000);
}

TEST(BodyBilliard, StaysInsideWhereItGrazes) {
    const Motion along{.position = {5, 7.5, 5}, .velocity = {0, 1e-9, 1}};
    expect_billiard(container_of(BodySphere{{5, 5, 5}, 3}), along, 0.5, 10'000);
    const Motion on_seam{.position = {4, 6.5, 5}, .velocity = {1, 1e-9, 1e-7}};
    expect_billiard(container_of(BodyCapsule{{4, 5, 5}, {6, 5, 5}, 2}), on_seam, 0.5, 10'000);
}

}  // namespace
}  // namespace ricochet::test
