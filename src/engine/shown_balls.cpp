// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/shown_balls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_reach(std::span<const SweptBall> balls) {
    double largest = 0;
    for (const SweptBall& ball : balls) largest = std::max(largest, static_cast<double>(ball.reach));
    return largest;
}

/// Cells may not be much smaller than the balls that are held against them.
double filed_reach(const SweptBall& ball, double largest) {
    constexpr double most_ratio = 8;
    return std::max(static_cast<double>(ball.reach), largest / most_ratio);
}

std::array<std::uint64_t, num_size_classes> count_classes(std::span<const SweptBall> balls, double largest) {
    std::array<std::uint64_t, num_size_classes> counts{};
    if (std::isfinite(largest))
        for (const SweptBall& ball : balls)
            ++counts[static_cast<std::size_t>(size_class(filed_reach(ball, largest), largest))];
    return counts;
}

}  // namespace

ShownBalls::ShownBalls(const Box& box, std::span<const SweptBall> balls, double slack)
    : balls_(balls),
      images_(box),
      slack_(slack),
      largest_(largest_reach(balls)),
      levels_(box, std::isfinite(largest_) && largest_ > 0 ? largest_ : 1, count_classes(balls, largest_)) {
    if (!std::isfinite(largest_)) return;
    for (std::size_t k = 0; k < balls.size(); ++k)
        levels_.insert({balls[k].midpoint(), filed_reach(balls[k], largest_), k});
}

double ShownBalls::reach_that_meets(double lower) const {
    double least = infinity;
    if (!std::isfinite(lower)) return least;
    for (const SweptBall& ball : balls_) {
        const double reach = static_cast<double>(ball.reach) + slack_;
        least = std::min(least, minimum_image_x(lower - static_cast<double>(ball.x), images_) - reach);
    }
    return least;
}

bool ShownBalls::meets(const SweptBall& own) const {
    if (!std::isfinite(largest_)) return true;
    const double radius = static_cast<double>(own.reach) + slack_;
    const Vec3 midpoint = own.midpoint();
    const auto is_met = [&](const SweptBall& ball) {
        const Vec3 apart = minimum_image(midpoint - ball.midpoint(), images_);
        const double reach = radius + static_cast<double>(ball.reach);
        return dot(apart, apart) <= reach * reach;
    };
    constexpr double huge = 8;
    if (radius > huge * largest_) return std::any_of(balls_.begin(), balls_.end(), is_met);
    return levels_.any_touching(midpoint, radius, 0, num_size_classes - 1,
                                [&](const Sphere& filed) { return is_met(balls_[filed.id]); });
}

}  // namespace ricochet
