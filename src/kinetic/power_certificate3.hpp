// SPDX-License-Identifier: BSD-3-Clause
//
// The certificate of a facet in three dimensions: whether a fifth sphere stays outside the power sphere of four others.
//
// Spheres 0 to 3 are the corners of a positive tetrahedron, and sphere 4 is beyond one of its facets. Each other than 0
// has a separation d_k = x_k - x_0, and l_k = |d_k|^2 - w_k + w_0. The certificate is the determinant of the four rows
// (d_k, l_k). It is positive where the facet is regular. The d are linear in time and the l quadratic, so it is a
// polynomial of degree five.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1,
// equation (1), with the first row subtracted from the others.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/bernstein.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// A sphere on its way, at the present time.
struct MovingSphere {
    Vec3 position, velocity;
    double weight = 0;  ///< its radius squared, and a little more
};

/// Six times the volume of a tetrahedron, with its sign.
inline double six_volumes(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    return w.x * (u.y * v.z - u.z * v.y) + w.y * (u.z * v.x - u.x * v.z) + w.z * (u.x * v.y - u.y * v.x);
}

/// The certificate, in time from now.
struct PowerCertificate3 {
    Polynomial<5> value;
    double noise = 0;  ///< bounds its rounding at time 0
    double scale = 0;  ///< the time in which the spheres move by what they are apart; may be infinite
};

namespace detail {

using LinearVec = std::array<Polynomial<1>, 3>;
using QuadraticVec = std::array<Polynomial<2>, 3>;

inline LinearVec linear(Vec3 at, Vec3 rate) {
    return {Polynomial<1>{{at.x, rate.x}}, {{at.y, rate.y}}, {{at.z, rate.z}}};
}
inline QuadraticVec cross(const LinearVec& a, const LinearVec& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Polynomial<3> dot(const LinearVec& a, const QuadraticVec& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Polynomial<2> squared(const LinearVec& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

}  // namespace detail

/// Spheres 0-3 are the corners of a positive tetrahedron.
inline PowerCertificate3 power_certificate(const std::array<MovingSphere, 5>& spheres) {
    using namespace detail;
    std::array<LinearVec, 4> d;
    std::array<Polynomial<2>, 4> lifted;
    std::array<double, 4> length{}, height{};
    double longest = 0, fastest = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        const Vec3 apart = spheres[k + 1].position - spheres[0].position;
        d[k] = linear(apart, spheres[k + 1].velocity - spheres[0].velocity);
        lifted[k] = squared(d[k]);
        length[k] = norm(apart);
        longest = std::max(longest, length[k]);
        fastest = std::max(fastest, norm(spheres[k + 1].velocity - spheres[0].velocity));
        height[k] = lifted[k].c[0] + spheres[k + 1].weight + spheres[0].weight;
        lifted[k].c[0] -= spheres[k + 1].weight - spheres[0].weight;
    }
    const QuadraticVec first_two = cross(d[0], d[1]), last_two = cross(d[2], d[3]);
    PowerCertificate3 certificate;
    certificate.value = (lifted[1] * dot(d[0], last_two) - lifted[0] * dot(d[1], last_two)) +
                        (lifted[3] * dot(d[2], first_two) - lifted[2] * dot(d[3], first_two));
    // Separations are rounded in proportion to coordinates, which may be thousands of times as large.
    constexpr double rounding = 1e-12;
    double terms = 0;
    for (std::size_t k = 0; k < 4; ++k)
        terms += height[k] * length[(k + 1) % 4] * length[(k + 2) % 4] * length[(k + 3) % 4];
    certificate.noise = rounding * terms;
    certificate.scale = longest / fastest;
    return certificate;
}

/// When the facet stops being regular, in time from now and before `until`; infinite where it does not. At once where
/// it is not regular now. The root of a flip that has just been done does not count, since the certificate rises there.
/// In pieces: on an interval much longer than the first root, the highest power drowns the others in rounding.
inline double time_to_fail(const PowerCertificate3& certificate, double until) {
    if (certificate.value.c[0] < -certificate.noise) return 0;
    double begin = 0, length = certificate.scale;
    while (length < until - begin) {
        const double fall = first_fall(shifted(certificate.value, begin), length);
        if (fall < length) return begin + fall;
        begin += length;
        length = std::max(length, begin);
    }
    return begin + first_fall(shifted(certificate.value, begin), until - begin);
}

}  // namespace ricochet
