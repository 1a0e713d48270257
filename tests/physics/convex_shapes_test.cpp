// SPDX-License-Identifier: BSD-3-Clause
//
// Convex bodies that do not turn, through the engine: parallel hard cubes against their virial series, lattices whose
// cubes touch, and cubes that are faster than a plate is thick.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/polytope.hpp"
#include "geometry/shape_table.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"

namespace ricochet::test {
namespace {

std::vector<Vec3> corners_of_box(Vec3 edges) {
    std::vector<Vec3> corners;
    corners.reserve(8);
    for (int k = 0; k < 8; ++k)
        corners.push_back(
            {((k & 1) - 0.5) * edges.x, ((k >> 1 & 1) - 0.5) * edges.y, ((k >> 2 & 1) - 0.5) * edges.z});
    return corners;
}

/// Cubes of edge 1 on the sites of a simple lattice, at kT = 1; above them the box is empty.
System cubes_on_lattice(int n, Vec3 spacing, double dt, double empty = 0) {
    const Box box = periodic_box({n * spacing.x, n * spacing.y, n * spacing.z + empty});
    System system = system_of("cubes", box, dt, {{1, 1}});
    Species& cube = system.world->species.front();
    cube.corners = corners_of_box({1, 1, 1});
    cube.radius = (1 + 1e-12) * bounding_radius(cube.corners);
    for (const Vec3 site : lattice_sites({n, n, n}, 0.5 * spacing, spacing)) add_of_species(system, 0, site);
    thermalise(system, 1, 7);
    shuffle_ids(system, 11);
    return system;
}

/// How deep the deepest pair overlaps; 0 where none does. O(N^2).
double deepest_overlap(const System& system) {
    const ShapeTable shapes(world_of(system));
    const ImageLengths images(system.box);
    const Particles& particles = system.particles;
    double deepest = 0;
    for (std::size_t i = 0; i < particles.size(); ++i)
        for (std::size_t j = i + 1; j < particles.size(); ++j) {
            const Vec3 r = minimum_image(particles.motion[j].position - particles.motion[i].position, images);
            if (norm(r) > particles.attributes[i].radius + particles.attributes[j].radius) continue;
            const double gap = shapes.gap(r, particles.attributes[i], particles.attributes[j]).distance;
            deepest = std::max(deepest, -gap);
        }
    return deepest;
}

/// Z of parallel cubes by the virial coefficients up to the seventh, in volumes of a cube: W. G. Hoover & A. G. De
/// Rocco, J. Chem. Phys. 36, 3141 (1962).
double compressibility_of_cubes(double fraction) {
    constexpr double virial[] = {4, 9, 34.0 / 3, 3.15972, -18.87963, -43.50543};
    double z = 0;
    for (std::size_t k = std::size(virial); k-- > 0;) z = (z + virial[k]) * fraction;
    return 1 + z;
}

void expect_virial_series(double collisions_per_particle) {
    constexpr double fraction = 0.2;
    constexpr int n = 10;
    const double spacing = std::cbrt(1 / fraction);
    EngineRun gas(cubes_on_lattice(n, {spacing, spacing, spacing}, 0.2));
    const Totals before = totals(gas.particles());
    gas.run_collisions(50);
    const CollisionSums sums = gas.run_collisions(collisions_per_particle);
    const double excess = sums.excess_compressibility(3, gas.particles().size(), 1, gas.elapsed());
    const double error = 1.3 / std::sqrt(static_cast<double>(sums.num_pair));
    const double expected = compressibility_of_cubes(fraction);
    testing::Test::RecordProperty("Z", std::to_string(1 + excess));
    EXPECT_NEAR(expected, 2.2469, 5e-5);
    EXPECT_NEAR(1 + excess, expected, 4 * error * (expected - 1) + 1e-3 * expected);
    const Totals after = totals(gas.particles());
    EXPECT_NEAR(after.energy / before.energy, 1, 1e-12);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-12 * before.mass_velocity);
    EXPECT_LT(deepest_overlap(gas.system()), 1e-12);
}

TEST(ParallelCubes, HaveTheirPressure) { expect_virial_series(300); }

TEST(LongParallelCubes, HaveTheirPressure) { expect_virial_series(6000); }

/// Along z they touch from the start.
TEST(ParallelCubes, MayTouchAtTheStart) {
    EngineRun columns(cubes_on_lattice(6, {1.7, 1.7, 1}, 0.1, 3));
    const CollisionSums sums = columns.run_collisions(1000);
    EXPECT_GE(sums.num_pair, 1e5);
    EXPECT_LT(deepest_overlap(columns.system()), 1e-12);
}

/// They fill all but 1e-9 of the box.
TEST(ParallelCubes, MayFillTheBox) {
    const double spacing = 1 + 1e-9 / 3;
    EngineRun full(cubes_on_lattice(5, {spacing, spacing, spacing}, 1e-9));
    const CollisionSums sums = full.run_collisions(250);
    EXPECT_GE(sums.num_pair, 125u * 100);
    EXPECT_LT(deepest_overlap(full.system()), 1e-12);
}

/// A plate at rest closes the box; cubes fly six of their edges in a step.
TEST(ParallelCubes, NeverPassAPlate) {
    HashRandom random(13);
    System system = system_of("plate", walled_box({24, 12, 12}), 1, {{1, 1}, {1, 1}}, Bounce{}, 40);
    World& world = *system.world;
    const std::vector<Vec3> shapes[] = {corners_of_box({0.05, 5.9, 5.9}), corners_of_box({1, 1, 1})};
    for (SpeciesIndex k = 0; k < 2; ++k) {
        world.species[k].corners = shapes[k];
        world.species[k].radius = (1 + 1e-12) * bounding_radius(shapes[k]);
    }
    world.species[0].frozen_axes = 7;
    for (const double y : {3.0, 9.0})
        for (const double z : {3.0, 9.0}) {
            add_of_species(system, 0, {12, y, z});
            system.particles.attributes.edit(system.particles.size() - 1).frozen_axes = 7;
        }
    const std::size_t first_cube = system.particles.size();
    for (const Vec3 site : lattice_sites({4, 4, 4}, {1.5, 1.5, 1.5}, {2.5, 3, 3}))
        add_of_species(system, 1, site, 6 * random.normal_vector(3));
    EngineRun run(system);
    const CollisionSums sums = run.run(system.num_steps);
    EXPECT_GE(sums.num_pair, 1000u);
    for (std::size_t k = first_cube; k < run.particles().size(); ++k)
        EXPECT_LT(run.particles().motion[k].position.x, 12 - 0.5 - 0.025 + 1e-12);
}

}  // namespace
}  // namespace ricochet::test
