// SPDX-License-Identifier: BSD-3-Clause
#include "engine/remote_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_reach(std::span<const BoundingSphere> spheres) {
    double largest = 0;
    for (const BoundingSphere& sphere : spheres)
        largest = std::max(largest, static_cast<double>(sphere.reach));
    return largest;
}

/// Cells may not be much smaller than the bounding spheres that are held against them.
double filed_reach(const BoundingSphere& sphere, double largest) {
    constexpr double most_ratio = 8;
    return std::max(static_cast<double>(sphere.reach), largest / most_ratio);
}

std::array<std::uint64_t, num_size_classes> count_classes(std::span<const BoundingSphere> spheres,
                                                          double largest) {
    std::array<std::uint64_t, num_size_classes> counts{};
    if (std::isfinite(largest))
        for (const BoundingSphere& sphere : spheres)
            ++counts[static_cast<std::size_t>(size_class(filed_reach(sphere, largest), largest))];
    return counts;
}

}  // namespace

RemoteBounds::RemoteBounds(const Box& box, std::span<const BoundingSphere> spheres, double slack)
    : spheres_(spheres),
      images_(box),
      slack_(slack),
      largest_(largest_reach(spheres)),
      levels_(box, std::isfinite(largest_) && largest_ > 0 ? largest_ : 1, count_classes(spheres, largest_)) {
    if (!std::isfinite(largest_)) return;
    for (std::size_t k = 0; k < spheres.size(); ++k)
        levels_.insert({spheres[k].midpoint(), filed_reach(spheres[k], largest_), k});
}

double RemoteBounds::least_touching_reach(double lower) const {
    double least = infinity;
    if (!std::isfinite(lower)) return least;
    for (const BoundingSphere& sphere : spheres_) {
        const double reach = static_cast<double>(sphere.reach) + slack_;
        least = std::min(least, minimum_image_x(lower - static_cast<double>(sphere.x), images_) - reach);
    }
    return least;
}

bool RemoteBounds::touches(const BoundingSphere& own) const {
    if (!std::isfinite(largest_)) return true;
    const double radius = static_cast<double>(own.reach) + slack_;
    const Vec3 midpoint = own.midpoint();
    const auto touches = [&](const BoundingSphere& sphere) {
        const Vec3 apart = minimum_image(midpoint - sphere.midpoint(), images_);
        const double reach = radius + static_cast<double>(sphere.reach);
        return dot(apart, apart) <= reach * reach;
    };
    constexpr double huge = 8;
    if (radius > huge * largest_) return std::any_of(spheres_.begin(), spheres_.end(), touches);
    return levels_.any_touching(midpoint, radius, 0, num_size_classes - 1,
                                [&](const Sphere& filed) { return touches(spheres_[filed.id]); });
}

}  // namespace ricochet
