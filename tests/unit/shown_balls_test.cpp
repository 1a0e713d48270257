// SPDX-License-Identifier: BSD-3-Clause
//
// What neighbours show each other is held against the balls of a slab as if all were compared with all.
#include "ricochet/engine/shown_balls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "ricochet/engine/swept_balls.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double slack = 1e-5;

/// Of very different sizes, anywhere in the box.
std::vector<SweptBall> random_balls(const Box& box, std::size_t count, double largest, std::uint64_t seed) {
    test::HashRandom random(seed);
    std::vector<SweptBall> balls;
    for (std::size_t k = 0; k < count; ++k) {
        Vec3 at;
        for (int axis = 0; axis < box.dimension; ++axis) at[axis] = random.uniform(0, box.size[axis]);
        const double size = random.uniform(0.05, 1);
        balls.push_back(swept_ball(at, largest * size * size * size));
    }
    return balls;
}

bool meets_one(const Box& box, const SweptBall& own, const std::vector<SweptBall>& balls) {
    const ImageLengths images(box);
    return std::any_of(balls.begin(), balls.end(), [&](const SweptBall& ball) {
        const Vec3 apart = minimum_image(own.midpoint() - ball.midpoint(), images);
        const double reach = static_cast<double>(own.reach) + static_cast<double>(ball.reach) + slack;
        return dot(apart, apart) <= reach * reach;
    });
}

/// Likewise, but of those only that come from lower x, the shorter way round.
bool meets_below(const Box& box, const SweptBall& own, const std::vector<SweptBall>& balls) {
    const ImageLengths images(box);
    std::vector<SweptBall> below;
    std::copy_if(balls.begin(), balls.end(), std::back_inserter(below), [&](const SweptBall& ball) {
        return minimum_image(own.midpoint() - ball.midpoint(), images).x >= 0;
    });
    return meets_one(box, own, below);
}

const std::vector<Box> boxes{test::periodic_box({20, 9, 7}), test::walled_box({20, 9, 7}),
                             test::periodic_box({30, 12, 0}), test::walled_box({30, 12, 0})};

TEST(ShownBalls, MeetWhatIsNear) {
    std::uint64_t seed = 0;
    for (const Box& box : boxes) {
        int num_met = 0;
        for (int k = 0; k < 20; ++k) {
            const auto balls = random_balls(box, 12, 2.5, ++seed);
            const ShownBalls shown(box, balls, slack);
            auto several = random_balls(box, 100, 0.8, ++seed);
            several.push_back(swept_ball(several[0].midpoint(), 50));  // larger than all that is shown
            for (const SweptBall& own : several) {
                EXPECT_EQ(shown.meets(own), meets_one(box, own, balls));
                num_met += meets_one(box, own, balls) ? 1 : 0;
            }
        }
        EXPECT_GT(num_met, 100);
        EXPECT_LT(num_met, 1900);
    }
}

TEST(ShownBalls, NameTheReachThatMeetsThem) {
    std::uint64_t seed = 100;
    for (const Box& box : boxes)
        for (int k = 0; k < 50; ++k) {
            const auto balls = random_balls(box, 2, 2.5, ++seed);
            const ShownBalls shown(box, balls, slack);
            const double lower = 0.2 * box.size.x, upper = 0.7 * box.size.x;
            const double least = shown.reach_that_meets(lower);
            for (const SweptBall& own : random_balls(box, 200, 0.8, ++seed)) {
                const Vec3 at = own.midpoint();
                if (at.x < lower || at.x >= upper || !meets_below(box, own, balls)) continue;
                EXPECT_GE(lower - (at.x - static_cast<double>(own.reach)), least);
            }
        }
}

TEST(ShownBalls, TellTheLayerNearTheFaceFromTheRest) {
    const Box box = test::periodic_box({20, 9, 7});
    const std::vector<SweptBall> balls{swept_ball({1.5, 3, 3}, 1)};  // 0.5 beyond the face at 2
    EXPECT_NEAR(ShownBalls(box, balls, 0).reach_that_meets(2), -0.5, 1e-5);
    EXPECT_NEAR(ShownBalls(box, balls, 0).reach_that_meets(10), 7.5, 1e-5);  // 8.5 away
    const std::vector<SweptBall> none;
    EXPECT_EQ(ShownBalls(box, none, 0).reach_that_meets(2), std::numeric_limits<double>::infinity());
}

TEST(ShownBalls, ThatAreInfiniteMeetAll) {
    const Box box = test::periodic_box({20, 9, 7});
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<SweptBall> balls{swept_ball({1, 1, 1}, 0.1), {0, 0, 0, infinity}};
    const ShownBalls shown(box, balls, slack);
    EXPECT_TRUE(shown.meets(swept_ball({11, 5, 4}, 0.1)));
    EXPECT_EQ(shown.reach_that_meets(2), -std::numeric_limits<double>::infinity());
    const std::vector<SweptBall> none;
    EXPECT_FALSE(ShownBalls(box, none, slack).meets(swept_ball({11, 5, 4}, 0.1)));
}

/// Single precision rounds by far more along the longest axis than along the others.
TEST(ShownBalls, MeetWhatTouchesInABoxThatIsLongAlongAnyAxis) {
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
            std::vector<SweptBall> balls;
            measure_paths(box, two.particles, 0, dt, 0, balls);
            // At the end of the step the first touches the second, straight ahead.
            const std::vector<SweptBall> first{balls[0]};
            EXPECT_TRUE(ShownBalls(box, first, 2 * ball_slack(box)).meets(balls[1])) << k;
        }
    }
}

}  // namespace
}  // namespace ricochet
