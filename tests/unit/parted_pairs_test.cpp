// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs that would react at a distance: they do not through the surface of a body that neither of them passes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/brownian.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_runs.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double radius = 0.5, gap = 1e-9;

/// Two spheres, nearly in contact and at rest, on both sides of a place. They react in every step: from this gap
/// Brownian paths touch almost surely.
System pair_about(Vec3 place, Vec3 direction, std::vector<Body> bodies, int dimension = 3) {
    System system;
    system.name = bodies.empty() ? "nothing" : bodies.front().name;
    system.box = periodic_box({16, 16, dimension == 2 ? 0.0 : 16.0});
    system.dt = 0.5;
    system.world = world_with({{radius, 0.5, 0.5}, {radius, 0.5, 0.5}}, dimension, Bounce{});
    make_brownian(*system.world, 0.5, system.dt);
    React end{0, nothing};
    end.rate = infinite;
    set_pair(*system.world, 0, 1, end, 0);
    system.world->bodies = std::move(bodies);
    const Vec3 half = ((radius + 0.5 * gap) / norm(direction)) * direction;
    add_of_species(system, 0, place - half);
    add_of_species(system, 1, place + half);
    return system;
}

/// In one step; the same with all searches, as the reference has it.
std::size_t num_reactions(const System& system) {
    const SolvedSystem solved = solve(system);
    expect_bits_of_searches(solved);
    System run = system;
    std::size_t count = 0;
    for (const Contact& contact : run_step(run, 0).contacts) count += contact.effect == ContactEffect::react;
    return count;
}

struct Scene {
    Body body;
    Vec3 place, direction;
    int dimension = 3;
};

/// Bodies through which the way of a pair leads.
std::vector<Scene> scenes() {
    constexpr BodySide both = BodySide::both;
    return {{{"plane", BodyPlane{{8, 8, 8}, {1, 0, 0}}, both}, {8, 8, 8}, {1, 0.1, 0}},
            {{"plate", BodyBox{{7.99, 2, 2}, {8.01, 14, 14}}}, {8, 8, 8}, {1, 0, 0.2}},
            {{"ball", BodySphere{{8, 8, 8}, 3}, both}, {11, 8, 8}, {1, 0.1, 0}},
            {{"capsule", BodyCapsule{{8, 8, 6}, {8, 8, 10}, 3}, both}, {8, 11, 8}, {0, 1, 0.1}},
            {{"cylinder", BodyCylinder{{8, 8, 8}, {0, 0, 1}, 3}, both}, {5, 8, 8}, {1, 0, 0}},
            {{"crate", BodyBox{{5, 5, 5}, {11, 11, 11}}, both}, {8, 8, 11}, {0.1, 0, 1}},
            {{"rectangle", BodyBox{{5, 5, 0}, {11, 11, 0}}, both}, {8, 11, 0}, {0.1, 1, 0}, 2},
            {{"beads", BodySpheres{{{{8, 8, 8}, 0.01}, {{8, 8, 9}, 0.01}}}}, {8, 8, 8}, {1, 0, 0}},
            {{"across the face", BodySphere{{14, 8, 8}, 2.25}, both}, {0.25, 8, 8}, {1, 0, 0}},
            {{"of an image", BodyBox{{12, 2, 2}, {17, 14, 14}}, both}, {1, 8, 8}, {-1, 0, 0}}};
}

TEST(PartedPairs, DoNotReactThroughBodies) {
    for (const Scene& scene : scenes()) {
        const System parted = pair_about(scene.place, scene.direction, {scene.body}, scene.dimension);
        EXPECT_EQ(num_reactions(parted), 0u) << scene.body.name;
        const System alone = pair_about(scene.place, scene.direction, {}, scene.dimension);
        EXPECT_EQ(num_reactions(alone), 1u) << scene.body.name;
    }
}

TEST(PartedPairs, ReactBesideBodies) {
    for (const Scene& scene : scenes()) {
        if (scene.body.name == "beads") continue;
        const Vec3 along = scene.dimension == 2 ? Vec3{1, 0, 0} : Vec3{0.1, 0.2, 1};
        const Vec3 beside = scene.place - (2.0 / norm(scene.direction)) * scene.direction;
        EXPECT_EQ(num_reactions(pair_about(beside, along, {scene.body}, scene.dimension)), 1u)
            << scene.body.name;
    }
}

/// One is enough. What passes at a rate passes too rarely to react within the same step.
TEST(PartedPairs, ReactWhereOneAlwaysPasses) {
    for (const Scene& scene : scenes())
        for (const SpeciesIndex passing : {SpeciesIndex{0}, SpeciesIndex{1}})
            for (const double rate : {1e-6, infinite}) {
                if (scene.body.side != BodySide::both) continue;
                System system = pair_about(scene.place, scene.direction, {scene.body}, scene.dimension);
                system.world->rules.push_back(
                    {passing, wall_species, Pass{.rate = rate}, 1, {static_cast<BodyNumber>(first_body)}});
                EXPECT_EQ(num_reactions(system), rate < 1 ? 0u : 1u) << scene.body.name << ", " << rate;
            }
}

/// A receptor at rest has its centre in the surface, but for rounding, and is reached from both sides.
TEST(PartedPairs, ReactWithReceptorsInSurfaces) {
    for (const Scene& scene : scenes())
        for (const double side : {1.0, -1.0}) {
            if (scene.body.side != BodySide::both) continue;
            const Vec3 way = ((side * (2 * radius + gap)) / norm(scene.direction)) * scene.direction;
            System system = pair_about(scene.place, scene.direction, {scene.body}, scene.dimension);
            system.world->species[1].frozen_axes = all_axes;
            system.particles.resize(0);
            add_of_species(system, 1, scene.place);
            add_of_species(system, 0, scene.place + way);
            EXPECT_EQ(num_reactions(system), 1u) << scene.body.name << ", " << side;
        }
}

/// How many particles are left after many steps.
std::size_t num_left(System system) {
    constexpr int num_steps = 100;
    const double dt = system.dt;
    EngineRun run(std::move(system));
    for (std::uint64_t step = 0; step < num_steps; ++step) {
        drive_brownian(run.particles(), 3, dt, 17, step);
        run.run(1);
    }
    return run.particles().size();
}

/// Particles on both sides of a vesicle.
TEST(PartedPairs, NoneReactsThroughAVesicle) {
    System system = empty_system("vesicle", periodic_box({8, 8, 8}), 0.005);
    system.world = world_with({{0.05, 0.5 * system.dt, 1}, {0.05, 0.5 * system.dt, 1}}, 3, Pass{});
    make_brownian(*system.world, system.dt, system.dt);
    set_pair(*system.world, 0, 1, React{.first = 0, .products = nothing, .rate = infinite}, 0);
    system.world->bodies = {{"vesicle", BodySphere{{4, 4, 4}, 3}, BodySide::both}};
    HashRandom random(5);
    while (system.particles.size() < 800) {
        const Vec3 x{random.uniform(0, 8), random.uniform(0, 8), random.uniform(0, 8)};
        const double away = norm(x - Vec3{4, 4, 4});
        if (std::abs(away - 3) > 0.05) add_of_species(system, away < 3 ? 0 : 1, x);
    }
    const std::size_t count = system.particles.size();
    EXPECT_EQ(num_left(system), count);
    system.world->bodies.clear();
    EXPECT_LT(num_left(std::move(system)), count - 20);
}

}  // namespace
}  // namespace ricochet::test
