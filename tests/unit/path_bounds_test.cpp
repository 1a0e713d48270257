// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/path_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "geometry/path.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double dt = 0.3;

Particles some_particles(std::size_t count, const Box& box) {
    test::HashRandom random(count);
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        Motion motion;
        motion.position = {random.uniform(0, box.size.x), random.uniform(0, 4), random.uniform(0, 4)};
        motion.velocity = {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
        Attributes attributes;
        attributes.radius = random.uniform(0.1, 2);
        particles.push_back(motion, attributes, {});
    }
    return particles;
}

/// One after another, by the definition.
PathBounds plain_bounds(const Particles& particles, const Box& box, const InnerPart& inner,
                        const InnerPart& slab) {
    PathBounds path_bounds;
    std::vector<double> extents{0, 0};
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const double displacement = norm(particles.motion[k].velocity) * dt;
        path_bounds.max_displacement = std::max(path_bounds.max_displacement, displacement);
        path_bounds.max_radius = std::max(path_bounds.max_radius, particles.attributes[k].radius);
        extents.push_back(displacement + particles.attributes[k].radius);
        const double x = PathMidpoint(box, dt).x(particles.motion[k]);
        if (!(x >= inner.low && x < inner.high)) path_bounds.near.push_back(static_cast<std::uint32_t>(k));
        if (!(x >= slab.low && x < slab.high)) path_bounds.outside.push_back(static_cast<std::uint32_t>(k));
    }
    std::sort(extents.begin(), extents.end(), std::greater<>());
    path_bounds.largest_extent = extents[0];
    path_bounds.second_extent = extents[1];
    return path_bounds;
}

TEST(PathBounds, HasTheBitsOfOneAfterAnother) {
    for (const Box& box :
         {test::periodic_box({12, 4, 4}), test::walled_box({12, 4, 4}), test::periodic_box({12, 4, 0})})
        for (std::size_t count = 0; count < 40; ++count)
            for (const InnerPart inner : {InnerPart{}, InnerPart{3, 9}, InnerPart{9, 3}}) {
                const Particles particles = some_particles(count, box);
                const InnerPart slab{std::min(inner.low, inner.high) - 1, std::max(inner.low, inner.high)};
                const PathBounds expected = plain_bounds(particles, box, inner, slab);
                const PathBounds path_bounds = bounds_of_paths(particles, dt, box, inner, slab);
                EXPECT_EQ(path_bounds.max_displacement, expected.max_displacement);
                EXPECT_EQ(path_bounds.max_radius, expected.max_radius);
                EXPECT_EQ(path_bounds.largest_extent, expected.largest_extent);
                EXPECT_EQ(path_bounds.second_extent, expected.second_extent);
                EXPECT_EQ(path_bounds.near, expected.near);
                EXPECT_EQ(path_bounds.outside, expected.outside);
            }
}

/// A velocity that is no finite number is an infinite displacement.
TEST(PathBounds, TakesNaNAsInfinite) {
    for (const double speed : {infinity, std::numeric_limits<double>::quiet_NaN(), 1e300})
        for (std::size_t k = 0; k < 9; ++k) {
            const Box box = test::periodic_box({12, 4, 4});
            Particles particles = some_particles(9, box);
            particles.motion[k].velocity.y = speed;
            EXPECT_EQ(bounds_of_paths(particles, dt, box).max_displacement, infinity) << speed;
        }
}

/// The inner part of the only slab is everything.
TEST(PathBounds, HasAllInsideTheOnlySlab) {
    const Box box = test::periodic_box({12, 4, 4});
    const SliceGrid grid(box, 0.5);
    EXPECT_EQ(inner_part(SlabDecomposition::even(grid, 1), 0, {5, 5}).high, infinity);
    const InnerPart second = inner_part(SlabDecomposition::even(grid, 3), 1, {0.5, 1});
    EXPECT_EQ(second.low, 4.5);
    EXPECT_EQ(second.high, 7);
}

/// The list follows arrivals and forgets particles that have moved.
TEST(PathBounds, FollowsArrivalsAndMoves) {
    std::vector<std::uint32_t> near{0, 4, 7};
    follow_migration(8, 10, near);
    EXPECT_EQ(near, (std::vector<std::uint32_t>{0, 4, 7, 8, 9}));
    follow_migration(10, 5, near);
    EXPECT_EQ(near, (std::vector<std::uint32_t>{0, 4}));
    follow_migration(5, 5, near);
    EXPECT_EQ(near, (std::vector<std::uint32_t>{0, 4}));
}

}  // namespace
}  // namespace ricochet
