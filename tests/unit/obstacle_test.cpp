// SPDX-License-Identifier: BSD-3-Clause
//
// Obstacles: which there are, when and where spheres touch them, and that the search names all that may be touched.
#include "geometry/obstacle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "geometry/contact_time.hpp"
#include "search/obstacle_search.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using test::HashRandom;
using test::periodic_box;
using test::walled_box;

TEST(Obstacles, OfABoxAreItsWalls) {
    EXPECT_TRUE(obstacles_of({periodic_box({4, 5, 6})}).empty());
    const std::vector<Obstacle> expected{{2, 2, Wall{1, false, 0}}, {3, 3, Wall{1, true, 5}}};
    EXPECT_EQ(obstacles_of({walled_box({4, 5, 6}, {1})}), expected);
    EXPECT_EQ(obstacles_of({walled_box({4, 5, 6})}).size(), 6u);
    EXPECT_EQ(obstacles_of({walled_box({4, 5, 0})}).size(), 4u);
}

TEST(Obstacles, HaveNamesInKeysAndSentences) {
    EXPECT_EQ(obstacle_id(3), first_obstacle_id + 3);
    World world{.box = walled_box({4, 5, 6}, {1})};
    world.bodies = {{"cell", BodyCapsule{{1, 2, 3}, {3, 2, 3}, 0.5}, BodySide::inside},
                    {"bead", BodySphere{{2, 4, 2}, 0.5}}};
    const ObstacleSearch obstacles(world);
    EXPECT_EQ(obstacles.name_of(obstacle_id(3)), "wall y+");
    for (const ObstacleNumber surface : {6, 7, 8})
        EXPECT_EQ(obstacles.name_of(obstacle_id(surface)), "body cell");
    EXPECT_EQ(obstacles.name_of(obstacle_id(9)), "body bead");
    for (const ParticleId none : {first_obstacle_id - 1, obstacle_id(0), obstacle_id(10)})
        EXPECT_THROW(obstacles.name_of(none), std::logic_error);
    EXPECT_THROW(wall_at(walled_box({4, 5, 0}), 4), std::logic_error);
}

TEST(ObstacleContacts, OfWallsComeWithTheSurface) {
    const Box box = walled_box({8, 8, 8});
    for (int face = 0; face < 6; ++face) {
        const Wall wall = wall_at(box, face);
        const double towards = wall.is_high ? 1 : -1;
        Motion motion{.position = {4, 4, 4}, .velocity = {}, .time = 0.25};
        EXPECT_EQ(obstacle_contact_time(motion, 1, wall), never);  // at rest
        motion.velocity[wall.axis] = 2 * towards;
        EXPECT_EQ(obstacle_contact_time(motion, 1, wall), 0.25 + 1.5);
        motion.velocity[wall.axis] = -2 * towards;
        EXPECT_EQ(obstacle_contact_time(motion, 1, wall), never);  // flies away
        motion.position[wall.axis] = wall.position - 0.875 * towards;
        EXPECT_EQ(obstacle_contact_time(motion, 1, wall), never);  // inside, and leaves
        motion.velocity[wall.axis] = 2 * towards;
        EXPECT_EQ(obstacle_contact_time(motion, 1, wall), 0.25);  // inside, and approaches
        const Surface surface = surface_at(motion.position, wall);
        Vec3 point{4, 4, 4}, normal;
        point[wall.axis] = wall.position;
        normal[wall.axis] = towards;
        EXPECT_EQ(surface.point, point);
        EXPECT_EQ(surface.normal, normal);
    }
}

/// Against asking all of them.
TEST(ObstacleSearch, NamesAllThatMayBeTouchedOnce) {
    HashRandom random(11);
    for (const Box& box : {walled_box({4, 5, 6}), walled_box({4, 5, 6}, {0, 2}), walled_box({4, 5, 0}),
                           walled_box({4, 5, 0}, {1}), periodic_box({4, 5, 6})}) {
        const ObstacleSearch search({box});
        EXPECT_EQ(search.is_empty(), !box.has_walls());
        for (int k = 0; k < 200; ++k) {
            Motion motion{.position = {random.uniform(0, 4), random.uniform(0, 5), random.uniform(0, 6)},
                          .velocity = {}};
            for (int axis = 0; axis < box.dimension; ++axis)
                motion.velocity[axis] = k % 5 == axis ? 0 : random.uniform(-1, 1);
            std::set<ObstacleNumber> candidates;
            search.for_each_wall_ahead(motion, [&](ObstacleIndex index, const Wall& wall) {
                EXPECT_TRUE(candidates.insert(search[index].number).second);
                EXPECT_EQ(std::get<Wall>(search[index].shape), wall);
            });
            for (const Obstacle& obstacle : obstacles_of({box})) {
                const bool touches = obstacle_contact_time(motion, 0.5, obstacle.shape) < never;
                EXPECT_LE(touches, candidates.contains(obstacle.number));
            }
        }
    }
}

}  // namespace
}  // namespace ricochet
