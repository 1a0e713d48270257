// SPDX-License-Identifier: BSD-3-Clause
//
// Starts of particles that are no spheres: none overlaps another or a wall, though the spheres around them may, and the
// particles are the same on any number of ranks.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "parallel/serial_exchange.hpp"
#include "placement/placement.hpp"
#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/shaped_starts.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

Place at_random(const World& world) {
    return [world](Exchange& exchange) { return place_at_random(world, exchange); };
}
Place on_lattice(LatticeKind kind, const World& world) {
    return [kind, world](Exchange& exchange) { return place_on_lattice(kind, world, exchange); };
}

void expect_good_start(const World& world, const Place& place, double least) {
    const Particles start = shapes_placed_on(1, place);
    ASSERT_GT(start.size(), 100u);
    EXPECT_GE(least_gap_of_shapes(world, start), least);
    expect_shapes_within_walls(world, start);
    for (const int num_ranks : {2, 3, 5})
        EXPECT_TRUE(same_bits(shapes_placed_on(num_ranks, place), start)) << num_ranks;
}

TEST(ShapePlacement, AtRandomKeepsGaps) {
    const World mixture = start_world({3, {9, 8, 10}, {reflecting, periodic, reflecting}},
                                      {brick({0.6, 0.6, 0.6}, 300), pyramid_of(0.7, 1.1, 200),
                                       particles_of(0.3, 200), brick({1.2, 0.2, 0.7}, 200)});
    expect_good_start(mixture, at_random(mixture), 1e-13);
    const World flat = start_world(square(16, reflecting), {brick({0.8, 0.8, 0}, 90), particles_of(0.4, 60)});
    expect_good_start(flat, at_random(flat), 1e-13);
}

/// The spheres around these cubes fill 0.9 of the box.
TEST(ShapePlacement, AtRandomIsDenserThanSpheres) {
    const World cubes = start_world(cube(10), {brick({1, 1, 1}, 330)});
    expect_good_start(cubes, at_random(cubes), 1e-13);
}

TEST(ShapePlacement, CubesFillALattice) {
    const double edge = 1 - 1e-9 / 3;
    const World cubes = start_world(cube(8), {brick({edge, edge, edge}, 512)});
    expect_good_start(cubes, on_lattice(LatticeKind::sc, cubes), 0);
    const World squares = start_world(square(12), {brick({edge, edge, 0}, 144)});
    expect_good_start(squares, on_lattice(LatticeKind::square, squares), 0);
    const World between_walls = start_world(cube(8, reflecting), {brick({edge, edge, edge}, 512)});
    expect_good_start(between_walls, on_lattice(LatticeKind::sc, between_walls), 0);
}

/// Cubes are called particles beside bodies too.
TEST(ShapePlacement, BesideBodiesHasParticles) {
    World cubes = start_world(cube(8), {brick({0.5, 0.5, 0.5}, 100)});
    cubes.bodies = {{"plate", BodyBox{{3, 3, 3}, {5, 5, 5}}}};
    SerialExchange exchange;
    const std::string note = place_on_lattice(LatticeKind::sc, cubes, exchange).notes.at(0);
    EXPECT_TRUE(note.starts_with("placement: 100 particles on ")) << note;
    cubes.species[0].count = 10'000;
    EXPECT_NE(refusal_of_shapes(on_lattice(LatticeKind::sc, cubes)).find("10000 particles"),
              std::string::npos);
}

/// Along z they touch: that leaves them two ways to move.
TEST(ShapePlacement, ColumnsMayTouch) {
    const World columns = start_world(cube(8), {brick({0.8, 0.8, 1}, 512)});
    expect_good_start(columns, on_lattice(LatticeKind::sc, columns), -1e-12);
}

TEST(ShapePlacement, LatticesHaveRoomForAllKinds) {
    const World mixture = start_world(
        cube(8), {brick({0.9, 0.9, 0.9}, 200), pyramid_of(0.9, 0.7, 200), particles_of(0.45, 112)});
    expect_good_start(mixture, on_lattice(LatticeKind::sc, mixture), 0);
    EXPECT_EQ(
        refusal_of_shapes(on_lattice(LatticeKind::sc, start_world(cube(8), {brick({1, 1, 1}, 512)}))),
        "placement.type: got 512 particles, volume fraction 1, expected less than the whole box (those that "
        "touch all around cannot move)");
    EXPECT_EQ(
        refusal_of_shapes(on_lattice(LatticeKind::sc, start_world(cube(8), {brick({0.9, 0.9, 1.1}, 512)}))),
        "placement.type: got the lattice sc of 512 particles with a spacing of 1 in this box, on which some "
        "overlap, expected fewer or smaller ones; at most 448 fit on it");
}

ParticleTable table_of(const std::vector<Vec3>& positions) {
    ParticleTable table;
    table.places.file = "start.csv";
    for (const Vec3& x : positions) {
        Motion motion;
        motion.position = x;
        table.particles.push_back(motion, {}, {});
    }
    return table;
}

std::string file_refusal(const World& world, const ParticleTable& table) {
    const StartRules rules{world};
    return refusal_of_shapes([&](Exchange& exchange) {
        const auto open = [&] { return std::make_unique<TableInMemory>(table); };
        return Placement{deal_from_file(open, rules, exchange, {}).particles, {}};
    });
}

TEST(ShapePlacement, FilesAreCheckedByGaps) {
    Species species = brick({1, 1, 1}, 0);
    species.name = "cube";
    const World periodic_world = start_world(cube(8), {species});
    EXPECT_EQ(file_refusal(periodic_world, table_of({{1, 1, 1}, {2, 1, 1}, {1, 2, 2}, {7.5, 7.99, 1.5}})),
              "no error");
    EXPECT_EQ(
        file_refusal(periodic_world, table_of({{1, 1, 1}, {1.75, 1.5, 1.5}})),
        "start.csv: row 1: particle 1 overlaps particle 0 of row 0: got a gap of -0.25, expected no less "
        "than 0");
    const World walled = start_world(cube(8, reflecting), {species});
    EXPECT_EQ(file_refusal(walled, table_of({{0.5, 0.5, 7.5}})), "no error");
    EXPECT_EQ(
        file_refusal(walled, table_of({{0.4, 0.5, 7.5}})),
        "start.csv: row 0: x: got 0.4, expected a centre at least 0.5 and 0.5 from the walls at 0 and 8");
}

TEST(ShapePlacement, FilesHaveNoOtherRadius) {
    Species species = brick({1, 1, 1}, 0);
    species.name = "cube";
    const World world = start_world(cube(8), {species});
    ParticleTable table = table_of({{1, 1, 1}});
    table.has_radius = true;
    table.particles.attributes.edit(0).radius = std::sqrt(0.75);
    EXPECT_EQ(file_refusal(world, table), "no error");
    table.particles.attributes.edit(0).radius = 0.5;
    EXPECT_EQ(file_refusal(world, table).substr(0, 99),
              "start.csv: row 0: radius: got 0.5 of species cube, which has a shape, expected none, or "
              "0.866025403");
}

}  // namespace
}  // namespace ricochet::test
