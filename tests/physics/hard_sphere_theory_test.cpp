// SPDX-License-Identifier: BSD-3-Clause
#include "theory/hard_sphere_theory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace ricochet {
namespace {

/// Equal particles of diameter, mass and kT 1 that fill the given fraction.
SizeClass unit_particles(int dimension, double fraction) {
    return {fraction * (dimension == 2 ? 4 : 6) / std::numbers::pi, 0.5, 1};
}

/// Their compressibility, with published simulations.
TEST(HardSphereTheory, SpheresAgreeWithSimulations) {
    // Event-driven runs of 1.1e6 spheres: number density, Z.
    const std::array<std::array<double, 2>, 5> published = {
        {{0.10, 1.239724}, {0.20, 1.553611}, {0.30, 1.96824}, {0.40, 2.52165}, {0.50, 3.26936}}};
    for (const auto& [density, z] : published)
        EXPECT_NEAR(equal_sphere_compressibility(3, density * std::numbers::pi / 6), z, 5e-4 * z);
}

/// Their compressibility.
TEST(HardSphereTheory, DiscsAgreeWithVirialSeries) {
    // Coefficients of powers of the area fraction, Clisby & McCoy 2006; 1e-4 of Z is left out at 0.3.
    const std::array<double, 9> virial = {2,         3.1280178, 4.2578545, 5.3368966, 6.3630259,
                                          7.3520796, 8.3191,    9.2721,    10.216};
    for (const double fraction : {0.05, 0.1, 0.2, 0.3}) {
        double z = 0;
        for (std::size_t k = virial.size(); k-- > 0;) z = (z + virial[k]) * fraction;
        EXPECT_NEAR(equal_sphere_compressibility(2, fraction), 1 + z, 5e-4 * z);
    }
}

/// Their compressibility.
TEST(HardSphereTheory, DiscsBelowFreezing) {
    // Runs of 4,096 and 16,384 discs, standard errors at most 0.02 %; Engel and others' plateau of the
    // pressure, 9.185 per diameter squared, at 0.70 (Phys. Rev. E 87, 042134 (2013)).
    const std::array<std::array<double, 2>, 5> measured = {
        {{0.50, 4.1056}, {0.60, 6.4538}, {0.65, 8.4094}, {0.69, 10.193}, {0.70, 10.306}}};
    for (const auto& [fraction, z] : measured)
        EXPECT_NEAR(equal_sphere_compressibility(2, fraction), z, 3e-3 * z) << fraction;
}

/// Collisions of one of equal particles per time.
double collision_rate(int dimension, const SizeClass& particles, double thermal_energy) {
    return 2 * contact_rate_density(dimension, {&particles, 1}, thermal_energy) / particles.number_density;
}

TEST(HardSphereTheory, CollisionRateOfSpheres) {
    // Listed values are Carnahan and Starling's, 0.4 % lower at 0.3.
    EXPECT_NEAR(collision_rate(3, unit_particles(3, 0.01), 1), 0.13885, 2e-4);
    EXPECT_NEAR(collision_rate(3, unit_particles(3, 0.30), 1), 10.0666, 0.04);
}

TEST(HardSphereTheory, DiluteRateIsKineticTheorys) {
    for (const double density : {1e-6, 1e-15}) {
        const SizeClass gas{density, 0.5, 2};
        const double thermal = std::sqrt(std::numbers::pi * 3 / 2) * density;
        EXPECT_NEAR(collision_rate(3, gas, 3), 4 * thermal, 2e-5 * density);
        EXPECT_NEAR(collision_rate(2, gas, 3), 2 * thermal, 2e-5 * density);
    }
}

/// A mixture of equal parts is one component.
TEST(HardSphereTheory, MixtureOfEqualsIsOne) {
    for (const int dimension : {2, 3}) {
        SizeClass whole = unit_particles(dimension, 0.2);
        SizeClass half = whole;
        half.number_density /= 2;
        const double one = contact_rate_density(dimension, std::array{whole}, 1);
        const double two = contact_rate_density(dimension, std::array{half, half}, 1);
        EXPECT_NEAR(two, one, 0.01 * one);
    }
}

TEST(HardSphereTheory, MixtureRateGoesByReducedMass) {
    // Heavy big spheres at rest among light points: each is hit n pi R^2 sqrt(8 kT/(pi m)) times.
    const std::array<SizeClass, 2> classes{{{1e-9, 2, 1e12}, {1e-9, 1e-9, 0.5}}};
    const double expected = 1e-18 * std::numbers::pi * 4 * std::sqrt(8 / (std::numbers::pi * 0.5));
    EXPECT_NEAR(contact_rate_density(3, classes, 1), expected, 1e-3 * expected);
}

TEST(HardSphereTheory, NoRateWhereNothingFits) {
    EXPECT_TRUE(std::isnan(contact_rate_density(3, std::array{SizeClass{1, 1, 1}}, 1)));
}

TEST(HardSphereTheory, MeanThermalSpeed) {
    EXPECT_NEAR(mean_thermal_speed(3), 1.5958, 1e-4);
    EXPECT_NEAR(mean_thermal_speed(2), 1.2533, 1e-4);
}

TEST(HardSphereTheory, ShareOfFastParticles) {
    EXPECT_EQ(share_faster_than(3, -1), 1);
    EXPECT_NEAR(share_faster_than(2, std::sqrt(2 * std::log(1e6))), 1e-6, 1e-18);
    EXPECT_NEAR(share_faster_than(3, 3.3682), 0.01, 1e-5);  // 99 % point of chi with 3 degrees of freedom
}

/// Boublik, Mansoori, Carnahan, Starling & Leland in closed form, with the term that makes it Boublik and
/// Kolafa's for equal spheres: moments x_k = pi/6 sum of n_i diameter_i^k.
double closed_form_compressibility(std::span<const SizeClass> classes) {
    std::array<double, 4> x{};
    for (const SizeClass& c : classes)
        for (std::size_t k = 0; k < 4; ++k)
            x.at(k) +=
                std::numbers::pi / 6 * c.number_density * std::pow(2 * c.radius, static_cast<double>(k));
    const double q = 1 - x[3];
    const double cube = x[2] * x[2] * x[2] / (x[0] * q * q * q);
    return 1 / q + 3 * x[1] * x[2] / (x[0] * q * q) + cube * (3 - x[3] + x[3] * (1 - 2 * x[3]) / 3);
}

/// That from its contacts.
TEST(HardSphereTheory, MixturePressureIsClosedForm) {
    const std::array<SizeClass, 3> mixture{{{0.15, 0.5, 1}, {0.1, 0.7, 2.744}, {0.02, 0.9, 0.3}}};
    EXPECT_NEAR(mixture_compressibility(3, mixture), closed_form_compressibility(mixture), 1e-12);
}

TEST(HardSphereTheory, EqualClassesAreOne) {
    const std::array<SizeClass, 2> halves{{{0.2, 0.5, 1}, {0.2, 0.5, 1}}};
    const std::array<SizeClass, 2> discs{{{0.4, 0.5, 1}, {0.4, 0.5, 2}}};
    EXPECT_NEAR(mixture_compressibility(3, halves), equal_sphere_compressibility(3, fraction_of(3, halves)),
                1e-12);
    EXPECT_NEAR(mixture_compressibility(2, discs), equal_sphere_compressibility(2, fraction_of(2, discs)),
                1e-12);
}

/// Spheres with diffusion coefficient and diameter 1 in steps of s per axis.
double bias_of_equal_spheres(double fraction, double s) {
    const double timestep = s * s / 2;
    SizeClass spheres = unit_particles(3, fraction);
    spheres.mass = timestep / 2;  // kT timestep / (2 D)
    return diffusion_bias(3, {&spheres, 1}, spheres, 1, timestep);
}

TEST(HardSphereTheory, BiasOfDiffusionIsMeasured) {
    // D / D0 at fraction 0.3 and steps s; 0.494 extrapolated to none.
    const std::array<std::array<double, 2>, 4> measured{
        {{0.4, 0.374}, {0.2, 0.438}, {0.1, 0.467}, {0.05, 0.481}}};
    for (const auto& [s, ratio] : measured)
        EXPECT_NEAR(bias_of_equal_spheres(0.3, s), 1 - ratio / 0.494, 0.004) << s;
    EXPECT_LT(bias_of_equal_spheres(0.01, 0.1), 0.002);
    // Fraction 0.4: D / D0 is 0.2060(12) with steps of 0.4 and 0.2879(18) with steps of 0.1.
    const double ratio = (1 - bias_of_equal_spheres(0.4, 0.4)) / (1 - bias_of_equal_spheres(0.4, 0.1));
    EXPECT_NEAR(ratio, 0.2060 / 0.2879, 0.02);
}

TEST(HardSphereTheory, BiasOfEqualClassesIsOfOne) {
    SizeClass half = unit_particles(3, 0.15);
    half.mass = 0.01;
    SizeClass whole = half;
    whole.number_density *= 2;
    EXPECT_NEAR(diffusion_bias(3, std::array{half, half}, half, 2, 0.1),
                diffusion_bias(3, std::array{whole}, whole, 2, 0.1), 1e-12);
}

}  // namespace
}  // namespace ricochet
