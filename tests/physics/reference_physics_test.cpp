// SPDX-License-Identifier: BSD-3-Clause
//
// The reference simulator against statistical mechanics, so that what checks the engine is itself checked by
// something else than mechanics: hard rods on a line, where everything is known exactly, and the identity
// between the collision count and the virial, which needs no equation of state.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

CollisionSums run(System& system, int num_steps) {
    CollisionSums sums;
    for (int step = 0; step < num_steps; ++step)
        sums.add(reference_step_by_lists(system.box, system.particles, rules_of(system), {.dt = system.dt})
                     .contacts);
    return sums;
}

/// Sum over all pairs of |v_i - v_j|, motion along x.
double sum_of_relative_speeds(const Particles& particles) {
    double sum = 0;
    for (std::size_t i = 0; i < particles.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            sum += std::abs(particles.motion[i].velocity.x - particles.motion[j].velocity.x);
    return sum;
}

/// And collision rate.
TEST(ReferencePhysics, HasTheExactTonksPressure) {
    // N rods of length 1 on a ring of length L are points on a ring of length L - N: each pair touches at the
    // rate |v_i - v_j| / (L - N), whatever the velocities, which are only ever exchanged.
    constexpr std::size_t num_rods = 200;
    constexpr double rods = num_rods, free_length = rods, time = 1000;
    System system;
    system.box = walled_box({2 * rods, 4, 4}, {1, 2});
    system.dt = 1;
    HashRandom random(4);
    for (int k = 0; k < static_cast<int>(num_rods); ++k)
        add_particle(system, {1 + 2.0 * k + random.uniform(-0.45, 0.45), 2, 2}, {});
    thermalise(system, 1, 41);
    double square = 0;
    for (Motion& motion : system.particles.motion) {
        motion.velocity.y = motion.velocity.z = 0;
        square += motion.velocity.x * motion.velocity.x;
    }
    const double kT = square / rods;
    const double expected_rate = 2 * sum_of_relative_speeds(system.particles) / (rods * free_length);

    const CollisionSums sums = run(system, static_cast<int>(time));
    const double counted = static_cast<double>(sums.num_pair);
    EXPECT_GT(counted, 1e5);
    // A pair's count differs from its mean by less than 1: 2e4 pairs, hence 1e-3 of 1e5 contacts.
    EXPECT_NEAR(sums.excess_compressibility(1, num_rods, kT, time), 1, 2e-3);
    EXPECT_NEAR(sums.collision_rate(num_rods, time), expected_rate, 2e-3 * expected_rate);
    const double maxwell_rate = 2 / std::sqrt(std::numbers::pi) * std::sqrt(kT);
    EXPECT_NEAR(sums.collision_rate(num_rods, time), maxwell_rate, (4 / std::sqrt(counted) + 3 / rods));
}

/// Z - 1 = sqrt(pi) / (2 d) nu for any d, density and size of the system.
void expect_count_to_agree_with_virial(int dimension, double fraction, double dt, int num_steps) {
    constexpr std::size_t num_particles = 200;
    System system = equal_gas(dimension, num_particles, fraction, 50 + static_cast<std::uint64_t>(dimension));
    system.dt = dt;
    run(system, num_steps / 4);
    const CollisionSums sums = run(system, num_steps);
    const double time = dt * num_steps;
    const double from_virial = sums.excess_compressibility(dimension, num_particles, 1, time);
    const double from_count =
        std::sqrt(std::numbers::pi) / (2 * dimension) * sums.collision_rate(num_particles, time);
    // The impulse of a contact has a relative spread of 0.52 (Rayleigh).
    const double tolerance = 4 * 0.52 / std::sqrt(static_cast<double>(sums.num_pair)) + 3.0 / num_particles;
    EXPECT_GT(sums.num_pair, 4000u);
    EXPECT_NEAR(from_virial / from_count, 1, tolerance);
}

TEST(ReferencePhysics, CountsWhatTheVirialSaysIn3D) { expect_count_to_agree_with_virial(3, 0.2, 0.1, 120); }

TEST(ReferencePhysics, CountsWhatTheVirialSaysIn2D) { expect_count_to_agree_with_virial(2, 0.3, 0.2, 120); }

}  // namespace
}  // namespace ricochet::test
