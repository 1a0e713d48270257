// SPDX-License-Identifier: BSD-3-Clause
//
// Inelastic collapse, and what prevents it: World::collapse_duration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "ricochet/core/error.hpp"
#include "tests/support/falling_run.hpp"
#include "tests/support/message_of.hpp"

namespace ricochet::test {
namespace {

System inelastic_system(const Box& box, double dt, double restitution, double duration, double radius = 0.1) {
    System system = system_of("inelastic", box, dt, {{radius, 1}}, Bounce{restitution});
    system.world->collapse_duration = duration;
    return system;
}

/// Dropped from 1 above contact. It touches at the times of a geometric series while they are more than the duration
/// apart; the series ends at 8.578949.
TEST(Collapse, BouncingBallFollowsTheSeries) {
    constexpr double g = 9.81, restitution = 0.9, duration = 1e-4;
    const double fall = std::sqrt(2 / g);
    EXPECT_NEAR(fall * (1 + restitution) / (1 - restitution), 8.578949, 5e-7);
    for (const double dt : {0.25, 0.1, 0.003}) {
        System system = inelastic_system(walled_box({4, 4, 4}), dt, restitution, duration);
        system.world->gravity = {0, 0, -g};
        add_of_species(system, 0, {2, 2, 1.1});
        FallingRun run(std::move(system));
        double expected = fall, interval = 2 * fall, largest_error = 0;
        int num_on_time = 0, num_after = 0;
        for (int step = 0; step * dt < 10; ++step)
            for (const Contact& contact : run.step()) {
                if (interval < duration) {
                    ++num_after;
                    continue;
                }
                largest_error = std::max(largest_error, std::abs(step * dt + contact.key.time - expected));
                expected += interval *= restitution;
                ++num_on_time;
            }
        const double ends = fall * (1 + restitution) / (1 - restitution);
        std::printf("dt %g: %d contacts of the series, latest %.6f of %.6f, error %.1e; then %d\n", dt,
                    num_on_time, expected - interval, ends, largest_error, num_after);
        EXPECT_LE(largest_error, 1e-12);
        EXPECT_GE(num_on_time, 80);
        EXPECT_NEAR(expected, ends, 20 * duration);
        EXPECT_LE(num_after, 40 / duration);
        EXPECT_NEAR(run.particles().motion[0].position.z, 0.1, g * duration * duration);
    }
}

/// On a line three balls collapse below a restitution of 7 - 4 sqrt(3), until rounding ends it.
System balls_on_a_line(double restitution, double duration) {
    System system = inelastic_system(periodic_box({40, 8, 8}), 5, restitution, duration, 0.5);
    add_of_species(system, 0, {10, 4, 4}, {1, 0, 0});
    add_of_species(system, 0, {12, 4, 4});
    add_of_species(system, 0, {14, 4, 4});
    return system;
}

std::string message_of_three(double restitution, double duration, std::uint64_t contact_cap) {
    return message_of<RunError>(
        [=] { FallingRun(balls_on_a_line(restitution, duration), {.contact_cap = contact_cap}).step(); });
}

TEST(Collapse, OfThreeBallsEndsWithASentence) {
    const double below = 0.9 * (7 - 4 * std::sqrt(3));
    EXPECT_NEAR(below, 0.9 * 0.0718, 1e-4);
    for (const double duration : {0.0, 1e-12, 1e-4, 1e-1}) {
        FallingRun run(balls_on_a_line(below, duration));
        const std::size_t count = run.step().size();
        std::printf("three balls, duration %g: %zu contacts\n", duration, count);
        EXPECT_LE(count, 60u);
        EXPECT_NEAR(totals(run.particles()).momentum.x, 1, 1e-12);
    }
    EXPECT_NE(message_of_three(below, 0, 20).find("set contacts.collapse"), std::string::npos);
    EXPECT_EQ(message_of_three(below, 1e-1, 20), "");
    EXPECT_NE(message_of_three(below, 1e-12, 5).find("many contacts in contacts.collapse.duration"),
              std::string::npos);
    EXPECT_EQ(message_of_three(1, 0, 2).find("collaps"), std::string::npos);
}

/// A ball that comes to rest has infinitely many.
TEST(Collapse, OfABallEndsWithASentence) {
    System system = inelastic_system(walled_box({4, 4, 4}), 0.1, 0.5, 0);
    system.world->gravity = {0, 0, -1};
    add_of_species(system, 0, {2, 2, 1.1});
    FallingRun run(std::move(system), {.contact_cap = 1000});
    const std::string message = message_of<RunError>([&] {
        while (true) run.step();
    });
    EXPECT_NE(message.find("set contacts.collapse"), std::string::npos) << message;
}

// --- a pile ------------------------------------------------------------------------------------------------

/// Discs that rest on the floor. Returns contacts per particle and unit time.
double contacts_of_pile(double duration) {
    constexpr double dt = 0.01;
    System system = inelastic_system(walled_box({4.2, 20, 0}, {1}), dt, 0.9, duration, 0.5);
    system.world->gravity = {0, -1, 0};
    HashRandom random(12);
    for (const Vec3& site : lattice_sites({4, 3, 1}, {0.55, 0.6, 0}, {1.03, 1.2, 0}))
        add_of_species(system, 0, site, 0.2 * random.normal_vector(2));
    FallingRun run(std::move(system));
    constexpr int until_settled = 3000, num_steps = 1000;
    for (int step = 0; step < until_settled; ++step) run.step();
    std::size_t count = 0;
    for (int step = 0; step < num_steps; ++step)
        for (const Contact& contact : run.step()) count += contact.species_high == wall_species ? 1 : 2;
    return static_cast<double>(count) / (12 * num_steps * dt);
}

TEST(Collapse, PilesTouchAsOftenAsTheDurationLets) {
    for (const double duration : {0.1, 0.01, 0.001}) {
        const double rate = contacts_of_pile(duration);
        std::printf("12 discs, duration %g: %.0f contacts per particle and unit time\n", duration, rate);
        EXPECT_LE(rate, 40 / duration);
        EXPECT_GE(rate, 0.5 / duration);
    }
}

// --- bowls -------------------------------------------------------------------------------------------------

/// Inside a sphere, where paths become ever more tangential. Returns contacts per unit time, at the end.
double contacts_in_bowl(Vec3 gravity, double duration) {
    constexpr double dt = 0.1;
    System system = inelastic_system(walled_box({4, 4, 4}), dt, 0.9, duration);
    system.world->gravity = gravity;
    const Vec3 centre{2, 2, 2};
    system.world->bodies = {{"bowl", BodySphere{centre, 1.5}, BodySide::inside}};
    add_of_species(system, 0, {2.2, 2.3, 2.4}, {0.3, -0.2, 0.1});
    FallingRun run(std::move(system));
    double energy = run.energy(), farthest = 0;
    std::size_t count = 0;
    constexpr int num_steps = 2000, num_counted = 100;
    for (int step = 0; step < num_steps; ++step) {
        const std::size_t in_step = run.step().size();
        count += step < num_steps - num_counted ? 0 : in_step;
        EXPECT_LE(run.energy(), energy + 1e-12);
        energy = run.energy();
        farthest = std::max(farthest, norm(run.particles().motion[0].position - centre));
    }
    EXPECT_LE(farthest, 1.4 + 1e-12);
    std::printf("bowl, g %g, duration %g: energy %.3g at last, %.0f contacts per unit time\n", norm(gravity),
                duration, run.energy(), static_cast<double>(count) / (num_counted * dt));
    return static_cast<double>(count) / (num_counted * dt);
}

TEST(Collapse, BowlsDoNotStall) {
    for (const double duration : {1e-2, 1e-3, 1e-5})
        for (const Vec3 gravity : {Vec3{}, Vec3{0, 0, -1}})
            EXPECT_LE(contacts_in_bowl(gravity, duration), 40 / duration);
}

// --- a gas that cools --------------------------------------------------------------------------------------

/// So few that clusters do not form. By Haff's law energy falls by (1 - e^2)/3 per collision of each.
double energy_left(double duration, double per_particle, std::uint64_t seed) {
    constexpr double restitution = 0.9, rate = 1.76454;
    System system = equal_gas(3, 500, 0.1, seed);
    system.dt = 0.2;
    EngineRun elastic(system);
    elastic.run(20);
    system = elastic.system();
    const double start = totals(system.particles).energy,
                 number = static_cast<double>(system.particles.size());
    system.restitution = Restitution(restitution);
    World world = world_of(system);
    world.collapse_duration = duration;
    system.world = world;
    double collisions = 0;
    // A step holds about as many contacts while particles become slower.
    const double slower = std::exp((1 - restitution * restitution) / 6);
    while (collisions < per_particle) {
        EngineRun gas(std::move(system));
        collisions +=
            2 * static_cast<double>(gas.run(static_cast<int>(1 / (rate * gas.system().dt)) + 1).num_pair) /
            number;
        system = std::move(gas.system());
        system.dt *= slower;
        system.world->timestep = system.dt;
    }
    const double expected = std::exp(-(1 - restitution * restitution) * collisions / 3);
    return totals(system.particles).energy / start / expected;
}

TEST(Collapse, GasCoolsByHaffsLaw) {
    constexpr int num_seeds = 8;
    double with = 0, without = 0;
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        with += energy_left(1e-5, 100, 650 + seed) / num_seeds;
        without += energy_left(0, 100, 650 + seed) / num_seeds;
    }
    std::printf("energy after 100 collisions over that of Haff's law: %.4f, without a duration %.4f\n", with,
                without);
    EXPECT_NEAR(with, 1, 0.05);
    EXPECT_NEAR(without, 1, 0.05);
}

}  // namespace
}  // namespace ricochet::test
