// SPDX-License-Identifier: BSD-3-Clause
//
// Starts of particles that are no spheres: none overlaps another or a wall, though the spheres around them may, and the
// particles are the same on any number of ranks.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "geometry/polytope.hpp"
#include "geometry/shape_table.hpp"
#include "parallel/serial_exchange.hpp"
#include "placement/placement.hpp"
#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

Species hull_of(const std::vector<Vec3>& points, int dimension, std::uint64_t count) {
    const Polytope hull = centred(*convex_hull(points, dimension));
    Species species = particles_of((1 + 1e-12) * bounding_radius(hull.corners), count);
    species.corners = hull.corners;
    species.content = hull.volume;
    return species;
}

Species box_of(Vec3 edges, std::uint64_t count) {
    const int dimension = edges.z == 0 ? 2 : 3;
    std::vector<Vec3> points;
    for (int k = 0; k < (dimension == 2 ? 4 : 8); ++k)
        points.push_back({(k & 1) * edges.x, (k >> 1 & 1) * edges.y, (k >> 2 & 1) * edges.z});
    return hull_of(points, dimension, count);
}

Species pyramid(double base, double height, std::uint64_t count) {
    const double half = base / 2;
    return hull_of({{-half, -half, 0}, {half, -half, 0}, {-half, half, 0}, {half, half, 0}, {0, 0, height}},
                   3, count);
}

Particles start_on(int num_ranks, const Place& place) {
    Particles result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const Particles all = gathered(place(exchange).particles, exchange);
        if (exchange.rank() == 0) result = all;
    });
    return result;
}

/// The least gap of any two, over the sum of the radii of the spheres around them. All pairs.
double least_gap(const World& world, const Particles& particles) {
    const ShapeTable shapes(world);
    const ImageLengths images(world.box);
    double least = 1;
    for (std::size_t a = 0; a < particles.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Attributes of_a = particles.attributes[a], of_b = particles.attributes[b];
            const Vec3 r = minimum_image(particles.motion[b].position - particles.motion[a].position, images);
            const double radii = of_a.radius + of_b.radius;
            const double gap = shapes.has_shape(of_a.species, of_b.species)
                                   ? shapes.gap(r, of_a, of_b).distance
                                   : norm(r) - radii;
            least = std::min(least, gap / radii);
        }
    return least;
}

void expect_within_walls(const World& world, const Particles& particles) {
    const ShapeTable shapes(world);
    for (std::size_t k = 0; k < particles.size(); ++k)
        for (int wall = 0; wall < 2 * world.box.dimension; ++wall) {
            if (!world.box.has_walls(wall / 2)) continue;
            const double x = particles.motion[k].position[wall / 2];
            const double from_wall = wall % 2 == 0 ? x : world.box.size[wall / 2] - x;
            EXPECT_GE(from_wall,
                      shapes.distance_at_wall(particles.attributes[k], static_cast<BodyNumber>(wall)));
        }
}

std::string refusal(const Place& place) {
    try {
        start_on(1, place);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

Place at_random(const World& world) {
    return [world](Exchange& exchange) { return place_at_random(world, exchange); };
}
Place on_lattice(LatticeKind kind, const World& world) {
    return [kind, world](Exchange& exchange) { return place_on_lattice(kind, world, exchange); };
}

void expect_good_start(const World& world, const Place& place, double least) {
    const Particles start = start_on(1, place);
    ASSERT_GT(start.size(), 100u);
    EXPECT_GE(least_gap(world, start), least);
    expect_within_walls(world, start);
    for (const int num_ranks : {2, 3, 5})
        EXPECT_TRUE(same_bits(start_on(num_ranks, place), start)) << num_ranks;
}

TEST(ShapePlacement, AtRandomKeepsGaps) {
    const World mixture = start_world({3, {9, 8, 10}, {reflecting, periodic, reflecting}},
                                      {box_of({0.6, 0.6, 0.6}, 300), pyramid(0.7, 1.1, 200),
                                       particles_of(0.3, 200), box_of({1.2, 0.2, 0.7}, 200)});
    expect_good_start(mixture, at_random(mixture), 1e-13);
    const World flat =
        start_world(square(16, reflecting), {box_of({0.8, 0.8, 0}, 90), particles_of(0.4, 60)});
    expect_good_start(flat, at_random(flat), 1e-13);
}

/// The spheres around these cubes fill 0.9 of the box.
TEST(ShapePlacement, AtRandomIsDenserThanSpheres) {
    const World cubes = start_world(cube(10), {box_of({1, 1, 1}, 330)});
    expect_good_start(cubes, at_random(cubes), 1e-13);
}

TEST(ShapePlacement, AtRandomEndsWithoutRoom) {
    const World cubes = start_world(cube(10), {box_of({1, 1, 1}, 600)});
    const std::string message = refusal(at_random(cubes));
    EXPECT_EQ(message.substr(0, 92),
              "placement: got 600 particles, volume fraction 0.6, which random placement does not reach: it");
    EXPECT_NE(message.find("a lattice, or a start from a file"), std::string::npos) << message;
}

TEST(ShapePlacement, CubesFillALattice) {
    const double edge = 1 - 1e-9 / 3;
    const World cubes = start_world(cube(8), {box_of({edge, edge, edge}, 512)});
    expect_good_start(cubes, on_lattice(LatticeKind::sc, cubes), 0);
    const World squares = start_world(square(12), {box_of({edge, edge, 0}, 144)});
    expect_good_start(squares, on_lattice(LatticeKind::square, squares), 0);
    const World between_walls = start_world(cube(8, reflecting), {box_of({edge, edge, edge}, 512)});
    expect_good_start(between_walls, on_lattice(LatticeKind::sc, between_walls), 0);
}

/// Cubes are called particles beside bodies too.
TEST(ShapePlacement, BesideBodiesHasParticles) {
    World cubes = start_world(cube(8), {box_of({0.5, 0.5, 0.5}, 100)});
    cubes.bodies = {{"plate", BodyBox{{3, 3, 3}, {5, 5, 5}}}};
    SerialExchange exchange;
    const std::string note = place_on_lattice(LatticeKind::sc, cubes, exchange).notes.at(0);
    EXPECT_TRUE(note.starts_with("placement: 100 particles on ")) << note;
    cubes.species[0].count = 10'000;
    EXPECT_NE(refusal(on_lattice(LatticeKind::sc, cubes)).find("10000 particles"), std::string::npos);
}

/// Along z they touch: that leaves them two ways to move.
TEST(ShapePlacement, ColumnsMayTouch) {
    const World columns = start_world(cube(8), {box_of({0.8, 0.8, 1}, 512)});
    expect_good_start(columns, on_lattice(LatticeKind::sc, columns), -1e-12);
}

TEST(ShapePlacement, LatticesHaveRoomForAllKinds) {
    const World mixture =
        start_world(cube(8), {box_of({0.9, 0.9, 0.9}, 200), pyramid(0.9, 0.7, 200), particles_of(0.45, 112)});
    expect_good_start(mixture, on_lattice(LatticeKind::sc, mixture), 0);
    EXPECT_EQ(
        refusal(on_lattice(LatticeKind::sc, start_world(cube(8), {box_of({1, 1, 1}, 512)}))),
        "placement.type: got 512 particles, volume fraction 1, expected less than the whole box (those that "
        "touch all around cannot move)");
    EXPECT_EQ(
        refusal(on_lattice(LatticeKind::sc, start_world(cube(8), {box_of({0.9, 0.9, 1.1}, 512)}))),
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
    return refusal([&](Exchange& exchange) {
        const auto open = [&] { return std::make_unique<TableInMemory>(table); };
        return Placement{deal_from_file(open, rules, exchange, {}).particles, {}};
    });
}

TEST(ShapePlacement, FilesAreCheckedByGaps) {
    Species species = box_of({1, 1, 1}, 0);
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
    Species species = box_of({1, 1, 1}, 0);
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
