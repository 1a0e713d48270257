// SPDX-License-Identifier: BSD-3-Clause
//
// Three-component vectors. Discs use the same type with z = 0 and v_z = 0. Every operation below then adds or
// multiplies exact zeros, so that two dimensions need no second copy of any formula.
//
// Operations that decide events are evaluated in the written order, without contraction (the project is
// compiled with -ffp-contract=off). They are fused where std::fma is written.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ricochet {

struct Vec3 {
    double x = 0, y = 0, z = 0;

    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
    constexpr double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }

/// a.b, summed as x, y, z with fused multiply-adds.
inline double dot(Vec3 a, Vec3 b) { return std::fma(a.z, b.z, std::fma(a.y, b.y, a.x * b.x)); }

/// Component by component.
inline Vec3 min(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline Vec3 max(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
inline Vec3 abs(Vec3 a) { return {std::abs(a.x), std::abs(a.y), std::abs(a.z)}; }

/// The vector with +0 along frozen axes; bit a of the mask is axis a.
constexpr Vec3 without_axes(Vec3 a, std::uint32_t frozen) {
    for (int axis = 0; axis < 3; ++axis)
        if (frozen >> axis & 1) a[axis] = 0;
    return a;
}

/// Euclidean length.
inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }

/// a + s b, one rounding per component: the straight flight x + v t.
inline Vec3 advanced(Vec3 a, Vec3 b, double s) {
    return {std::fma(b.x, s, a.x), std::fma(b.y, s, a.y), std::fma(b.z, s, a.z)};
}

}  // namespace ricochet
