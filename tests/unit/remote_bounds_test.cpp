// SPDX-License-Identifier: BSD-3-Clause
//
// Remote bounds: the spheres that neighbours send are compared with those of a slab, with the same result as
// comparing all with all.
#include "engine/remote_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "model/rounding.hpp"
#include "search/bounding_spheres.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double slack = 1e-5;

/// Spheres of very different sizes, anywhere in the box.
std::vector<BoundingSphere> random_spheres(const Box& box, std::size_t count, double largest,
                                           std::uint64_t seed) {
    test::HashRandom random(seed);
    std::vector<BoundingSphere> spheres;
    for (std::size_t k = 0; k < count; ++k) {
        Vec3 at;
        for (int axis = 0; axis < box.dimension; ++axis) at[axis] = random.uniform(0, box.size[axis]);
        const double size = random.uniform(0.05, 1);
        spheres.push_back(bounding_sphere(at, largest * size * size * size));
    }
    return spheres;
}

bool touches_one(const Box& box, const BoundingSphere& own, const std::vector<BoundingSphere>& spheres) {
    const ImageLengths images(box);
    return std::any_of(spheres.begin(), spheres.end(), [&](const BoundingSphere& sphere) {
        const Vec3 apart = minimum_image(own.midpoint() - sphere.midpoint(), images);
        const double reach = static_cast<double>(own.reach) + static_cast<double>(sphere.reach) + slack;
        return dot(apart, apart) <= reach * reach;
    });
}

/// Likewise, but of those only that come from lower x, the shorter way round.
bool meets_below(const Box& box, const BoundingSphere& own, const std::vector<BoundingSphere>& spheres) {
    const ImageLengths images(box);
    std::vector<BoundingSphere> below;
    std::copy_if(spheres.begin(), spheres.end(), std::back_inserter(below),
                 [&](const BoundingSphere& sphere) {
                     return minimum_image(own.midpoint() - sphere.midpoint(), images).x >= 0;
                 });
    return touches_one(box, own, below);
}

const std::vector<Box> boxes{test::periodic_box({20, 9, 7}), test::walled_box({20, 9, 7}),
                             test::periodic_box({30, 12, 0}), test::walled_box({30, 12, 0})};

TEST(RemoteBounds, MeetWhatIsNear) {
    std::uint64_t seed = 0;
    for (const Box& box : boxes) {
        int num_found = 0;
        for (int k = 0; k < 20; ++k) {
            const auto spheres = random_spheres(box, 12, 2.5, ++seed);
            const RemoteBounds shown(box, spheres, slack);
            auto several = random_spheres(box, 100, 0.8, ++seed);
            several.push_back(bounding_sphere(several[0].midpoint(), 50));  // larger than all that is shown
            for (const BoundingSphere& own : several) {
                EXPECT_EQ(shown.touches(own), touches_one(box, own, spheres));
                num_found += touches_one(box, own, spheres) ? 1 : 0;
            }
        }
        EXPECT_GT(num_found, 100);
        EXPECT_LT(num_found, 1900);
    }
}

TEST(RemoteBounds, NameTheReachThatMeetsThem) {
    std::uint64_t seed = 100;
    for (const Box& box : boxes)
        for (int k = 0; k < 50; ++k) {
            const auto spheres = random_spheres(box, 2, 2.5, ++seed);
            const RemoteBounds shown(box, spheres, slack);
            const double lower = 0.2 * box.size.x, upper = 0.7 * box.size.x;
            const double least = shown.least_touching_reach(lower);
            for (const BoundingSphere& own : random_spheres(box, 200, 0.8, ++seed)) {
                const Vec3 at = own.midpoint();
                if (at.x < lower || at.x >= upper || !meets_below(box, own, spheres)) continue;
                EXPECT_GE(lower - (at.x - static_cast<double>(own.reach)), least);
            }
        }
}

TEST(RemoteBounds, TellTheLayerAtTheFace) {
    const Box box = test::periodic_box({20, 9, 7});
    const std::vector<BoundingSphere> spheres{bounding_sphere({1.5, 3, 3}, 1)};  // 0.5 beyond the face at 2
    EXPECT_NEAR(RemoteBounds(box, spheres, 0).least_touching_reach(2), -0.5, 1e-5);
    EXPECT_NEAR(RemoteBounds(box, spheres, 0).least_touching_reach(10), 7.5, 1e-5);  // 8.5 away
    const std::vector<BoundingSphere> none;
    EXPECT_EQ(RemoteBounds(box, none, 0).least_touching_reach(2), std::numeric_limits<double>::infinity());
}

TEST(RemoteBounds, ThatAreInfiniteMeetAll) {
    const Box box = test::periodic_box({20, 9, 7});
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<BoundingSphere> spheres{bounding_sphere({1, 1, 1}, 0.1), {0, 0, 0, infinity}};
    const RemoteBounds shown(box, spheres, slack);
    EXPECT_TRUE(shown.touches(bounding_sphere({11, 5, 4}, 0.1)));
    EXPECT_EQ(shown.least_touching_reach(2), -std::numeric_limits<double>::infinity());
    const std::vector<BoundingSphere> none;
    EXPECT_FALSE(RemoteBounds(box, none, slack).touches(bounding_sphere({11, 5, 4}, 0.1)));
}

/// Single precision rounds by far more along the longest axis than along the others.
TEST(RemoteBounds, MeetWhatTouchesInALongBox) {
    constexpr double dt = 0.1;
    for (const Vec3 size : {Vec3{20, 4000, 20}, Vec3{4000, 20, 20}, Vec3{20, 20, 4000}}) {
        const Box box = test::periodic_box(size);
        test::HashRandom random(7);
        for (int k = 0; k < 20'000; ++k) {
            const Vec3 at{size.x * random.uniform(), size.y * random.uniform(), size.z * random.uniform()};
            const Vec3 velocity = random.normal_vector(3);
            test::System two;
            test::add_particle(two, at, velocity);
            test::add_particle(two, at + (dt + 1 / norm(velocity)) * velocity, {});
            std::vector<BoundingSphere> spheres;
            measure_paths(box, two.particles, 0, dt, 0, spheres);
            // At the end of the step the first touches the second, straight ahead.
            const std::vector<BoundingSphere> first{spheres[0]};
            EXPECT_TRUE(RemoteBounds(box, first, 2 * sphere_slack(box)).touches(spheres[1])) << k;
        }
    }
}

}  // namespace
}  // namespace ricochet
