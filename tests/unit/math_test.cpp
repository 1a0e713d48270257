// SPDX-License-Identifier: BSD-3-Clause
//
// The elementary functions against extended precision, at their special values, and against the bits that any
// conforming machine must produce (a hash over many arguments).
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ulp_of(double y) { return std::nextafter(std::fabs(y), infinity) - std::fabs(y); }

/// Largest error in units in the last place over arguments drawn by `draw`.
template <class Function, class Reference, class Draw>
double worst_error(Function function, Reference reference, Draw draw) {
    double worst = 0;
    for (int k = 0; k < 200000; ++k) {
        const double x = draw();
        const long double exact = reference(static_cast<long double>(x));
        const double error = static_cast<double>(std::fabs(static_cast<long double>(function(x)) - exact));
        worst = std::max(worst, error / ulp_of(static_cast<double>(exact)));
    }
    return worst;
}

long double log_reference(long double x) { return std::log(x); }
long double exp_reference(long double x) { return std::exp(x); }

/// sin(2 pi u), with the argument reduced exactly to within an eighth of a turn of an extremum or a zero.
long double sin_reference(long double u) {
    const long double quarters = std::nearbyint(4 * u);
    const long double angle = 2 * std::numbers::pi_v<long double> * (u - quarters / 4);
    const auto quadrant = static_cast<long long>(quarters) & 3;
    const long double value = quadrant % 2 == 0 ? std::sin(angle) : std::cos(angle);
    return quadrant < 2 ? value : -value;
}
long double cos_reference(long double u) { return sin_reference(u + 0.25L); }

TEST(FixedMath, LogIsAccurate) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> near_one(0.4, 2.5), exponent(-1073, 1023);
    EXPECT_LT(worst_error(fixed::log, log_reference, [&] { return near_one(random); }), 1.1);
    EXPECT_LT(worst_error(fixed::log, log_reference, [&] { return std::exp2(exponent(random)); }), 1.1);
}

TEST(FixedMath, ExpIsAccurate) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> small(-2, 2), wide(-708, 709);
    EXPECT_LT(worst_error(fixed::exp, exp_reference, [&] { return small(random); }), 1.1);
    EXPECT_LT(worst_error(fixed::exp, exp_reference, [&] { return wide(random); }), 1.1);
}

TEST(FixedMath, OneMinusExpIsAccurate) {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> wide(0, 40), exponent(-300, -2);
    const auto exact = [](long double x) { return -std::expm1(-x); };
    EXPECT_LT(worst_error(fixed::one_minus_exp_of_minus, exact, [&] { return wide(random); }), 3);
    EXPECT_LT(worst_error(fixed::one_minus_exp_of_minus, exact, [&] { return std::exp2(exponent(random)); }),
              2);
    EXPECT_EQ(fixed::one_minus_exp_of_minus(0), 0);
    EXPECT_EQ(fixed::one_minus_exp_of_minus(infinity), 1);
}

TEST(FixedMath, CubeRootIsAccurate) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> exponent(-1022, 1023);
    const auto reference = [](long double x) { return std::cbrt(x); };
    EXPECT_LT(worst_error(fixed::cube_root, reference, [&] { return std::exp2(exponent(random)); }), 1.0);
    for (int k = 1; k < 1000; ++k) {
        const double side = k;
        EXPECT_EQ(fixed::cube_root(side * side * side), side);
    }
}

/// Against exp and erfc, where their product does not lose digits, and against the asymptotic series.
TEST(FixedMath, ScaledErrorFunctionIsAccurate) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> small(0, 5), exponent(3, 300);
    const auto product = [](long double x) { return std::exp(x * x) * std::erfc(x); };
    EXPECT_LT(worst_error(fixed::erfcx, product, [&] { return small(random); }), 8);
    const auto series = [](long double x) {
        const long double y = 1 / (2 * x * x);
        return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y))))) /
               (x * std::sqrt(std::numbers::pi_v<long double>));
    };
    EXPECT_LT(worst_error(fixed::erfcx, series, [&] { return 1000 * std::exp2(exponent(random)); }), 8);
    EXPECT_NEAR(fixed::erfcx(0), 1, 1e-15);
    EXPECT_EQ(fixed::erfcx(infinity), 0);
    for (const double x : {-0.01, -0.5, -3.0})
        EXPECT_NEAR(fixed::erfcx(x) / (std::exp(x * x) * std::erfc(x)), 1, 1e-14);
}

TEST(FixedMath, SineAndCosineAreAccurate) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> turns(-2, 2), tiny(-1e-6, 1e-6);
    const auto sine = [](double u) { return fixed::sincos_2pi(u).sin; };
    const auto cosine = [](double u) { return fixed::sincos_2pi(u).cos; };
    EXPECT_LT(worst_error(sine, sin_reference, [&] { return turns(random); }), 1.0);
    EXPECT_LT(worst_error(sine, sin_reference, [&] { return tiny(random); }), 1.0);
    EXPECT_LT(worst_error(cosine, cos_reference, [&] { return turns(random); }), 1.0);
}

TEST(FixedMath, WideSineIsAccurate) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> turns(-0.25, 0.25);
    const auto sine = [](double u) {
        return fixed::detail::reduced_sin(fixed::detail::wide_sin_coefficients, u);
    };
    EXPECT_LT(worst_error(sine, sin_reference, [&] { return turns(random); }), 2.5);
}

TEST(FixedMath, SpecialValuesAreExact) {
    EXPECT_EQ(fixed::log(1.0), 0.0);
    EXPECT_EQ(fixed::log(0.0), -infinity);
    EXPECT_EQ(fixed::log(infinity), infinity);
    EXPECT_TRUE(std::isnan(fixed::log(-1.0)));
    EXPECT_TRUE(std::isnan(fixed::log(std::nan(""))));
    EXPECT_EQ(fixed::exp(0.0), 1.0);
    EXPECT_EQ(fixed::exp(-infinity), 0.0);
    EXPECT_EQ(fixed::exp(infinity), infinity);
    EXPECT_EQ(fixed::exp(710.5), infinity);
    EXPECT_EQ(fixed::exp(-746.5), 0.0);
    EXPECT_EQ(fixed::exp(-744.5), std::numeric_limits<double>::denorm_min());
    EXPECT_TRUE(std::isnan(fixed::exp(std::nan(""))));
    for (int quarter = -9; quarter <= 9; ++quarter) {
        const auto [sine, cosine] = fixed::sincos_2pi(0.25 * quarter);
        EXPECT_EQ(sine, (std::array{0, 1, 0, -1}[quarter & 3]));
        EXPECT_EQ(cosine, (std::array{1, 0, -1, 0}[quarter & 3]));
    }
}

TEST(FixedMath, SymmetriesHoldInEveryBit) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> turns(0, 1);
    for (int k = 0; k < 10000; ++k) {
        const double u = turns(random);
        const auto plus = fixed::sincos_2pi(u), minus = fixed::sincos_2pi(-u);
        EXPECT_EQ(plus.sin, -minus.sin);
        EXPECT_EQ(plus.cos, minus.cos);
    }
}

// Another compiler, flag or machine that changes a bit of these functions changes every run: it must fail
// here.
TEST(FixedMath, BitsAreThoseOfEveryMachine) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    const auto add = [&](double y) { hash = (hash ^ std::bit_cast<std::uint64_t>(y)) * 0x100000001b3ULL; };
    std::mt19937_64 random(6);
    for (int k = 0; k < 100000; ++k) {
        const double x = static_cast<double>(random() >> 11) * 0x1p-53;
        add(fixed::log(x + 0x1p-60));
        add(fixed::exp(64 * x - 32));
        add(fixed::sincos_2pi(x).sin);
        add(fixed::sincos_2pi(x).cos);
    }
    EXPECT_EQ(hash, 1065559217363165016ULL);
}

}  // namespace
}  // namespace ricochet
