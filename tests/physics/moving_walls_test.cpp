// SPDX-License-Identifier: BSD-3-Clause
//
// Walls that move: a ball on a floor that vibrates against its exact path, and a gas that a piston compresses slowly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "dynamics/gravity.hpp"
#include "model/wall_path.hpp"
#include "tests/support/falling_run.hpp"
#include "tests/support/hash_random.hpp"

namespace ricochet::test {
namespace {

constexpr double radius = 0.1, gravity = 9.81;
/// Inside a face at 0.
const WallMotion floor_motion{.amplitude = 0.05, .frequency = 0.4, .phase = 0.3};

struct Floor {
    double omega = 2 * std::numbers::pi * floor_motion.frequency;
    double phase = 2 * std::numbers::pi * floor_motion.phase;

    double height(double t) const { return floor_motion.amplitude * (1 + std::sin(omega * t + phase)); }
    double velocity(double t) const { return floor_motion.amplitude * omega * std::cos(omega * t + phase); }
};

struct Touch {
    double time, velocity;  ///< of the ball afterwards
};

/// The first contact of a ball that is dropped at this height, by bisection.
Touch exact_touch(double height) {
    const Floor floor;
    const auto gap = [&](double t) { return height - 0.5 * gravity * t * t - radius - floor.height(t); };
    double low = 0;
    while (gap(low + 1e-3) > 0) low += 1e-3;
    double high = low + 1e-3;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (gap(middle) > 0 ? low : high) = middle;
    }
    return {low, 2 * floor.velocity(low) + gravity * low};
}

/// Contact and velocity at the end of the step, less gravity since the contact.
Touch touch_in_steps(double height, double dt) {
    System system = system_of("ball on a floor that vibrates", walled_box({4, 4, 8}), dt, {{radius, 1}});
    system.world->gravity = {0, 0, -gravity};
    system.world->walls[4] = floor_motion;
    add_of_species(system, 0, {2, 2, height});
    FallingRun run(std::move(system));
    for (int number = 0;; ++number) {
        const std::vector<Contact> contacts = run.step();
        if (contacts.empty()) continue;
        const double later = dt - contacts[0].key.time;
        return {number * dt + contacts[0].key.time, run.particles().motion[0].velocity.z + gravity * later};
    }
}

/// Paths of floors are parabolas that join the places at the ends of steps. Places are off by the third power of the
/// step, velocities by the second, and by nothing in the mean over the times of a step.
TEST(MovingWalls, ErrorsFallWithTheStep) {
    constexpr int num_heights = 400;
    Touch before{};
    for (const double dt : {0.1, 0.05, 0.025, 0.0125}) {
        Touch square{}, mean{};
        for (int k = 0; k < num_heights; ++k) {
            const double height = 1 + 0.005 * k;
            const Touch touch = touch_in_steps(height, dt), exact = exact_touch(height);
            square.time += std::pow(touch.time - exact.time, 2) / num_heights;
            square.velocity += std::pow(touch.velocity - exact.velocity, 2) / num_heights;
            mean.velocity += (touch.velocity - exact.velocity) / num_heights;
        }
        const Touch error{std::sqrt(square.time), std::sqrt(square.velocity)};
        std::printf(
            "dt %g: times off by %.2e (%.2f times less), velocities by %.2e (%.2f times less), their mean "
            "%.1e\n",
            dt, error.time, before.time / error.time, error.velocity, before.velocity / error.velocity,
            mean.velocity);
        if (before.time > 0) {
            EXPECT_GE(before.time / error.time, 6);
            EXPECT_GE(before.velocity / error.velocity, 3.5);
        }
        EXPECT_LE(std::abs(mean.velocity), 0.3 * error.velocity);
        before = error;
    }
}

/// A ball that a floor throws up again and again, slower than it comes down, never falls through.
TEST(MovingWalls, BallStaysAboveTheFloor) {
    System system = system_of("ball", walled_box({4, 4, 8}), 0.02, {{radius, 1}});
    system.world->gravity = {0, 0, -gravity};
    system.world->walls[4] = {.amplitude = 0.3, .frequency = 2};
    add_of_species(system, 0, {2, 2, 1});
    const WallMotion motion = system.world->walls[4];
    FallingRun run(std::move(system));
    double lowest = 1;
    std::size_t count = 0;
    for (std::uint64_t step = 1; step <= 60'000; ++step) {
        count += run.step().size();
        const double floor = wall_depth(motion, 0.02, step);
        lowest = std::min(lowest, run.particles().motion[0].position.z - floor - radius);
    }
    std::printf("%zu contacts, lowest %.1e\n", count, lowest);
    EXPECT_GE(count, 2'000u);
    EXPECT_GE(lowest, -1e-13);
}

/// kT V^(2/3) of a gas stays that is compressed slowly against the speed of its particles. Spheres are small, and share
/// the energy among the axes. V is what centres may fill.
TEST(MovingWalls, SlowPistonFollowsTheAdiabaticLaw) {
    constexpr double r = 0.05, edge = 10, steps = 4000, dt = 0.2, compressed = 0.5;
    System system = system_of("piston", walled_box({edge, edge, edge}), dt, {{r, 1}});
    HashRandom random(3);
    double energy = 0;
    for (int k = 0; k < 1500; ++k) {
        Vec3 x;
        for (int axis = 0; axis < 3; ++axis) x[axis] = random.uniform(r, edge - r);
        add_of_species(system, 0, x, random.normal_vector(3));
        const Vec3 v = system.particles.motion.back().velocity;
        energy += dot(v, v);
    }
    system.world->walls[1].velocity = (1 - compressed) * edge / (steps * dt);
    FallingRun run(std::move(system));
    for (int k = 0; k < steps; ++k) run.step();
    double after = 0;
    for (const Motion& motion : run.particles().motion) after += dot(motion.velocity, motion.velocity);
    const double room_before = edge - 2 * r, room_after = compressed * edge - 2 * r;
    const double expected = std::pow(room_before / room_after, 2.0 / 3);
    std::printf("energy %.4f times, adiabatic law %.4f times\n", after / energy, expected);
    EXPECT_NEAR(after / energy, expected, 0.015 * expected);
}

}  // namespace
}  // namespace ricochet::test
