// SPDX-License-Identifier: BSD-3-Clause
//
// exp, log, erfcx, cube root, sine and cosine with the same bits everywhere. The C++ standard's functions differ in the
// last bit between C libraries, CPUs and vector widths. These use + - * / and explicit fused multiply-adds in a written
// order. So scalar and vector code agree, and so do all compilers with -ffp-contract=off and all machines with IEEE
// doubles and fma.
//
// Algorithm: exact argument reduction, then a polynomial in Horner order. Coefficients are weighted Remez
// fits rounded to double, with the residual given at each table. The logarithm follows the reduction of
// fdlibm's e_log.c, log(1+f) = f - s (f - R(s^2)), s = f/(2+f). Errors are at most 1.1 units in the last
// place, against 60-digit arithmetic (tests/unit/math_test.cpp).
//
// Cost: a few times that of a vectorised library function that may use the machine's own tables. Hot code
// (dynamics/normal.hpp) uses the same coefficients in vectors.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ricochet/core/check.hpp"

namespace ricochet::fixed {

inline constexpr double pi = 0x1.921fb54442d18p+1;
inline constexpr double ln2_high = 0x1.62e42fefa39efp-1;
inline constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
inline constexpr double two_pi_high = 0x1.921fb54442d18p+2;
inline constexpr double two_pi_low = 0x1.1a62633145c07p-52;

namespace detail {

/// Bits of the double next to sqrt(1/2): mantissas are reduced to [sqrt(1/2), sqrt(2)).
inline constexpr std::uint64_t sqrt_half_bits = 0x3fe6a09e667f3bcdULL;
inline constexpr std::uint64_t mantissa_mask = 0x000fffffffffffffULL;

/// (2 atanh(s)/s - 2)/s^2 in powers of s^2, |s| <= 0.1716; relative residual of the logarithm 2^-59.
inline constexpr std::array<double, 7> log_coefficients = {
    0x1.5555555555592p-1, 0x1.999999997ff03p-2, 0x1.24924941e351fp-2, 0x1.c71c52123d883p-3,
    0x1.74663d6e331d8p-3, 0x1.39a1da17e365ap-3, 0x1.2f045da499532p-3};

/// (sin(2 pi r)/r - 2 pi)/r^2 in powers of r^2, |r| <= 1/8; relative residual of the sine 2^-58.
inline constexpr std::array<double, 6> sin_coefficients = {-0x1.4abbce625be47p+5, 0x1.466bc67758dfap+6,
                                                           -0x1.32d2cce33a54bp+6, 0x1.50783021c51b3p+5,
                                                           -0x1.e300abaf40d60p+3, 0x1.e40580f37c011p+1};

/// The same for |r| <= 1/4; relative residual of the sine 2^-59.
inline constexpr std::array<double, 8> wide_sin_coefficients = {
    -0x1.4abbce625be52p+5, 0x1.466bc6775aa33p+6, -0x1.32d2cce624ffep+6, 0x1.50783483c9456p+5,
    -0x1.e3074d18467b2p+3, 0x1.e8f3202701db3p+1, -0x1.6f6f4b0609166p-1, 0x1.9bc665a96f8bdp-4};

/// (cos(2 pi r) - 1)/r^2 in powers of r^2, |r| <= 1/8; residual of the cosine 2^-61.
inline constexpr std::array<double, 7> cos_coefficients = {
    -0x1.3bd3cc9be45dep+4, 0x1.03c1f081b5a4fp+6, -0x1.55d3c7e3bf5abp+6, 0x1.e1f506749a3b0p+5,
    -0x1.a6d1e138c6212p+4, 0x1.f9c3d3c2f7d2cp+2, -0x1.afee474ef014fp+0};

/// (exp(r) - 1 - r)/r^2 in powers of r, |r| <= ln(2)/2; relative residual of the exponential 2^-62.
inline constexpr std::array<double, 11> exp_coefficients = {
    0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555558p-5,  0x1.11111111100bdp-7,
    0x1.6c16c16c151ccp-10, 0x1.a01a01abf8a8ep-13, 0x1.a01a01ad0ca59p-16, 0x1.71de01fce71cfp-19,
    0x1.27e4cca2d4ee8p-22, 0x1.af4e56d3373b2p-26, 0x1.1f8b95345c29ap-29};

/// (1 + 2 x) erfcx(x) in powers of t = (x - 3)/(x + 3), -1 <= t <= 1: a Chebyshev expansion, cut off at 2^-60.
inline constexpr std::array<double, 28> erfcx_coefficients = {
    0x1.40c522d7e4987p+0,  -0x1.15c084bb9e8f3p-3,  -0x1.85a15c58aa606p-5,  0x1.098366a5b46bfp-3,
    -0x1.e88b803a48aa0p-4, 0x1.17ca2877f1215p-4,   -0x1.8574c40c0e1f8p-6,  0x1.4b884e43e0c7ap-9,
    0x1.ef1bdd83c530dp-10, -0x1.98db510c1e635p-11, -0x1.b91295815c4d8p-14, 0x1.065a371ec2867p-13,
    0x1.4c30285db7294p-18, -0x1.513b7147bf809p-16, -0x1.899a713ec7e9ap-21, 0x1.d20e6a7653e7ap-19,
    0x1.82f78c98d8baap-22, -0x1.4aeb923c501eap-21, -0x1.3b519c66b707fp-23, 0x1.b2f1d8508312ep-24,
    0x1.934e3940cd31cp-25, -0x1.b04e657fe8442p-27, -0x1.93317028bf6ddp-27, 0x1.ecc633dc63ae1p-32,
    0x1.1b7c6c144577bp-29, 0x1.dca3ad968d61bp-33,  -0x1.9dd79d26cbb94p-33, -0x1.476e26ec7cba4p-35};

/// c[0] + c[1] x + ..., from the highest power down, one fused multiply-add each.
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
    double sum = c[N - 1];
    for (std::size_t k = N - 1; k-- > 0;) sum = std::fma(sum, x, c[k]);
    return sum;
}

/// sin(2 pi r) for |r| <= 1/8, or |r| <= 1/4 with the wide coefficients.
template <std::size_t N>
double reduced_sin(const std::array<double, N>& coefficients, double r) {
    const double z = r * r;
    return std::fma(r, two_pi_high, r * std::fma(z, polynomial(coefficients, z), two_pi_low));
}

/// cos(2 pi r) for |r| <= 1/8.
inline double reduced_cos(double r) {
    const double z = r * r;
    return std::fma(z, polynomial(cos_coefficients, z), 1.0);
}

/// log(x) for normal, positive x.
inline double log_of_normal(double x) {
    RICOCHET_DCHECK_GE(x, std::numeric_limits<double>::min());
    RICOCHET_DCHECK_LE(x, std::numeric_limits<double>::max());
    const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) - sqrt_half_bits + (1023ULL << 52);
    const double k = static_cast<double>(static_cast<std::int64_t>(shifted >> 52) - 1023);
    const double m = std::bit_cast<double>((shifted & mantissa_mask) + sqrt_half_bits);
    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double log_m = std::fma(-s, f - z * polynomial(log_coefficients, z), f);
    return std::fma(k, ln2_high, std::fma(k, ln2_low, log_m));
}

/// 2^k for -1022 <= k <= 1023.
inline double power_of_two(std::int64_t k) {
    RICOCHET_DCHECK_GE(k, -1022);
    RICOCHET_DCHECK_LE(k, 1023);
    return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

}  // namespace detail

/// Natural logarithm; -infinity at 0, NaN below 0.
inline double log(double x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (x == 0) return -infinity;
    if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
    if (x == infinity) return infinity;
    if (x < std::numeric_limits<double>::min()) {
        const double scaled = detail::log_of_normal(x * 0x1p+54);
        return std::fma(-54.0, ln2_high, std::fma(-54.0, ln2_low, scaled));
    }
    return detail::log_of_normal(x);
}

/// e^x; underflows gradually to 0, overflows to infinity.
inline double exp(double x) {
    if (!(x > -746)) return x <= -746 ? 0.0 : x;  // NaN returns itself
    if (x > 710) return std::numeric_limits<double>::infinity();
    const double k = std::nearbyint(x * 0x1.71547652b82fep+0);
    const double high = std::fma(-k, ln2_high, x);
    const double r = std::fma(-k, ln2_low, high);
    const double rest = std::fma(-k, ln2_low, high - r);  // the rounding error of r
    const double tail = std::fma(r * r, detail::polynomial(detail::exp_coefficients, r), rest);
    const double mantissa = 1.0 + (r + tail);
    const auto power = static_cast<std::int64_t>(k);
    return mantissa * detail::power_of_two(power / 2) * detail::power_of_two(power - power / 2);
}

/// 1 - e^-x for x >= 0, without cancellation; to three units in the last place.
inline double one_minus_exp_of_minus(double x) {
    RICOCHET_DCHECK_GE(x, 0);
    if (x > 0.25) return 1 - exp(-x);
    return std::fma(-(x * x), detail::polynomial(detail::exp_coefficients, -x), x);
}

/// x^(1/3) for normal, positive x; to one unit in the last place.
///
/// Algorithm: a third of the exponent's bits as a first guess, off by at most 3.2 % (W. Kahan), then Newton's
/// iteration. In the last one, the residual y^3 - x has the rounding error of y^2 added.
inline double cube_root(double x) {
    RICOCHET_DCHECK_GE(x, std::numeric_limits<double>::min());
    RICOCHET_DCHECK_LE(x, std::numeric_limits<double>::max());
    constexpr std::uint64_t two_thirds_of_bias = 0x2a9f7893782da1ceULL;
    double y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) / 3 + two_thirds_of_bias);
    for (int iteration = 0; iteration < 5; ++iteration) {
        const double square = y * y;
        const double square_error = std::fma(y, y, -square);
        const double residual = std::fma(square, y, -x) + square_error * y;
        y -= residual / (3 * square);
    }
    return y;
}

/// exp(x^2) erfc(x) for x >= -8; 0 at infinity. To eight units in the last place.
inline double erfcx(double x) {
    RICOCHET_DCHECK_GE(x, -8);
    if (x < 0) return 2 * exp(x * x) - erfcx(-x);
    if (x > 0x1p+1000) return 0;
    return detail::polynomial(detail::erfcx_coefficients, (x - 3) / (x + 3)) / (1 + 2 * x);
}

struct SinCos {
    double sin = 0, cos = 0;
};

/// sin(2 pi u) and cos(2 pi u), u in turns, |u| < 2^50. Exact at multiples of 1/4.
inline SinCos sincos_2pi(double u) {
    RICOCHET_DCHECK_LT(std::abs(u), 0x1p50);
    const double quarters = std::nearbyint(4.0 * u);
    const double r = std::fma(-0.25, quarters, u);
    const double s = detail::reduced_sin(detail::sin_coefficients, r);
    const double c = detail::reduced_cos(r);
    switch (static_cast<std::int64_t>(quarters) & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

}  // namespace ricochet::fixed
