// SPDX-License-Identifier: BSD-3-Clause
//
// Pressure on walls, by two identities that need no theory of the state and by the equation of state of the
// bulk; and the pressure of mixtures.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/engine_run.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet::test {
namespace {

System gas_in(const Box& box, const std::vector<Kind>& kinds, double dt, std::uint64_t seed) {
    return Scenario("gas").box(box).timestep(dt).gas(kinds, seed).system();
}

/// Force on a wall of the given axis, mean of both sides.
double mean_force(const CollisionSums& sums, std::size_t axis, double time) {
    return (sums.wall_impulse[2 * axis] + sums.wall_impulse[2 * axis + 1]) / (2 * time);
}

/// In a closed box the virial theorem balances walls against motion and collisions, exactly in the mean over
/// time: sum over axes of force * (L - sigma) = d N kT + virial / time.
void expect_virial_balance(const Box& box, std::size_t num_particles, double dt, int num_steps) {
    EngineRun gas(gas_in(box, {{0.5, 1, num_particles}}, dt, 700));
    gas.run(200);
    const CollisionSums sums = gas.run(num_steps);
    double from_walls = 0;
    for (int axis = 0; axis < box.dimension; ++axis)
        from_walls += mean_force(sums, static_cast<std::size_t>(axis), gas.elapsed()) * (box.size[axis] - 1);
    const double from_particles = 2 * totals(gas.particles()).energy + sums.virial / gas.elapsed();
    testing::Test::RecordProperty("walls/virial", std::to_string(from_walls / from_particles));
    EXPECT_GT(sums.num_wall, 100'000u);
    EXPECT_NEAR(from_walls / from_particles, 1, 0.01 * std::sqrt(1e4 / static_cast<double>(sums.num_wall)));
}

/// In a closed box.
TEST(WallPressure, BalancesTheVirialOfSpheres) {
    expect_virial_balance(walled_box({14, 12, 10}), 600, 0.1, 4000);
}

/// In a closed box.
TEST(WallPressure, BalancesTheVirialOfDiscs) {
    expect_virial_balance(walled_box({25, 30, 0}), 400, 0.2, 8000);
}

TEST(WallPressure, IsThePressureOfTheBulk) {
    // Walls far apart: the middle half has the bulk's density n, and the walls feel n kT Z(n).
    constexpr double length = 24, edge = 16;
    EngineRun gas(gas_in(walled_box({length, edge, edge}, {0}), {{0.5, 1, 2000}}, 0.1, 710));
    gas.run(300);
    double in_the_middle = 0, impulse = 0;
    std::uint64_t num_hits = 0;
    constexpr int num_samples = 1200, steps_between = 10;
    for (int sample = 0; sample < num_samples; ++sample) {
        const CollisionSums sums = gas.run(steps_between);
        num_hits += sums.num_wall;
        impulse += sums.wall_impulse[0] + sums.wall_impulse[1];
        for (const Motion& motion : gas.particles().motion)
            if (std::abs(motion.position.x - length / 2) < length / 4) in_the_middle += 1.0 / num_samples;
    }
    const double n = in_the_middle / (length / 2 * edge * edge);
    const double p = n * std::numbers::pi / 6;  // Boublik & Kolafa
    const double z = (1 + p + p * p - 2.0 / 3 * p * p * p * (1 + p)) / std::pow(1 - p, 3);
    const double pressure = impulse / (2 * edge * edge * num_samples * steps_between * gas.system().dt);
    testing::Test::RecordProperty("walls/bulk", std::to_string(pressure / (n * z)));
    EXPECT_GT(num_hits, 100'000u);
    EXPECT_NEAR(pressure / (n * z), 1, 0.01);
}

/// Boublik, Mansoori, Carnahan, Starling & Leland.
double mixture_compressibility(const std::vector<Kind>& kinds, double volume) {
    std::array<double, 4> x{};
    for (const Kind& kind : kinds)
        for (std::size_t k = 0; k < 4; ++k)
            x[k] += std::numbers::pi / 6 * static_cast<double>(kind.count) / volume *
                    std::pow(2 * kind.radius, static_cast<double>(k));
    const double free = 1 - x[3];
    return 1 / free + 3 * x[1] * x[2] / (x[0] * free * free) +
           x[2] * x[2] * x[2] * (3 - x[3]) / (x[0] * free * free * free);
}

/// Masses must not matter for the pressure.
void expect_mixture_pressure(const std::vector<Kind>& kinds, double edge, double dt,
                             double collisions_per_particle) {
    EngineRun gas(gas_in(periodic_box({edge, edge, edge}), kinds, dt, 720));
    const std::size_t n = gas.particles().size();
    gas.run_collisions(20);
    const CollisionSums sums = gas.run_collisions(collisions_per_particle);
    const double expected = mixture_compressibility(kinds, edge * edge * edge) - 1;
    const double measured = sums.excess_compressibility(3, n, 1, gas.elapsed());
    const double num_contacts = static_cast<double>(sums.num_pair);
    testing::Test::RecordProperty("(Z-1)/BMCSL", std::to_string(measured / expected));
    EXPECT_GT(num_contacts, 5e5);
    EXPECT_NEAR(measured / expected, 1,
                4 * 1.3 / std::sqrt(num_contacts) + 5e-3 + 3 / static_cast<double>(n));
    EXPECT_LT(census_of_overlaps(gas.system().box, gas.particles(), 1e-12).deepest, 1e-12);
}

TEST(Mixture, OfTwoSizesAndMassesHasItsPressure) {
    expect_mixture_pressure({{0.5, 1, 1500}, {0.25, 0.1, 1500}}, 15, 0.05, 400);
}

TEST(Mixture, OfSizesOneToTenHasItsPressure) {
    expect_mixture_pressure({{1, 50, 60}, {0.1, 1, 6000}}, 11.5, 0.02, 200);
}

}  // namespace
}  // namespace ricochet::test
