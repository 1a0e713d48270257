// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/moments.hpp"

#include <cmath>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// Adds mass d_a d_b to the second moments.
void add_second_moments(Moments& sum, double mass, Vec3 d) {
    const Vec3 weighted = mass * d;
    sum.xx = std::fma(weighted.x, d.x, sum.xx);
    sum.xy = std::fma(weighted.x, d.y, sum.xy);
    sum.xz = std::fma(weighted.x, d.z, sum.xz);
    sum.yy = std::fma(weighted.y, d.y, sum.yy);
    sum.yz = std::fma(weighted.y, d.z, sum.yz);
    sum.zz = std::fma(weighted.z, d.z, sum.zz);
}

/// Mass and centre of mass of what has a place and a mass.
template <class Item, class PlaceOf>
Moments first_moments(std::span<const Item> items, PlaceOf place_of) {
    RICOCHET_DCHECK(!items.empty());
    Moments sum;
    Vec3 weighted;
    for (const Item& item : items) {
        sum.mass += item.mass;
        weighted = advanced(weighted, place_of(item), item.mass);
    }
    sum.centre = {weighted.x / sum.mass, weighted.y / sum.mass, weighted.z / sum.mass};
    return sum;
}

}  // namespace

Moments moments_of(std::span<const PointMass> points) {
    Moments sum = first_moments(points, [](const PointMass& point) { return point.position; });
    for (const PointMass& point : points) add_second_moments(sum, point.mass, point.position - sum.centre);
    sum.trace = sum.xx + sum.yy + sum.zz;
    return sum;
}

Moments moments_of(std::span<const Moments> parts) {
    Moments sum = first_moments(parts, [](const Moments& part) { return part.centre; });
    for (const Moments& part : parts) {
        sum.xx += part.xx;
        sum.xy += part.xy;
        sum.xz += part.xz;
        sum.yy += part.yy;
        sum.yz += part.yz;
        sum.zz += part.zz;
        add_second_moments(sum, part.mass, part.centre - sum.centre);
    }
    sum.trace = sum.xx + sum.yy + sum.zz;
    return sum;
}

Bounds bounds_of(std::span<const PointMass> points) {
    RICOCHET_DCHECK(!points.empty());
    Bounds bounds{points.front().position, points.front().position};
    for (const PointMass& point : points)
        bounds = {min(bounds.low, point.position), max(bounds.high, point.position)};
    return bounds;
}

}  // namespace ricochet
