// SPDX-License-Identifier: BSD-3-Clause
//
// Sizes against the closed forms of the truncated log-normal distribution (error functions of the C library).
#include "model/size_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

// Wide, cut on both sides, narrow, and entirely in the upper or lower tail.
const std::vector<LogNormalRadius> distributions = {{2.0, 0.3, 0.0, std::numeric_limits<double>::infinity()},
                                                    {2.0, 0.4, 1.2, 5.0},
                                                    {1.0, 0.5, 0.95, 1.1},
                                                    {1.0, 0.01, 0.5, 2.0},
                                                    {1.0, 0.2, 3.0, 10.0},
                                                    {1.0, 0.2, 0.1, 0.4}};

/// Mass of the standard normal distribution in [a, b], without cancellation in the tails.
double normal_mass(double a, double b) {
    const double root_half = std::sqrt(0.5);
    return a > 0 ? 0.5 * (std::erfc(a * root_half) - std::erfc(b * root_half))
                 : 0.5 * (std::erfc(-b * root_half) - std::erfc(-a * root_half));
}

double y_of(const LogNormalRadius& d, double radius) { return std::log(radius / d.median) / d.sigma; }

double exact_mean_power(const LogNormalRadius& d, int power) {
    const double shift = power * d.sigma, low = y_of(d, d.minimum), high = y_of(d, d.maximum);
    return std::pow(d.median, power) * std::exp(0.5 * shift * shift) *
           normal_mass(low - shift, high - shift) / normal_mass(low, high);
}

TEST(SizeDistribution, MeansAgreeWithTheClosedForm) {
    for (const LogNormalRadius& d : distributions)
        for (int power = 0; power <= 6; ++power)
            EXPECT_NEAR(mean_power_of_radius(d, power) / exact_mean_power(d, power), 1, 2e-13)
                << "median " << d.median << " minimum " << d.minimum << " power " << power;
}

TEST(SizeDistribution, UntruncatedMeansAreExact) {
    const LogNormalRadius& d = distributions[0];
    for (int power = 1; power <= 3; ++power)
        EXPECT_NEAR(mean_power_of_radius(d, power), std::pow(2, power) * std::exp(0.045 * power * power),
                    1e-14 * mean_power_of_radius(d, power));
    EXPECT_NEAR(mean_content(d, 3), 4.0 / 3 * std::numbers::pi * 8 * std::exp(0.405), 1e-12);
    EXPECT_NEAR(mean_content(d, 2), std::numbers::pi * 4 * std::exp(0.18), 1e-12);
}

TEST(SizeDistribution, SamplesFollowTheDistribution) {
    constexpr std::size_t n = 40000;
    for (const LogNormalRadius& d : distributions) {
        std::vector<double> radii(n);
        for (std::size_t id = 0; id < n; ++id) radii[id] = sample_radius(d, 11, id);
        std::sort(radii.begin(), radii.end());
        EXPECT_GE(radii.front(), d.minimum);
        EXPECT_LE(radii.back(), d.maximum);
        double distance = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const double low = y_of(d, d.minimum);
            const double expected =
                normal_mass(low, y_of(d, radii[k])) / normal_mass(low, y_of(d, d.maximum));
            distance = std::max(
                {distance, expected - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - expected});
        }
        EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(n))) << "minimum " << d.minimum;
    }
}

/// In the mean over samples.
TEST(SizeDistribution, HasItsMeanContent) {
    constexpr std::size_t n = 100000;
    const LogNormalRadius& d = distributions[1];
    double sum = 0, squares = 0;
    for (std::size_t id = 0; id < n; ++id) {
        const double volume = content(sample_radius(d, 12, id), 3);
        sum += volume;
        squares += volume * volume;
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    EXPECT_NEAR(mean, mean_content(d, 3), 4 * error);
}

TEST(SizeDistribution, DependsOnSeedAndIdOnly) {
    const LogNormalRadius& d = distributions[1];
    EXPECT_EQ(sample_radius(d, 1, 5), sample_radius(d, 1, 5));
    EXPECT_NE(sample_radius(d, 1, 5), sample_radius(d, 1, 6));
    EXPECT_NE(sample_radius(d, 1, 5), sample_radius(d, 2, 5));
}

TEST(SizeDistribution, OneSizeIsThatSize) {
    EXPECT_EQ(sample_radius({2.0, 0.0, 1.0, 3.0}, 1, 1), 2.0);
    EXPECT_EQ(sample_radius({2.0, 0.0, 2.5, 3.0}, 1, 1), 2.5);
    EXPECT_EQ(sample_radius({2.0, 0.5, 1.5, 1.5}, 1, 1), 1.5);
    EXPECT_EQ(mean_power_of_radius({2.0, 0.5, 1.5, 1.5}, 3), 1.5 * 1.5 * 1.5);
}

TEST(SizeDistribution, GivesSpeciesTheRadiusSet) {
    Species species;
    species.radius = 0.5;
    species.diffusion = 7;
    EXPECT_EQ(radius_of(species, 1, 2), 0.5);
    EXPECT_EQ(diffusion_of(species, 0.5), 7);
    EXPECT_DOUBLE_EQ(mean_content(species, 3), std::numbers::pi / 6);
    EXPECT_DOUBLE_EQ(mean_content(species, 2), std::numbers::pi / 4);
    species.radius_distribution = distributions[1];
    species.stokes_einstein = StokesEinstein{.viscosity = 2, .temperature = 3};
    EXPECT_EQ(radius_of(species, 1, 2), sample_radius(distributions[1], 1, 2));
    EXPECT_DOUBLE_EQ(diffusion_of(species, 0.5), 3 / (6 * std::numbers::pi));
    EXPECT_EQ(mean_content(species, 3), mean_content(distributions[1], 3));
}

}  // namespace
}  // namespace ricochet
