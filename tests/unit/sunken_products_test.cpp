// SPDX-License-Identifier: BSD-3-Clause
//
// What falls and reaches into a surface or another particle, as the product of a reaction may that is wider than what
// reacted: it leaves the surface, and touches it from above afterwards; or the two part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/obstacle.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/falling_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {
namespace {

constexpr double sphere_radius = 0.1, weight = 9.81;

struct SunkenPlace {
    std::string name;
    std::vector<Body> bodies;
    Vec3 lowest;  ///< where the centre of a sphere is that touches
};

std::vector<SunkenPlace> sunken_places() {
    const BodySphere ball{{2, 2, 1}, 0.5};
    const BodyCapsule lying{{1, 2, 2}, {3, 2, 2}, 1};
    return {
        {"floor", {}, {2, 2, 0.1}},
        {"ball", {{"ball", ball}}, {2, 2, 1.6}},
        {"bowl", {{"bowl", BodySphere{{2, 2, 2}, 1.5}, BodySide::inside}}, {2, 2, 0.6}},
        {"box", {{"box", BodyBox{{1, 1, 1}, {3, 3, 2}}}}, {2.3, 1.8, 2.1}},
        {"capsule", {{"capsule", lying}}, {2.2, 2, 3.1}},
        {"trough", {{"trough", lying, BodySide::inside}}, {2.2, 2, 1.1}},
        {"cylinder", {{"cylinder", BodyCylinder{{2, 2, 2}, {1, 0, 0}, 1}, BodySide::inside}}, {2, 2, 1.1}}};
}

/// At rest or not, `depth` below where it touches.
System sunken_system(const SunkenPlace& place, double depth, double speed, double dt) {
    System system = system_of("sunken", walled_box({4, 4, 4}), dt, {{sphere_radius, 1}});
    system.world->gravity = {0, 0, -weight};
    system.world->bodies = place.bodies;
    add_of_species(system, 0, place.lowest - Vec3{0, 0, depth}, {0, 0, speed});
    return system;
}

/// How far the first particle reaches into the nearest surface.
double overlap_of(const FallingRun& run, const std::vector<Obstacle>& obstacles) {
    double least = run.particles().attributes[0].radius;
    for (const Obstacle& obstacle : obstacles)
        least = std::min(least, distance_to(run.particles().motion[0].position, obstacle.shape));
    return run.particles().attributes[0].radius - least;
}

void expect_to_leave(const SunkenPlace& place, double depth, double speed, double dt) {
    const System system = sunken_system(place, depth, speed, dt);
    const std::vector<Obstacle> obstacles = obstacles_of(world_of(system));
    FallingRun run(system);
    const auto what = [&] {
        return place.name + ", " + std::to_string(depth) + " deep, speed " + std::to_string(speed) + ", dt " +
               std::to_string(dt);
    };
    // It rises by 9/8 of its depth, from its place or from the top of its flight, and comes back from there.
    const double fast = std::abs(speed) + std::sqrt(2.25 * weight * depth);
    std::size_t count = 0;
    double time = 0;
    for (; time < 2 * fast / weight + 2 * dt; time += dt) count += run.step().size();
    EXPECT_LE(overlap_of(run, obstacles), 1e-12) << what();
    EXPECT_GE(count, 1u) << what();
    // Afterwards it bounces no faster than it falls from an eighth of its depth.
    const double slowest = std::sqrt(0.25 * weight * depth) / 2;
    const double from = time;
    for (count = 0; time < from + 1; time += dt) count += run.step().size();
    EXPECT_LE(static_cast<double>(count), 2 + weight / (2 * slowest) * (time - from)) << what();
    EXPECT_LE(overlap_of(run, obstacles), 1e-12) << what();
}

TEST(SunkenProducts, LeaveAllSurfacesAtAnyTimestep) {
    for (const SunkenPlace& place : sunken_places())
        for (const double depth : {0.04, 0.001, 1e-6})
            for (const double speed : {0.0, -0.3, 1e-3, 0.1, 3.0})
                for (const double dt : {0.3, 0.01}) expect_to_leave(place, depth, speed, dt);
}

/// What leads out is no more than it needs.
TEST(SunkenProducts, RiseByAnEighthMoreThanNeeded) {
    const SunkenPlace floor = sunken_places().front();
    FallingRun run(sunken_system(floor, 0.04, 0, 0.001));
    double highest = 0;
    for (int k = 0; k < 500; ++k) {
        run.step();
        highest = std::max(highest, run.particles().motion[0].position.z);
    }
    EXPECT_NEAR(highest, 0.06 + 0.045, 1e-6);
}

/// What starts exactly at rest on a surface hops a little.
TEST(SunkenProducts, WhatRestsHopsALittle) {
    for (const SunkenPlace& place : sunken_places())
        for (const double dt : {0.3, 0.01}) {
            FallingRun run(sunken_system(place, 0, 0, dt));
            const double energy = run.energy();
            std::size_t count = 0;
            for (int k = 0; k < 20; ++k) count += run.step().size();
            EXPECT_LE(count, 20u * 34u) << place.name << ", dt " << dt;
            EXPECT_LE(run.energy() - energy, 0.5 * (weight * dt / 64) * (weight * dt / 64) * (1 + 1e-6))
                << place.name << ", dt " << dt;
        }
}

/// Spheres that reach into a box which is touched from both sides. They glide off its edges and corners, and their
/// centres stay on their side.
TEST(SunkenProducts, StayOnTheirSideOfBoxes) {
    const Body shell{"shell", BodyBox{{1, 1, 1}, {3, 2.5, 2}}, BodySide::both};
    Body solid = shell;
    solid.side = BodySide::outside;
    HashRandom random(11);
    std::size_t num_contacts = 0;
    for (int k = 0; k < fewer_if_sanitized(2000); ++k) {
        const double dt = random.log_uniform(0.02, 0.5);
        System system = system_of("sunken", walled_box({4, 4, 4}), dt, {{0.35, 1}});
        const bool falls = random.is_one_in(2);
        if (falls) system.world->gravity = {0, 0, -weight};
        system.world->bodies = {shell};
        const Vec3 place{random.uniform(0.5, 3.5), random.uniform(0.5, 3.5), random.uniform(0.5, 3.5)};
        Vec3 velocity = random.normal_vector(3);
        if (random.is_one_in(2)) velocity[static_cast<int>(random.index(3))] = 0;
        add_of_species(system, 0, place, velocity);
        EngineOptions options;
        options.contact_cap = 1000;
        FallingRun run(system, options);
        const bool was_inside = clearance(solid, place) < 0;
        for (double time = 0; time < 3; time += dt) num_contacts += run.step().size();
        const double distance = clearance(solid, run.particles().motion[0].position);
        ASSERT_EQ(distance < 0, was_inside) << k << (falls ? ", falls" : "") << ": " << distance;
    }
    EXPECT_GE(num_contacts, 1000u);
}

/// A sphere that reaches through two or three faces at a corner of a box which is touched from both sides is thrown out
/// by each of them once, and then bounces as one that falls.
TEST(SunkenProducts, LeaveInnerCornersOfBoxes) {
    const Body shell{"shell", BodyBox{{1, 1, 1}, {3, 2.5, 2}}, BodySide::both};
    HashRandom random(23);
    for (int k = 0; k < fewer_if_sanitized(300); ++k) {
        const double dt = random.log_uniform(0.005, 0.1), wide = 0.35;
        System system = system_of("corner", walled_box({4, 4, 4}), dt, {{wide, 1}});
        system.world->gravity = weight * Vec3{random.uniform(0.2, 1), -random.uniform(0.2, 1), 0};
        if (random.is_one_in(2)) system.world->gravity.z = -0.5 * weight;
        system.world->bodies = {shell};
        const auto inwards = [&] { return random.uniform(0.1, 0.99) * wide; };
        const Vec3 place{3 - inwards(), 1 + inwards(), random.is_one_in(2) ? 1.5 : 1 + inwards()};
        add_of_species(system, 0, place, 0.1 * random.normal_vector(3));
        FallingRun run(system);
        std::size_t num_contacts = 0;
        for (int step = 0; step < 20; ++step) num_contacts += run.step().size();
        const double slowest = std::sqrt(2.25 * weight * 0.2 * 0.01 * wide) / (1.5 * weight);
        EXPECT_LE(static_cast<double>(num_contacts), 12 + 20 * dt / slowest) << k;
    }
}

// --- pairs ---------------------------------------------------------------------------------------------------

struct SunkenPair {
    double overlap;      ///< part of the contact distance
    double upper_mass;   ///< of a lower one of mass 1
    Vec3 upwards;        ///< from the lower to the upper one
    double restitution;  ///< below 1 with `collapse`
    double dt;
};

/// The lower one rests nearly on the ground, and the upper one in it.
System system_of_pair(const SunkenPlace& place, const SunkenPair& pair) {
    System system =
        system_of("sunken pair", walled_box({4, 4, 4}), pair.dt,
                  {{sphere_radius, 1}, {sphere_radius, pair.upper_mass}}, Bounce{pair.restitution}, 4);
    system.world->gravity = {0, 0, -weight};
    system.world->bodies = place.bodies;
    if (pair.restitution < 1) system.world->collapse_duration = 1e-3;
    const Vec3 lower = place.lowest + Vec3{0, 0, 1e-3};
    const double apart = 2 * sphere_radius * (1 - pair.overlap);
    add_of_species(system, 0, lower, {});
    add_of_species(system, 1, lower + (apart / norm(pair.upwards)) * pair.upwards, {});
    return system;
}

double overlap_of_pair(const FallingRun& run) {
    const Vec3 r = run.particles().motion[1].position - run.particles().motion[0].position;
    return 2 * sphere_radius - norm(r);
}

void expect_to_part(const SunkenPlace& place, const SunkenPair& pair) {
    EngineOptions options;
    options.contact_cap = 20000;
    FallingRun run(system_of_pair(place, pair), options);
    const auto what = [&] {
        return place.name + ", overlap " + std::to_string(pair.overlap) + ", mass " +
               std::to_string(pair.upper_mass) + ", x " + std::to_string(pair.upwards.x) + ", restitution " +
               std::to_string(pair.restitution) + ", dt " + std::to_string(pair.dt);
    };
    const double energy = run.energy();
    for (double time = 0; time < 2; time += pair.dt) run.step();
    // Equal ones that lose nothing, exactly above each other, hop together: the ground gives back what parts them.
    const bool are_alike = pair.upper_mass == 1 && pair.restitution == 1 && pair.upwards.x == 0;
    EXPECT_TRUE(are_alike || overlap_of_pair(run) <= 1e-9) << what() << ": " << overlap_of_pair(run);
    const double to_lift = weight * std::max(1.0, pair.upper_mass) * 2 * sphere_radius * pair.overlap;
    EXPECT_LE(run.energy() - energy, 10 * to_lift) << what();
}

TEST(SunkenPairs, PartOnAnyGround) {
    for (const SunkenPlace& place : sunken_places()) {
        if (place.name == "box" || place.name == "ball" || place.name == "capsule")
            continue;  // they fall off
        for (const double overlap : {0.4, 0.01, 1e-6})
            for (const double upper_mass : {0.1, 1.0, 7.0})
                for (const Vec3 upwards : {Vec3{0, 0, 1}, Vec3{0.2, 0.1, 1}, Vec3{0.5, -1, 0.3}})
                    for (const double restitution : {1.0, 0.5})
                        for (const double dt : {0.2, 0.02})
                            expect_to_part(place, {overlap, upper_mass, upwards, restitution, dt});
    }
}

/// Momentum stays, and the energy of the two has 9/8 of what lifts the upper one out.
TEST(SunkenPairs, PartWithTheEnergyOfTheRise) {
    const SunkenPlace floor = sunken_places().front();
    const SunkenPair pair{0.1, 3, {0, 0, 1}, 1, 1e-4};
    System system = system_of_pair({floor.name, {}, {2, 2, 2}}, pair);
    system.particles.motion[1].velocity = {0.3, 0, -1e-3};
    FallingRun run(system);
    ASSERT_EQ(run.step().size(), 1u);
    const Vec3 low = run.particles().motion[0].velocity, high = run.particles().motion[1].velocity;
    EXPECT_NEAR(low.z + 3 * high.z, -3e-3 - 4 * weight * pair.dt, 1e-12);
    EXPECT_EQ(high.x, 0.3);
    const double relative = high.z - low.z, reduced_mass = 3.0 / 4;
    EXPECT_NEAR(0.5 * reduced_mass * relative * relative, 9.0 / 8 * 3 * weight * 0.02, 1e-12);
}

}  // namespace
}  // namespace ricochet::test
