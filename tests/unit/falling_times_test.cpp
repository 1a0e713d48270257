// SPDX-License-Identifier: BSD-3-Clause
//
// When falling spheres touch obstacles.
#include "geometry/falling_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/random_bodies.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using test::HashRandom;
using test::periodic_box;

TEST(FallingTimes, OfFlatSurfaces) {
    EXPECT_EQ(first_touch(2, 0, -4, Below::rounding), 1);       // dropped
    EXPECT_EQ(first_touch(0, 3, -2, Below::rounding), 3);       // thrown up from the surface: comes back
    EXPECT_EQ(first_touch(-1e-17, 3, -2, Below::rounding), 3);  // likewise, but for rounding
    EXPECT_EQ(first_touch(0, 3, 2, Below::rounding), never);    // falls away from a ceiling
    EXPECT_EQ(first_touch(0, 3, 0, Below::rounding), never);
    EXPECT_EQ(first_touch(-1e-17, -3, -2, Below::rounding), 0);  // inside by rounding, and approaches
    EXPECT_EQ(first_touch(6, -3, 0, Below::rounding), 2);        // straight
    EXPECT_EQ(first_touch(1, -2, 2, Below::rounding), 1);        // grazes a ceiling
    EXPECT_EQ(first_touch(1.01, -2, 2, Below::rounding), never);
    EXPECT_EQ(first_touch(-1, 1, -2, Below::elsewhere), never);  // beside the surface: does not come above it
    EXPECT_EQ(first_touch(-2, 3, -2, Below::elsewhere), 2);      // rises above it after 1, and falls on it
    EXPECT_EQ(first_touch(-2, -3, -2, Below::elsewhere), never);
}

/// What reaches into the floor comes back to it from above, or turns round below it.
TEST(FallingTimes, OfWhatReachesIntoFlatSurfaces) {
    EXPECT_EQ(first_touch(-2, 3, -2, Below::overlap), 2);     // rises above it after 1, and falls on it
    EXPECT_EQ(first_touch(-2, 2, -2, Below::overlap), 1);     // turns round below it
    EXPECT_EQ(first_touch(-1, 2, -2, Below::overlap), 1);     // just reaches it
    EXPECT_EQ(first_touch(-2, 0, -2, Below::overlap), 0);     // is at the top
    EXPECT_EQ(first_touch(-2, -3, -2, Below::overlap), 0);    // falls
    EXPECT_EQ(first_touch(-2, 3, 0, Below::overlap), never);  // leaves a wall
    EXPECT_EQ(first_touch(-2, 3, 2, Below::overlap), never);  // falls away from a ceiling
}

/// What has just left the floor, slowly, at a gap of rounding, comes back; not at once.
TEST(FallingTimes, DoNotLoseWhatHasJustLeft) {
    for (const double gap : {1e-17, 0.0, -1e-17})
        for (const double rate : {1e-2, 1e-4, 1e-9}) {
            const double time = first_touch(gap, rate, -9.81, Below::rounding), of_all = 2 * rate / 9.81;
            EXPECT_GE(time, of_all) << gap << ' ' << rate;
            EXPECT_LE(time, 1.000'001 * of_all + 2e-17 / rate) << gap << ' ' << rate;
        }
}

// --- all surfaces ------------------------------------------------------------------------------------------

struct Throw {
    Fall fall;
    double radius;

    Vec3 at(double time) const {
        const double t = time - fall.motion.time;
        return fall.motion.position + t * fall.motion.velocity + (0.5 * t * t) * fall.acceleration;
    }
};

Throw random_throw(const Box& box, HashRandom& random) {
    Throw thrown;
    thrown.radius = random.uniform(0.01, 0.1);
    Motion& motion = thrown.fall.motion;
    for (int axis = 0; axis < box.dimension; ++axis)
        motion.position[axis] = random.uniform(0, box.size[axis]);
    motion.velocity = random.uniform(0, 4) * random.normal_vector(box.dimension);
    motion.time = random.uniform(0, 0.5);
    thrown.fall.acceleration = random.uniform(0, 10) * random.normal_vector(box.dimension);
    thrown.fall.end = motion.time + random.uniform(0, 1.5);
    return thrown;
}

/// The least of all surfaces, those that are elsewhere left out.
double distance_to_all(const std::vector<Obstacle>& obstacles, Vec3 centre) {
    double least = std::numeric_limits<double>::infinity();
    for (const Obstacle& obstacle : obstacles) least = std::min(least, distance_to(centre, obstacle.shape));
    return least;
}

/// Spheres that are thrown against bodies of all kinds touch at their radius, to rounding, and never come nearer
/// before.
TEST(FallingTimes, AreFirstTouchesOfAllBodies) {
    constexpr int num_throws = test::fewer_if_sanitized(40'000), num_looks = 100;
    HashRandom random(31);
    int num_touching = 0;
    double worst = 0;
    for (int k = 0; k < num_throws; ++k) {
        const Box box = periodic_box({4, 5, k % 2 == 0 ? 6.0 : 0});
        World world{.box = box};
        world.bodies.push_back(k % 3 == 0 ? test::random_container(box, random)
                                          : test::random_body(box, random));
        const std::vector<Obstacle> obstacles = obstacles_of(world);
        const Throw thrown = random_throw(box, random);
        if (!BodyRoom(world).keeps_off(thrown.fall.motion.position, thrown.radius)) continue;
        double time = never;
        for (const Obstacle& obstacle : obstacles)
            time = std::min(time, falling_contact_time(thrown.fall, thrown.radius, obstacle.shape));
        const double until = std::min(time, thrown.fall.end);
        for (int look = 0; look < num_looks; ++look) {
            const double now = thrown.fall.motion.time + (until - thrown.fall.motion.time) * look / num_looks;
            ASSERT_GT(distance_to_all(obstacles, thrown.at(now)), thrown.radius - 1e-12) << k;
        }
        if (!(time < thrown.fall.end)) continue;
        ++num_touching;
        const double error = std::abs(distance_to_all(obstacles, thrown.at(time)) - thrown.radius);
        ASSERT_LT(error, 1e-12) << k;
        worst = std::max(worst, error);
    }
    std::printf("%d touch; error of the distance at most %.1e\n", num_touching, worst);
    EXPECT_GT(num_touching, num_throws / 5);
}

}  // namespace
}  // namespace ricochet
