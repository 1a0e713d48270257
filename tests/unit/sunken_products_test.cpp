// SPDX-License-Identifier: BSD-3-Clause
//
// What falls and reaches into a surface, as the product of a reaction may that is wider than what reacted: it leaves
// the surface, and touches it from above afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "geometry/obstacle.hpp"
#include "tests/support/falling_run.hpp"

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

}  // namespace
}  // namespace ricochet::test
