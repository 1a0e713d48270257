// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian spheres: free diffusion, the pressure at any timestep, and long-time self-diffusion. The latter two also
// where spheres react all the time, but do nothing else by it than to change names.
//
// kT = D = 1 and diameter 1 throughout, so that the effective mass is dt / 2.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>

#include "dynamics/brownian.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr std::uint64_t seed = 11;

System brownian(System system, double dt) {
    system.dt = dt;
    system.particles.attributes.change_all([&](Attributes& a) {
        a.diffusion = 1;
        a.mass = effective_mass(1, dt, 1);
    });
    return system;
}

/// A system that draws new velocities before every step.
class BrownianRun {
  public:
    BrownianRun(System start, double dt) : run_(brownian(std::move(start), dt)) {}

    CollisionSums run(int num_steps) {
        CollisionSums sums;
        for (int k = 0; k < num_steps; ++k) {
            drive_brownian(run_.particles(), run_.system().box.dimension, run_.system().dt, seed, step_++);
            sums += run_.run(1);
        }
        return sums;
    }
    Particles& particles() { return run_.particles(); }
    const Box& box() { return run_.system().box; }

  private:
    EngineRun run_;
    std::uint64_t step_ = 0;
};

/// An equilibrium configuration of equal spheres.
System equilibrium(std::size_t num_particles, double fraction) {
    System system = equal_gas(3, num_particles, fraction, 800);
    system.dt = 0.1;
    EngineRun gas(std::move(system));
    gas.run_collisions(20);
    return gas.system();
}

void expect_free_diffusion(int dimension) {
    constexpr int num_steps = 50;
    constexpr double dt = 0.01, time = num_steps * dt;
    constexpr std::size_t n = 50'000;
    System points;
    const double edge = dimension == 3 ? 40 : 240;
    points.box = periodic_box({edge, edge, dimension == 3 ? edge : 0});
    HashRandom random(810);
    for (std::size_t k = 0; k < n; ++k)
        add_particle(points,
                     {random.uniform(0, edge), random.uniform(0, edge), random.uniform(0, points.box.size.z)},
                     {}, 0);
    BrownianRun free(points, dt);
    const Particles start = free.particles();
    free.run(num_steps);
    const double count = static_cast<double>(n) * dimension;
    double fourth = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (int axis = 0; axis < dimension; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const double x = free.particles().motion[i].position[axis] - start.motion[i].position[axis] +
                             edge * static_cast<double>(free.particles().track[i].image[a]);
            fourth += x * x * x * x / count;
        }
    EXPECT_NEAR(mean_square_displacement(points.box, start, free.particles()) / (2 * dimension * time), 1,
                4 * std::sqrt(2 / count));
    EXPECT_NEAR(fourth / (12 * time * time), 1, 4 * std::sqrt(96.0 / 9 / count));
}

TEST(Brownian, FreePointsDiffuseIn3D) { expect_free_diffusion(3); }

TEST(Brownian, FreePointsDiffuseIn2D) { expect_free_diffusion(2); }

/// That of equilibrium, at any timestep.
TEST(Brownian, SpheresHaveTheirPressure) {
    constexpr std::size_t n = 4000;
    const System start = equilibrium(n, 0.2);
    for (const double dt : {0.008, 0.002, 0.0005}) {
        BrownianRun spheres(start, dt);
        spheres.run(50);
        const double expected_rate = 4.76035 * 1.0012 * std::sqrt(2 / dt);  // of velocities sqrt(2 D/dt)
        const int num_steps = static_cast<int>(400 / (expected_rate * dt));
        const CollisionSums sums = spheres.run(num_steps);
        const double num_contacts = static_cast<double>(sums.num_pair);
        const double tolerance = 4 * 1.3 / std::sqrt(num_contacts) + 1e-3 + 3.0 / n;
        testing::Test::RecordProperty(
            "Z at " + std::to_string(dt),
            std::to_string(1 + sums.excess_compressibility(3, n, 1, num_steps * dt)));
        EXPECT_GT(num_contacts, 5e5);
        EXPECT_NEAR(sums.excess_compressibility(3, n, 1, num_steps * dt) / 1.40937, 1, tolerance) << dt;
        EXPECT_NEAR(sums.collision_rate(n, num_steps * dt) / expected_rate, 1, tolerance) << dt;
        EXPECT_LT(census_of_overlaps(spheres.box(), spheres.particles(), 1e-12).deepest, 1e-12);
    }
}

/// D_L / D_0 from the growth of the mean squared displacement between t = 1 and 3 (sigma^2 / D_0), over
/// several origins.
double long_time_diffusion(System start, double dt, int num_origins) {
    BrownianRun spheres(std::move(start), dt);
    const int steps_per_unit = static_cast<int>(std::lround(1 / dt));
    double slope = 0;
    for (int k = 0; k < num_origins; ++k) {
        const Particles origin = spheres.particles();
        spheres.run(steps_per_unit);
        const double early = mean_square_displacement(spheres.box(), origin, spheres.particles());
        spheres.run(2 * steps_per_unit);
        const double late = mean_square_displacement(spheres.box(), origin, spheres.particles());
        slope += (late - early) / (2 * 6) / num_origins;
    }
    testing::Test::RecordProperty("D_L/D_0", std::to_string(slope));
    return slope;
}

// --- rules that only rename ----------------------------------------------------------------------------------

/// Two species that look the same. All pairs react for certain at each contact and at a distance, and change names.
System renaming(System system, double dt, double reduced_rate) {
    const double rate = 4 * std::numbers::pi * 2 * reduced_rate;
    const Matter sphere{0.5, effective_mass(1, dt, 1), 1};
    system.world = world_with({sphere, sphere}, 3, Bounce{});
    set_pair(*system.world, 0, 0, React{0, {1, 1}, 1, 1, rate}, 0);
    set_pair(*system.world, 0, 1, React{0, {1, 0}, 1, 1, rate}, 1);
    set_pair(*system.world, 1, 1, React{1, {0, 0}, 1, 1, rate}, 2);
    make_brownian(*system.world, dt, dt);
    return system;
}

/// s = sqrt(2 (D + D) dt) is 0.2 here, so that many reactions happen between chords. A bounce of those gave Z = 2.81.
constexpr double coarse_dt = 0.01;

void expect_pressure_of_renaming(double reduced_rate, int num_steps) {
    constexpr std::size_t n = 2000;
    BrownianRun spheres(renaming(equilibrium(n, 0.2), coarse_dt, reduced_rate), coarse_dt);
    spheres.run(20);
    const CollisionSums sums = spheres.run(num_steps);
    const double bounces = 0.5 * n * num_steps * coarse_dt * 4.76035 * std::sqrt(2 / coarse_dt);
    const double tolerance = 4 * 1.3 / std::sqrt(bounces) + 1e-3 + 3.0 / n;
    const double z_excess = sums.excess_compressibility(3, n, 1, num_steps * coarse_dt);
    std::cout << "h R " << reduced_rate << ": Z " << 1 + z_excess << ", " << sums.num_pair << " contacts for "
              << bounces << "\n";
    EXPECT_GT(static_cast<double>(sums.num_pair), 1.05 * bounces);  // with reactions at a distance
    EXPECT_NEAR(z_excess / 1.40937, 1, tolerance);
    EXPECT_LT(census_of_overlaps(spheres.box(), spheres.particles(), 1e-12).deepest, 1e-12);
}

/// The pressure is that of equilibrium, as without rules.
TEST(Brownian, RenamingSpheresHaveTheirPressure) {
    expect_pressure_of_renaming(std::numeric_limits<double>::infinity(), 200);
}
TEST(LongBrownian, RenamingSpheresHaveTheirPressure) {
    expect_pressure_of_renaming(std::numeric_limits<double>::infinity(), 2000);
    expect_pressure_of_renaming(1, 2000);
}

/// The mean squared displacement in 100 steps is that without rules, but for rounding, which grows in them to 4e-5.
TEST(Brownian, RenamingSpheresDiffuseAsWithout) {
    const System start = equilibrium(2000, 0.2);
    BrownianRun plain(start, coarse_dt);
    BrownianRun renamed(renaming(start, coarse_dt, std::numeric_limits<double>::infinity()), coarse_dt);
    const Particles origin = plain.particles();
    plain.run(100);
    renamed.run(100);
    const double expected = mean_square_displacement(plain.box(), origin, plain.particles());
    std::cout << "D(1)/D_0 " << expected / 6 << "\n";
    EXPECT_GT(expected / 6, 0.5);
    EXPECT_NEAR(mean_square_displacement(plain.box(), origin, renamed.particles()) / expected, 1, 1e-3);
}

// --- long-time self-diffusion --------------------------------------------------------------------------------

// Collisions per particle and step are 2.5, 6.7, 14, 28 sqrt(dt) at 0.1, 0.2, 0.3, 0.4: below 0.1 here.
TEST(Brownian, SpheresDiffuseSlowerInACrowd) {
    EXPECT_NEAR(long_time_diffusion(equilibrium(4000, 0.2), 1.0 / 4500, 2), 0.66, 0.05 * 0.66);
}

TEST(LongBrownian, DiffusesSlowerInDenserCrowds) {
    EXPECT_NEAR(long_time_diffusion(equilibrium(8000, 0.1), 1.0 / 1000, 4), 0.80, 0.03 * 0.80);
    EXPECT_NEAR(long_time_diffusion(equilibrium(4000, 0.3), 1.0 / 20000, 2), 0.49, 0.04 * 0.49);
    EXPECT_NEAR(long_time_diffusion(equilibrium(2000, 0.4), 1.0 / 80000, 2), 0.29, 0.05 * 0.29);
}

/// As without rules.
TEST(LongBrownian, RenamingSpheresDiffuseSlower) {
    constexpr double dt = 1.0 / 4500;
    const System start = renaming(equilibrium(4000, 0.2), dt, std::numeric_limits<double>::infinity());
    EXPECT_NEAR(long_time_diffusion(start, dt, 2), 0.66, 0.05 * 0.66);
}

}  // namespace
}  // namespace ricochet::test
