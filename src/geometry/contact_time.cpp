// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/geometry/contact_time.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// An unevaluated sum high + low.
struct DoubleDouble {
    double high, low;
};

/// Adds the exact product a * b (times sign, +1 or -1) to the sum: Knuth's two-sum for the high parts, all
/// errors collected in the low part.
DoubleDouble add_product(DoubleDouble sum, double a, double b, double sign) {
    const double product = sign * (a * b);
    const double product_error = sign * std::fma(a, b, -(a * b));
    const double high = sum.high + product;
    const double seen = high - sum.high;
    const double sum_error = (sum.high - (high - seen)) + (product - seen);
    return {high, sum.low + (sum_error + product_error)};
}

/// |r|^2 - s^2, summed in double-double and rounded once.
double squared_gap(Vec3 r, double s) {
    DoubleDouble sum{r.x * r.x, std::fma(r.x, r.x, -(r.x * r.x))};
    sum = add_product(sum, r.y, r.y, 1);
    sum = add_product(sum, r.z, r.z, 1);
    sum = add_product(sum, s, s, -1);
    return sum.high + sum.low;
}

/// b^2 - a c by Kahan's fused difference of products.
double discriminant(double a, double b, double c) {
    const double ac = a * c;
    const double ac_error = std::fma(a, c, -ac);
    return std::fma(b, b, -ac) - ac_error;
}

}  // namespace

[[gnu::noinline]] double pair_contact_time(const Motion& low, const Motion& high, double contact_distance,
                                           const ImageLengths& images) {
    const double start = std::max(low.time, high.time);
    const Vec3 r = minimum_image(advanced(high.position, high.velocity, start - high.time) -
                                     advanced(low.position, low.velocity, start - low.time),
                                 images);
    const Vec3 u = high.velocity - low.velocity;
    const double b = dot(r, u);
    if (!(b < 0)) return never;
    const double c = squared_gap(r, contact_distance);
    if (c <= 0) return start;
    const double disc = discriminant(dot(u, u), b, c);
    if (!(disc >= 0)) return never;
    return start + c / (std::sqrt(disc) - b);
}

[[gnu::noinline]] double wall_contact_time(const Motion& motion, double radius, int face, const Box& box) {
    const int axis = face / 2;
    const bool is_high = face % 2 == 1;
    const double approach = is_high ? motion.velocity[axis] : -motion.velocity[axis];
    if (!(approach > 0)) return never;
    const double centre = motion.position[axis];
    const double gap = (is_high ? box.size[axis] - centre : centre) - radius;
    return gap <= 0 ? motion.time : motion.time + gap / approach;
}

}  // namespace ricochet
