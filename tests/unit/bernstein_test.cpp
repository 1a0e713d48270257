// SPDX-License-Identifier: BSD-3-Clause
//
// When polynomials become negative: against their known roots, simple and multiple ones, and against sampling.
#include "geometry/bernstein.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/hash_random.hpp"

namespace ricochet::test {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

template <std::size_t Count>
Polynomial<static_cast<int>(Count)> with_roots(double factor, const double (&roots)[Count]) {
    Polynomial<static_cast<int>(Count)> p;
    p.c[0] = factor;
    std::size_t degree = 0;
    for (const double root : roots) {
        ++degree;
        for (std::size_t k = degree + 1; k-- > 0;) p.c[k] = (k > 0 ? p.c[k - 1] : 0) - root * p.c[k];
    }
    return p;
}

TEST(Bernstein, PolynomialsObeyTheirAlgebra) {
    const Polynomial<2> p{{1, -2, 3}};
    const Polynomial<1> q{{-5, 0.5}};
    EXPECT_EQ((p * q), (Polynomial<3>{{-5, 10.5, -16, 1.5}}));
    EXPECT_EQ(p + q, (Polynomial<2>{{-4, -1.5, 3}}));
    EXPECT_EQ(q - p, (Polynomial<2>{{-6, 2.5, -3}}));
    EXPECT_EQ(p(2), 9);
    EXPECT_EQ(derivative(p), (Polynomial<1>{{-2, 6}}));
    EXPECT_EQ(shifted(p, 2), (Polynomial<2>{{9, 10, 3}}));
}

TEST(Bernstein, FindsSimpleRoots) {
    EXPECT_EQ(first_fall(Polynomial<1>{{1, -2}}, 10), 0.5);
    EXPECT_EQ(first_fall(Polynomial<1>{{1, 2}}, 10), none);
    EXPECT_DOUBLE_EQ(first_fall(with_roots(1, {0.25, 0.5, 0.75, 2.0}), 1), 0.25);
    EXPECT_DOUBLE_EQ(first_fall(with_roots(-1, {0.25, 0.5, 0.75, 2.0}), 1), 0.5);
    EXPECT_DOUBLE_EQ(first_fall(with_roots(-1, {0.25, 0.5, 0.75, 2.0, 3.0}), 1), 0.25 * 3 - 0.5);
    EXPECT_NEAR(first_fall(with_roots(1, {-4.0, -3.0, -1e-3, 1e-6, 1.0}), 1e5), 1e-6, 1e-18);
    EXPECT_NEAR(first_fall(with_roots(-1, {-4.0, -3.0, -1e-3, 1e-6, 1.0}), 1e5), 1, 1e-14);
}

template <int Degree>
Polynomial<Degree> lifted(Polynomial<Degree> p, double by) {
    p.c[0] += by;
    return p;
}

/// Two equal roots are touched, three are crossed.
TEST(Bernstein, PassesOverRootsThatAreTouched) {
    constexpr double a_little = 1e-13;
    EXPECT_EQ(first_fall(lifted(with_roots(1, {0.5, 0.5}), a_little), 1), none);
    EXPECT_NEAR(first_fall(lifted(with_roots(1, {0.5, 0.5}), -a_little), 1), 0.5, 1e-6);
    EXPECT_EQ(first_fall(lifted(with_roots(1, {0.3, 0.3, 0.7, 0.7}), a_little), 1), none);
    EXPECT_NEAR(first_fall(lifted(with_roots(1, {0.3, 0.3, 0.7, 0.7}), -a_little), 1), 0.3, 1e-6);
    EXPECT_NEAR(first_fall(lifted(with_roots(-1, {0.3, 0.3, 0.7}), a_little), 1), 0.7, 1e-12);
    EXPECT_NEAR(first_fall(with_roots(-1, {0.3, 0.3, 0.3}), 1), 0.3, 2e-5);
    EXPECT_NEAR(first_fall(with_roots(-1, {0.3, 0.3, 0.3, 0.3, 0.3}), 1), 0.3, 2e-3);
    EXPECT_NEAR(first_fall(with_roots(1, {0.5, 0.5 + 1e-6}), 1), 0.5, 1e-9);
}

/// The interval is half-open.
TEST(Bernstein, TellsRootsAtTheEndsApart) {
    EXPECT_EQ(first_fall(Polynomial<1>{{1, -1}}, 1), none);
    EXPECT_EQ(first_fall(Polynomial<1>{{1, -1}}, std::nextafter(1, 2)), 1);
    EXPECT_EQ(first_fall(Polynomial<2>{{0, -1, 1}}, 5), 0);  // falls at 0
    EXPECT_EQ(first_fall(Polynomial<2>{{0, 1, -1}}, 5), 1);  // rises first
    EXPECT_EQ(first_fall(Polynomial<2>{{0, 1, -1}}, 1), none);
    EXPECT_EQ(first_fall(Polynomial<3>{{0, 0, -1, 3}}, 5), 0);
    EXPECT_EQ(first_fall(Polynomial<3>{{0, 0, 1, -0.25}}, 5), 4);
    EXPECT_EQ(first_fall(Polynomial<4>{}, 5), none);
    EXPECT_EQ(first_fall(Polynomial<4>{{-1, 0, 0, 0, 0}}, 5), none);
    EXPECT_EQ(first_fall(Polynomial<1>{{1, -1e9}}, 0), none);
}

TEST(Bernstein, FollowsWhatBeginsNegative) {
    EXPECT_EQ(first_fall(Polynomial<1>{{-1e-17, -1}}, 1), 0);
    EXPECT_EQ(first_fall(Polynomial<2>{{-1e-17, 1, -0.5}}, 10), 2);
    EXPECT_EQ(first_fall(Polynomial<2>{{-1, 1, -0.125}}, 10), 4 + 2 * std::sqrt(2.0));
    EXPECT_EQ(first_fall(Polynomial<2>{{-3, 1, -0.125}}, 10), 4);  // a maximum below 0
    EXPECT_EQ(first_fall(Polynomial<2>{{-3, 1, 1}}, 10), none);
}

/// Where the sampled sign changes, and nowhere before.
template <int Degree>
void expect_as_sampled(const Polynomial<Degree>& p, double until) {
    constexpr int num_samples = 400;
    double sum = 0, power = 1;
    for (const double c : p.c) {
        sum += std::abs(c) * power;
        power *= until;
    }
    const double noise = 1e-13 * sum, fall = first_fall(p, until);
    ASSERT_TRUE(fall == none || (fall >= 0 && fall < until));
    if (fall != none) {
        EXPECT_LE(p(fall), noise);
        EXPECT_GE(p(fall), p.c[0] > 0 ? -noise : -none);
        EXPECT_LE(derivative(p)(fall), 1e-6 * sum / until);
    }
    bool was_positive = false;
    for (int k = 0; k <= num_samples; ++k) {
        const double t = until * k / num_samples;
        if (t >= fall * (1 - 1e-12)) break;
        const double value = p(t);
        EXPECT_FALSE(was_positive && value < -noise) << "fell before " << t << ", not at " << fall;
        was_positive = was_positive || value > noise;
    }
}

template <int Degree>
void expect_as_sampled_of_many(std::uint64_t seed) {
    HashRandom random(seed);
    int num_falls = 0;
    for (int k = 0; k < 3000; ++k) {
        const double until = random.uniform(0.1, 10);
        Polynomial<Degree> p;
        double power = 1;
        for (double& c : p.c) {
            c = random.normal() / power;
            power *= until;
        }
        if (k % 3 == 0) p.c[0] = std::abs(p.c[0]);
        if (k % 7 == 0) p.c[0] *= 1e-16;
        expect_as_sampled(p, until);
        num_falls += first_fall(p, until) != none ? 1 : 0;
    }
    EXPECT_GT(num_falls, 800);
    EXPECT_LT(num_falls, 2600);
}

TEST(Bernstein, FallsWhereSamplesSaySo) {
    expect_as_sampled_of_many<1>(1);
    expect_as_sampled_of_many<2>(2);
    expect_as_sampled_of_many<3>(3);
    expect_as_sampled_of_many<4>(4);
    expect_as_sampled_of_many<5>(5);
}

/// The first of an odd number of falls, to many digits where the others are apart from it.
TEST(Bernstein, FindsTheFirstOfFiveRandomRoots) {
    HashRandom random(6);
    int num_tested = 0;
    for (int k = 0; k < 5000; ++k) {
        double roots[5];
        for (double& root : roots) root = random.uniform(-1, 2);
        std::sort(std::begin(roots), std::end(roots));
        const Polynomial<5> p = with_roots(-1, roots);
        double expected = none;
        bool is_apart = true;
        for (int j = 0; j < 5; ++j) {
            if (j < 4) is_apart = is_apart && roots[j + 1] - roots[j] > 0.01;
            if (j % 2 == 0 && roots[j] > 0 && roots[j] < 1 && expected == none) expected = roots[j];
            is_apart = is_apart && std::abs(roots[j]) > 0.01 && std::abs(roots[j] - 1) > 0.01;
        }
        // What begins negative may have a maximum below 0 only where no root follows.
        const double found = first_fall(p, 1);
        if (!is_apart || (expected == none && p.c[0] < 0)) continue;
        ++num_tested;
        if (expected == none)
            EXPECT_EQ(found, none);
        else if (p.c[0] > 0)
            EXPECT_NEAR(found, expected, 1e-8);
        else
            EXPECT_LE(found, expected + 1e-8);
    }
    EXPECT_GT(num_tested, 2000);
}

}  // namespace
}  // namespace ricochet::test
