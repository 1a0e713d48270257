// SPDX-License-Identifier: BSD-3-Clause
//
// Starts beside bodies: none overlaps a body, and the particles are the same on any number of ranks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/overlap_census.hpp"
#include "geometry/surface_patches.hpp"
#include "placement/placement.hpp"
#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

struct StartBesideBodies {
    Particles particles;
    std::vector<std::string> notes;
    std::uint64_t num_sites = 0;
};

template <class PlaceWorld>
StartBesideBodies start_beside_bodies(int num_ranks, const World& world, PlaceWorld&& place) {
    StartBesideBodies result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const Placement placement = place(world, exchange);
        const Particles all = gathered(placement.particles, exchange);
        if (exchange.rank() == exchange.size() - 1) result = {all, placement.notes, placement.num_sites};
    });
    return result;
}

Placement at_random(const World& world, Exchange& exchange) { return place_at_random(world, exchange); }
Placement on_simple_cubic(const World& world, Exchange& exchange) {
    return place_on_lattice(LatticeKind::sc, world, exchange);
}
Placement on_hexagonal(const World& world, Exchange& exchange) {
    return place_on_lattice(LatticeKind::hexagonal, world, exchange);
}

/// A cell with a ball in it, and a peg that stands in the wall.
World cell_world(const std::vector<Species>& species) {
    World world = start_world({3, {24, 14, 14}, {reflecting, reflecting, reflecting}}, species);
    world.bodies = {{"cell", BodyCapsule{{7, 7, 7}, {17, 7, 7}, 7}, BodySide::inside},
                    {"nucleoid", BodySphere{{12, 7, 7}, 3}, BodySide::outside},
                    {"pegs", BodySpheres{{{{4, 7, 7}, 1}, {{4.5, 7, 7}, 1}}}, BodySide::outside}};
    static const double volume = free_volume(world);  // takes longer than a start
    world.free_volume = volume;
    return world;
}

/// Beside a face of a periodic box, beyond which the body goes on.
World flat_world(const std::vector<Species>& species) {
    World world = start_world(square(20), species);
    world.bodies = {{"post", BodySphere{{0.5, 19, 0}, 3}, BodySide::outside},
                    {"bar", BodyBox{{8, 2, 0}, {9, 18, 0}}, BodySide::outside},
                    {"line", BodyPlane{{15, 0, 0}, {1, 0, 0}}, BodySide::both}};
    static const double volume = free_volume(world);
    world.free_volume = volume;
    return world;
}

void expect_good_start(const World& world, const StartBesideBodies& start) {
    EXPECT_EQ(start.particles.size(),
              world.species[0].count + (world.species.size() > 1 ? world.species[1].count : 0));
    const BodyRoom room(world);
    for (std::size_t k = 0; k < start.particles.size(); ++k)
        EXPECT_TRUE(room.keeps_off(start.particles.motion[k].position, start.particles.attributes[k].radius))
            << k;
    EXPECT_TRUE(find_overlaps(world.box, start.particles, 0, 10).empty());
}

template <class PlaceWorld>
void expect_same_on_all_ranks(const World& world, PlaceWorld&& place) {
    const StartBesideBodies one = start_beside_bodies(1, world, place);
    expect_good_start(world, one);
    for (const int num_ranks : {2, 3, 5, 7}) {
        const StartBesideBodies other = start_beside_bodies(num_ranks, world, place);
        EXPECT_TRUE(same_bits(one.particles, other.particles)) << num_ranks << " ranks";
        EXPECT_EQ(one.notes, other.notes);
        EXPECT_EQ(one.num_sites, other.num_sites);
    }
}

TEST(BodyPlacement, AtRandomKeepsOffBodies) {
    expect_same_on_all_ranks(cell_world({particles_of(0.5, 300), particles_of(1, 20)}), at_random);
    expect_same_on_all_ranks(flat_world({particles_of(0.4, 150)}), at_random);
}

TEST(BodyPlacement, OnLatticesKeepsOffBodies) {
    expect_same_on_all_ranks(cell_world({particles_of(0.5, 300), particles_of(0.3, 20)}), on_simple_cubic);
    expect_same_on_all_ranks(flat_world({particles_of(0.4, 150)}), on_hexagonal);
}

TEST(BodyPlacement, SaysWhatBodiesLeave) {
    const World world = cell_world({particles_of(0.5, 300)});
    const std::string random = start_beside_bodies(2, world, at_random).notes.at(0);
    EXPECT_TRUE(random.starts_with("placement: 300 spheres at random, volume fraction 0.0")) << random;
    EXPECT_NE(random.find(" of what bodies leave, in "), std::string::npos) << random;
    const StartBesideBodies start = start_beside_bodies(2, world, on_simple_cubic);
    const std::string lattice = start.notes.at(0);
    EXPECT_TRUE(
        lattice.starts_with("placement: 300 spheres on " + std::to_string(start.num_sites) + " of the "))
        << lattice;
    EXPECT_NE(lattice.find("; bodies are in the way of "), std::string::npos) << lattice;
    EXPECT_GE(start.num_sites, 300u);
}

TEST(BodyPlacement, ForecastsAreRight) {
    const World world = cell_world({particles_of(0.5, 300)});
    run_ranks(2, [&](Exchange& exchange) {
        EXPECT_EQ(foresee_random_placement(world, exchange).notes, place_at_random(world, exchange).notes);
        const auto lattice = place_on_lattice(LatticeKind::fcc, world, exchange);
        EXPECT_EQ(foresee_lattice_placement(LatticeKind::fcc, world, exchange).notes, lattice.notes);
    });
}

template <class PlaceWorld>
std::string refusal_beside_bodies(const World& world, PlaceWorld&& place) {
    std::string message;
    run_ranks(3, [&](Exchange& exchange) {
        try {
            place(world, exchange);
        } catch (const InputError& error) {
            if (exchange.rank() == 0) message = error.what();
        }
    });
    return message;
}

// The free volume decides, not that of the box. (Where random placement ends: dense_beside_bodies_test.cpp.)
TEST(BodyPlacement, RefusesWhatFindsNoRoom) {
    const std::string too_many = refusal_beside_bodies(cell_world({particles_of(1, 800)}), at_random);
    EXPECT_NE(too_many.find("more than bodies leave of the box"), std::string::npos) << too_many;
    const std::string lattice = refusal_beside_bodies(cell_world({particles_of(0.5, 2000)}), on_simple_cubic);
    EXPECT_TRUE(lattice.starts_with("placement.type: got the lattice sc for 2000 spheres beside bodies"))
        << lattice;
}

std::string refusal_of_file(const World& world, const std::vector<Vec3>& positions, int num_ranks) {
    ParticleTable table;
    table.places.file = "start.h5md";
    for (const Vec3& position : positions) {
        Motion motion;
        motion.position = position;
        table.particles.push_back(motion, {}, {});
    }
    std::string message = "accepted";
    run_ranks(num_ranks, [&](Exchange& exchange) {
        try {
            deal_from_file([&] { return std::make_unique<TableInMemory>(table); }, {world}, exchange);
        } catch (const InputError& error) {
            if (exchange.rank() == 0) message = error.what();
        }
    });
    return message;
}

TEST(BodyPlacement, FilesAreChecked) {
    const World world = cell_world({particles_of(0.5, 0)});
    for (const int num_ranks : {1, 3}) {
        EXPECT_EQ(refusal_of_file(world, {{7, 7, 7}, {8.5, 7, 7}}, num_ranks), "accepted");
        EXPECT_EQ(refusal_of_file(world, {{7, 7, 7}, {9, 7, 7}, {1, 1, 1}, {3, 7, 6}}, num_ranks),
                  "start.h5md: row 1: x: got 9 with y 7 and z 7, where a radius of 0.5 overlaps the body "
                  "nucleoid, expected a place clear of it\n"
                  "start.h5md: row 2: x: got 1 with y 1 and z 1, where a radius of 0.5 overlaps the body "
                  "cell, expected a place clear of it\n"
                  "start.h5md: row 3: x: got 3 with y 7 and z 6, where a radius of 0.5 overlaps the body "
                  "pegs, expected a place clear of it");
    }
}

/// Rods, boxes and vesicles everywhere, also across the faces.
World littered_world(int dimension) {
    World world = start_world(dimension == 3 ? cube(20) : square(20), {particles_of(0.5, 1)});
    world.box.boundary[1] = reflecting;
    for (std::uint64_t k = 0; k < 60; ++k) {
        const auto number = [&](std::uint64_t word) {
            return uniform_from(random_words({7, Stream::placement, word}, k, 0)[0]);
        };
        const double depth = dimension == 3 ? 1 : 0;
        const Vec3 at{20 * number(0), 20 * number(1), depth * 20 * number(2)};
        const Vec3 far = at + Vec3{4 * number(3), 3 * number(4) - 1, depth * 2 * number(5)};
        const BodySide side = k % 2 == 0 ? BodySide::both : BodySide::outside;
        if (k % 3 == 0) world.bodies.push_back({"rod", BodyCapsule{at, far, 0.2 + number(6)}, side});
        if (k % 3 == 1) world.bodies.push_back({"box", BodyBox{min(at, far), max(at, far)}, side});
        if (k % 3 == 2) world.bodies.push_back({"ring", BodySphere{at, 0.2 + number(6)}, BodySide::both});
    }
    return world;
}

/// The images of all bodies one by one.
bool is_off_all_images(const World& world, Vec3 centre, double radius) {
    for (const Body& body : world.bodies)
        for (int image = 0; image < 27; ++image) {
            Vec3 shift;
            for (int axis = 0, code = image; axis < 3; ++axis, code /= 3)
                if (world.box.is_periodic(axis)) shift[axis] = (code % 3 - 1) * world.box.size[axis];
            if (clearance(body, centre - shift) < radius) return false;
        }
    return true;
}

TEST(BodyRoom, AsksEveryImage) {
    for (const int dimension : {2, 3}) {
        const World world = littered_world(dimension);
        const BodyRoom room(world);
        std::size_t num_free = 0;
        for (std::uint64_t k = 0; k < 4'000; ++k) {
            const RandomWords words = random_words({8, Stream::placement, 0}, k, 0);
            const RandomWords more = random_words({8, Stream::placement, 0}, k, 1);
            const double depth = dimension == 3 ? 20 : 0;
            const Vec3 centre{20 * uniform_from(words[0]), 20 * uniform_from(words[1]),
                              depth * uniform_from(more[0])};
            const double radius = 2 * uniform_from(more[1]);
            EXPECT_EQ(room.keeps_off(centre, radius), is_off_all_images(world, centre, radius)) << k;
            num_free += room.keeps_off(centre, radius) ? 1 : 0;
        }
        EXPECT_GT(num_free, 400u);
        EXPECT_LT(num_free, 3'600u);
    }
}

/// A rule for a patch says nothing of the body, and of no other species.
TEST(BodyRoom, PassesWhateverTheOrderOfRules) {
    World world = flat_world({particles_of(0.5, 1), particles_of(0.5, 1)});
    world.bodies[2].patches = {{"p", {15, 10, 0}, 1}};
    const SpeciesRule passes{1, wall_species, Pass{}, 0, {first_body + 2}};
    const SpeciesRule reacts{0, wall_species, React{}, 1, {first_body + 3}};
    for (const std::vector<SpeciesRule>& rules : {std::vector{passes, reacts}, std::vector{reacts, passes}}) {
        world.rules = rules;
        const BodyRoom room(world);
        EXPECT_TRUE(room.keeps_off({15, 10, 0}, 0.5, 1));
        EXPECT_FALSE(room.keeps_off({15, 10, 0}, 0.5, 0));
        EXPECT_FALSE(room.keeps_off({8.5, 10, 0}, 0.5, 1));
    }
}

/// As the bodies do.
TEST(SurfacePatches, RepeatAlongPeriodicAxes) {
    World world = flat_world({particles_of(0.5, 1)});
    world.bodies[2].patches = {{"p", {15, 0, 0}, 1}};
    const SurfacePatches patches(world);
    const Obstacle line{.number = 0, .body = first_body + 2, .shape = {}};
    for (const double y : {0.5, -0.5, 19.5, 20.5, 40.0})
        EXPECT_EQ(patches.part_at(line, {15, y, 0}), first_body + 3) << y;
    for (const double y : {1.5, 10.0, 18.5, 21.5})
        EXPECT_EQ(patches.part_at(line, {15, y, 0}), first_body + 2) << y;
}

}  // namespace
}  // namespace ricochet::test
