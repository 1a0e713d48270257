// SPDX-License-Identifier: BSD-3-Clause
//
// The bounding spheres of a step against the paths that they stand for: measured in vectors, they must agree
// with PathMidpoint as far as single precision can.
#include "search/bounding_spheres.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/path.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double dt = 0.7, spare = 0.05;

/// Particles anywhere in the box, one in four on a face, some at rest, some that cross the box.
Particles assorted(std::size_t count, const Box& box, bool has_uniform_attributes) {
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        RandomSequence random({.seed = 5, .stream = Stream::placement}, k);
        const double speed = std::pow(10.0, 4 * random.uniform() - 3);
        Motion motion;
        motion.id = k;
        for (int axis = 0; axis < box.dimension; ++axis) {
            motion.position[axis] = random.below(4) == 0 ? 0 : box.size[axis] * random.uniform();
            motion.velocity[axis] = random.below(5) == 0 ? 0 : speed * (2 * random.uniform() - 1);
        }
        Attributes matter;
        matter.radius = has_uniform_attributes ? 0.5 : 0.1 + random.uniform();
        matter.mass = 1;
        particles.push_back(motion, matter, {});
    }
    return particles;
}

std::vector<Box> boxes() {
    return {test::periodic_box({5, 6, 7}), test::walled_box({5, 6, 7}, {1}), test::walled_box({9, 9, 9}),
            test::periodic_box({6, 5, 0}), test::walled_box({6, 5, 0}, {0})};
}

void expect_sphere_of(const Motion& motion, double radius, const Box& box, const BoundingSphere& sphere) {
    const ImageLengths images(box);
    const double length = std::max({box.size.x, box.size.y, box.size.z});
    const Vec3 off = minimum_image(sphere.midpoint() - PathMidpoint(box, dt)(motion), images);
    EXPECT_LE(norm(off), 2e-7 * length);
    const double least = radius + 0.5 * norm(motion.velocity) * dt + spare;
    EXPECT_GE(static_cast<double>(sphere.reach), least);
    EXPECT_LE(static_cast<double>(sphere.reach), (1 + 1e-6) * least);
}

TEST(BoundingSpheres, HoldPathsAroundMidpoints) {
    for (const Box& box : boxes()) {
        for (const std::size_t count : {0, 1, 3, 4, 5, 7, 8, 9, 1000}) {  // around the widths of vectors
            const Particles particles = assorted(count, box, false);
            std::vector<BoundingSphere> spheres(17, BoundingSphere{-1, -1, -1, -1});
            measure_paths(box, particles, 0, dt, spare, spheres);
            ASSERT_EQ(spheres.size(), count);
            for (std::size_t k = 0; k < count; ++k)
                expect_sphere_of(particles.motion[k], particles.attributes[k].radius, box, spheres[k]);
        }
    }
}

TEST(BoundingSpheres, HaveMidpointsInTheBox) {
    for (const Box& box : boxes()) {
        const Particles particles = assorted(1000, box, true);
        std::vector<BoundingSphere> spheres;
        measure_paths(box, particles, 0, dt, spare, spheres);
        for (const BoundingSphere& sphere : spheres) {
            for (int axis = 0; axis < box.dimension; ++axis) {
                const double room = 1e-7 * box.size[axis];
                EXPECT_GE(sphere.midpoint()[axis], -room);
                EXPECT_LE(sphere.midpoint()[axis], box.size[axis] + room);
            }
        }
    }
}

TEST(BoundingSpheres, ComeWithMeansOfPathsRadii) {
    const Box box = test::periodic_box({5, 6, 7});
    for (const std::size_t count : {1, 6, 1000}) {
        const Particles particles = assorted(count, box, false);
        double displacement = 0, radius = 0;
        for (std::size_t k = 0; k < count; ++k) {
            displacement += norm(particles.motion[k].velocity) * dt / static_cast<double>(count);
            radius += particles.attributes[k].radius / static_cast<double>(count);
        }
        std::vector<BoundingSphere> spheres;
        const PathSummary summary = measure_paths(box, particles, 0, dt, spare, spheres);
        EXPECT_NEAR(summary.mean_displacement, displacement, 1e-12 * displacement);
        EXPECT_NEAR(summary.mean_radius, radius, 1e-12 * radius);
    }
}

TEST(BoundingSpheres, TellWhetherAllMatterIsEqual) {
    const Box box = test::periodic_box({5, 6, 7});
    std::vector<BoundingSphere> spheres;
    EXPECT_TRUE(measure_paths(box, assorted(100, box, true), 0, dt, spare, spheres).has_uniform_attributes);
    EXPECT_FALSE(measure_paths(box, assorted(100, box, false), 0, dt, spare, spheres).has_uniform_attributes);
    Particles odd = assorted(101, box, true);
    odd.attributes.edit(100).mass = 2;
    EXPECT_FALSE(measure_paths(box, odd, 0, dt, spare, spheres).has_uniform_attributes);
}

/// Contacts may have carried a particle round the box, and a later interval begins from there.
TEST(BoundingSpheres, LieInTheBoxAfterAnyPath) {
    const Box box = test::walled_box({5, 6, 7}, {2});
    Particles particles;
    for (const double laps : {-3.0, 0.0, 4.0})
        particles.push_back({.position = {1 + 5 * laps, 2 - 6 * laps, 3}, .velocity = {1, 0, 0}, .time = 0.5},
                            {.radius = 0.5, .mass = 1}, {});
    std::vector<BoundingSphere> spheres;
    measure_paths(box, particles, 0.5, 0.7, 0, spheres);
    for (const BoundingSphere& sphere : spheres) {
        EXPECT_NEAR(sphere.x, 1.1, 1e-5);
        EXPECT_NEAR(sphere.y, 2, 1e-5);
        EXPECT_NEAR(sphere.z, 3, 1e-5);
    }
}

TEST(BoundingSpheres, AreNoLargerThanTheBoxNeeds) {
    const Box box = test::walled_box({5, 6, 7});
    Particles particles;
    particles.push_back({.position = {1, 2, 3}, .velocity = {1e60, 0, 0}}, {.radius = 0.5, .mass = 1}, {});
    std::vector<BoundingSphere> spheres;
    measure_paths(box, particles, 0, 1, 0, spheres);
    EXPECT_GT(spheres[0].reach, 10.5F);  // the diagonal
    EXPECT_LT(spheres[0].reach, 12);
}

}  // namespace
}  // namespace ricochet
