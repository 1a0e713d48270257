// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic of the reference. What cancels near contact is summed in double-double (Dekker products by fma,
// Knuth sums). The discriminant follows Kahan's fma form.
#pragma once

#include <cmath>
#include <cstdint>

#include "ricochet/model/vec3.hpp"

namespace ricochet::test {

/// |r|^2 - s^2.
inline double separation_beyond_touch(Vec3 r, double s) {
    double hi = r.x * r.x;
    double lo = std::fma(r.x, r.x, -hi);
    const auto add = [&](double product, double error) {
        const double sum = hi + product;
        const double part = sum - hi;
        const double rounding = (hi - (sum - part)) + (product - part);
        hi = sum;
        lo = lo + (rounding + error);
    };
    add(r.y * r.y, std::fma(r.y, r.y, -(r.y * r.y)));
    add(r.z * r.z, std::fma(r.z, r.z, -(r.z * r.z)));
    add(-(s * s), -std::fma(s, s, -(s * s)));
    return hi + lo;
}

/// b^2 - a c with the rounding error of a c removed.
inline double discriminant(double a, double b, double c) {
    const double w = a * c;
    const double error = std::fma(a, c, -w);
    const double difference = std::fma(b, b, -w);
    return difference - error;
}

inline double sum_of_magnitudes(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

inline Vec3 axis_vector(int axis, double sign = 1) {
    Vec3 v;
    v[axis] = sign;
    return v;
}

/// v without what it has along `direction`.
inline Vec3 without(Vec3 v, Vec3 direction) { return advanced(v, direction, -dot(v, direction)); }

inline int thinnest_axis(Vec3 v) {
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    if (x <= y && x <= z) return 0;
    return y <= z ? 1 : 2;
}

/// Takes x into [0, length); returns by how many lengths it was away.
inline std::int64_t take_into_box(double& x, double length) {
    double laps = std::floor(x / length);
    x = std::fma(-laps, length, x);
    if (x < 0) {
        x += length;
        --laps;
    }
    if (x >= length) {
        x -= length;
        ++laps;
    }
    return static_cast<std::int64_t>(laps);
}

}  // namespace ricochet::test
