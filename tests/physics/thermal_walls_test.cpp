// SPDX-License-Identifier: BSD-3-Clause
//
// Walls of a temperature: a gas that they hold in equilibrium, and the heat that free molecules carry between two.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "dynamics/ballistic.hpp"
#include "engine/coverage.hpp"
#include "engine/holders.hpp"
#include "observe/observers.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/worlds.hpp"

namespace ricochet::test {
namespace {

/// What each wall gave.
class Heat final : public ContactSink {
  public:
    ContactDetail detail() const override { return ContactDetail::briefs; }
    void add_energies(std::span<const GivenEnergy> energies) override {
        for (const GivenEnergy& of : energies) given[of.body] += of.energy;
    }
    void settle() override {}
    void take_back() override {}

    std::array<double, 6> given{};
};

void step(StepEngine& engine, Particles& particles, double dt, std::uint64_t number, Heat& heat) {
    const Holders no_holders;
    engine.begin_step(particles, particles.size(), no_holders,
                      {{0, dt}, heat.detail(), number, engine.reach(particles)}, Coverage{});
    engine.plan_windows(8);
    while (StepWindow* const window = engine.next_window()) {
        while (!window->resolve()) window->halve();
        window->commit(heat);
    }
    engine.end_step();
}

/// Particles at random places, as a gas at kT = 1.
System gas_between_walls(const Box& box, double radius, int count, double low, double high) {
    System system = system_of("gas between walls", box, 0.2, {{radius, 1}});
    HashRandom random(7);
    while (static_cast<int>(system.particles.size()) < count) {
        Vec3 x;
        for (int axis = 0; axis < 3; ++axis) x[axis] = random.uniform(radius, box.size[axis] - radius);
        bool is_free = true;
        for (const Motion& other : system.particles.motion)
            is_free = is_free && norm(minimum_image(other.position - x, ImageLengths(box))) > 2 * radius;
        if (is_free) add_of_species(system, 0, x, random.normal_vector(3));
    }
    set_wall_face(*system.world, 0, 0, Thermal{low});
    set_wall_face(*system.world, 0, 1, Thermal{high});
    return system;
}

/// Between walls at kT_1 and kT_2 each particle takes 2 (kT_1 - kT_2) over, in three dimensions. The flux of number n
/// per area is n sqrt(2/(pi m)) / (1/sqrt(kT_1) + 1/sqrt(kT_2)): the densities of those that fly either way are as
/// 1/sqrt(kT). So 3.19 n between kT 1 and 4.
TEST(ThermalWalls, HeatOfFreeMolecules) {
    const double cold = 1, hot = 4;
    const Box box{3, {10, 10, 10}, {Boundary::reflecting, Boundary::periodic, Boundary::periodic}};
    System system = gas_between_walls(box, 1e-7, 2000, cold, hot);
    const auto engine = engine_for(system);
    Heat heat;
    std::vector<double> batches;
    std::uint64_t number = 0;
    for (int batch = -8; batch < 40; ++batch) {  // slow particles take long to the first wall
        heat.given = {};
        constexpr int steps = 150;
        for (int k = 0; k < steps; ++k) step(*engine, system.particles, system.dt, number++, heat);
        const double area_and_time = 100 * steps * system.dt;
        if (batch >= 0) batches.push_back(0.5 * (heat.given[1] - heat.given[0]) / area_and_time);
    }
    double mean = 0, variance = 0;
    for (const double one : batches) mean += one / 40;
    for (const double one : batches) variance += (one - mean) * (one - mean) / 39;
    const double density = 2.0;
    const double flux =
        density * std::sqrt(2 / std::numbers::pi) / (1 / std::sqrt(cold) + 1 / std::sqrt(hot));
    const double expected = 2 * (hot - cold) * flux, error = std::sqrt(variance / 40);
    std::printf("heat %.4f n, expected %.4f n, se %.4f\n", mean / density, expected / density,
                error / density);
    EXPECT_NEAR(expected / density, 3.1915, 1e-3);
    EXPECT_NEAR(mean, expected, 4 * error);
    EXPECT_LE(error, 0.01 * expected);
}

/// Mean energy, its square as of Maxwell's distribution, and no flow.
TEST(ThermalWalls, GasKeepsMaxwellsDistribution) {
    const double energy = 2;
    System system = gas_between_walls(walled_box({8, 8, 8}), 0.25, 300, energy, energy);
    set_wall(*system.world, 0, Thermal{energy});
    const auto engine = engine_for(system);
    Heat heat;
    constexpr int batches = 30, steps = 200;
    std::vector<std::array<double, 3>> means;
    for (int batch = -2; batch < batches; ++batch) {
        std::array<double, 3> sums{};
        for (int k = 0; k < steps; ++k) {
            const auto number = static_cast<std::uint64_t>((batch + 2) * steps + k);
            step(*engine, system.particles, system.dt, number, heat);
            for (const Motion& motion : system.particles.motion) {
                const double square = dot(motion.velocity, motion.velocity);
                const double scale = 1.0 / (steps * static_cast<double>(system.particles.size()));
                sums[0] += scale * square / (3 * energy);
                sums[1] += scale * square * square / (15 * energy * energy);
                sums[2] += scale * motion.velocity.x;
            }
        }
        if (batch >= 0) means.push_back(sums);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        double mean = 0, variance = 0;
        for (const auto& one : means) mean += one[k] / batches;
        for (const auto& one : means) variance += (one[k] - mean) * (one[k] - mean) / (batches - 1);
        const double error = std::sqrt(variance / batches);
        std::printf("moment %zu: %.4f, se %.4f\n", k, mean, error);
        EXPECT_NEAR(mean, k == 2 ? 0 : 1, 4 * error);
        EXPECT_LE(error, 0.01);
    }
}

double kinetic_energy_of(const Particles& particles) {
    double sum = 0;
    for (const Motion& motion : particles.motion) sum += 0.5 * dot(motion.velocity, motion.velocity);
    return sum;
}

/// What walls that move or have a temperature give is all that particles gain; walls in their faces give nothing.
TEST(ThermalWalls, GivenEnergyIsWhatParticlesGain) {
    System system = gas_between_walls(walled_box({8, 8, 8}), 0.25, 300, 1, 2);
    system.world->walls[2] = {.amplitude = 0.2, .frequency = 0.1};
    system.world->walls[5] = {.velocity = 0.01};
    const auto engine = engine_for(system);
    Heat heat;
    const double before = kinetic_energy_of(system.particles);
    for (std::uint64_t number = 0; number < 200; ++number)
        step(*engine, system.particles, system.dt, number, heat);
    double sum = 0;
    for (const double given : heat.given) sum += given;
    EXPECT_NEAR(kinetic_energy_of(system.particles) - before, sum, 1e-9 * before);
    for (const std::size_t face : {0, 1, 2, 5}) EXPECT_NE(heat.given[face], 0) << face;
    EXPECT_GT(heat.given[5], 0);
}

/// What particles lose at walls that rest is no energy given, whether other walls move or not.
TEST(ThermalWalls, RestingWallsGiveNothing) {
    System system = gas_between_walls(walled_box({8, 8, 8}), 0.25, 300, 1, 2);
    system.world->wall_rule = Bounce{0.8};
    system.world->walls[2] = {.amplitude = 0.2, .frequency = 0.1};
    const auto engine = engine_for(system);
    Heat heat;
    const auto observer = make_given_energies(*system.world);
    for (std::uint64_t number = 0; number < 100; ++number)
        step(*engine, system.particles, system.dt, number, heat);
    for (const std::size_t face : {3, 4, 5}) EXPECT_EQ(heat.given[face], 0) << face;
    EXPECT_NE(heat.given[2], 0);
    const std::vector<GivenEnergy> stray{{1.0, 4}};
    EXPECT_THROW(observer->add_energies(stray), std::logic_error);
}

}  // namespace
}  // namespace ricochet::test
