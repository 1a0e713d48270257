// SPDX-License-Identifier: BSD-3-Clause
//
// The checker of starts from files: what it fills in, and every kind of mistake with its exact message.
#include "placement/particle_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "model/size_distribution.hpp"
#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

constexpr auto periodic = Boundary::periodic;
constexpr auto reflecting = Boundary::reflecting;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const Box cube{3, {10, 10, 10}, {periodic, periodic, periodic}};

std::vector<Species> one_species() {
    Species species;
    species.name = "ball";
    species.radius = 0.5;
    species.mass = 2;
    species.diffusion = 3;
    return {species};
}

ParticleTable table_at(const std::vector<Vec3>& positions) {
    ParticleTable table;
    table.places.file = "start.h5md";
    for (const Vec3& x : positions) {
        Motion motion;
        motion.position = x;
        table.particles.push_back(motion, {}, {});
    }
    return table;
}

/// What rank 0 has of it.
StartFile distributed(const ParticleTable& table, const StartRules& rules, int num_ranks,
                      const DealOptions& options) {
    StartFile result;
    test::run_ranks(num_ranks, [&](Exchange& exchange) {
        const auto open = [&] { return std::make_unique<test::TableInMemory>(table); };
        StartFile mine = deal_from_file(open, rules, exchange, options);
        if (exchange.rank() == 0) result = std::move(mine);
    });
    return result;
}

StartFile checked(const ParticleTable& table, const Box& box = cube,
                  const std::vector<Species>& species = one_species()) {
    return distributed(table, {{.box = box, .species = species}}, 1, {});
}

std::string refusal_of(const ParticleTable& table, const StartRules& rules, int num_ranks,
                       const DealOptions& options) {
    try {
        distributed(table, rules, num_ranks, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// The same on any number of ranks and in blocks of any size.
std::string refusal(const ParticleTable& table, const Box& box = cube,
                    const std::vector<Species>& species = one_species()) {
    const StartRules rules{{.box = box, .species = species}};
    std::string expected = refusal_of(table, rules, 1, {});
    EXPECT_EQ(refusal_of(table, rules, 3, {}), expected);
    EXPECT_EQ(refusal_of(table, rules, 4, {.block_rows = 7 + table.particles.size() / 20}), expected);
    return expected;
}

TEST(CheckedStart, FillsInWhatTheFileLeavesOut) {
    const StartFile start = checked(table_at({{1, 1, 1}, {3, 10, 3}}));
    EXPECT_FALSE(start.has_velocities);
    ASSERT_EQ(start.particles.size(), 2u);
    EXPECT_EQ(start.particles.motion[1].id, 1u);
    EXPECT_EQ(start.particles.motion[1].position, (Vec3{3, 0, 3}));  // L along a periodic axis is 0
    const Attributes& attributes = start.particles.attributes[1];
    EXPECT_EQ(attributes.radius, 0.5);
    EXPECT_EQ(attributes.mass, 2);
    EXPECT_EQ(attributes.diffusion, 3);
    EXPECT_EQ(start.particles.track[1].origin, (Vec3{3, 10, 3}));
    EXPECT_EQ(start.particles.track[1].image, (TrackList::Image{0, 1, 0}));
}

TEST(CheckedStart, SaysThatAFileIsFlat) {
    const auto notes = [](double z, const Box& box) {
        return checked(table_at({{1, 1, 0}, {3, 3, z}}), box).notes;
    };
    EXPECT_THAT(notes(0, cube), testing::ElementsAre(testing::HasSubstr("all positions have z = 0")));
    EXPECT_THAT(notes(2, cube), testing::IsEmpty());
    EXPECT_THAT(notes(0, Box{2, {10, 10, 0}}), testing::IsEmpty());
}

TEST(CheckedStart, KeepsWhatTheFileGives) {
    ParticleTable table = table_at({{1, 1, 1}});
    table.has_id = table.has_radius = table.has_mass = table.has_velocity = table.has_image = true;
    table.particles.motion[0].id = 77;
    table.particles.motion[0].velocity = {1, -2, 3};
    table.particles.attributes.edit(0).radius = 0.25;
    table.particles.attributes.edit(0).mass = 9;
    table.particles.track.set_image(0, {1, -1, 0});
    const StartFile start = checked(table);
    EXPECT_TRUE(start.has_velocities);
    EXPECT_EQ(start.particles.motion[0].id, 77u);
    EXPECT_EQ(start.particles.motion[0].velocity, (Vec3{1, -2, 3}));
    EXPECT_EQ(start.particles.attributes[0].radius, 0.25);
    EXPECT_EQ(start.particles.attributes[0].mass, 9);
    EXPECT_EQ(start.particles.track[0].origin, (Vec3{11, -9, 1}));
}

/// Both are drawn from distributions.
TEST(CheckedStart, DrawsRadiiAndDiffusion) {
    std::vector<Species> species = one_species();
    species[0].radius_distribution = LogNormalRadius{0.3, 0.3, 0.1, 1};
    species[0].stokes_einstein = StokesEinstein{0.7, 2};
    const StartFile start = checked(table_at({{1, 1, 1}, {6, 6, 6}}), cube, species);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(start.particles.attributes[k].radius, radius_of(species[0], 1, k));
        EXPECT_EQ(start.particles.attributes[k].diffusion,
                  diffusion_of(species[0], start.particles.attributes[k].radius));
    }
}

TEST(CheckedStart, NamesOverlapsWithTheirGap) {
    EXPECT_EQ(
        refusal(table_at({{1, 1, 1}, {5, 5, 5}, {1.75, 1, 1}, {5, 5, 9.5}, {5, 5, 0.25}})),
        "start.h5md: row 2: particle 2 overlaps particle 0 of row 0: got a gap of -0.25, expected no less "
        "than 0\n"
        "start.h5md: row 4: particle 4 overlaps particle 3 of row 3: got a gap of -0.25, expected no less "
        "than 0");
    EXPECT_EQ(refusal(table_at({{1, 1, 1}, {1, 1, 1}})),
              "start.h5md: row 1: particle 1 overlaps particle 0 of row 0: got a gap of -1, expected no less "
              "than 0");
}

/// Up to rounding.
TEST(CheckedStart, TakesTouchingParticles) {
    EXPECT_EQ(refusal(table_at({{1, 1, 1}, {2, 1, 1}, {3 - 1e-12, 1, 1}})), "accepted");
    EXPECT_NE(refusal(table_at({{1, 1, 1}, {2 - 1e-8, 1, 1}})), "accepted");
}

TEST(CheckedStart, NamesTheFirstTenAndCountsTheRest) {
    const Box walls{3, {10, 10, 10}, {reflecting, periodic, periodic}};
    std::vector<Vec3> outside;
    for (int k = 0; k < 35; ++k) outside.push_back({-1.0 - k, 0, 0});
    const std::string message = refusal(table_at(outside), walls);
    const std::string expected =
        ", expected a centre at least its radius 0.5 from the walls at 0 and 10; add half of box.size to "
        "coordinates of a box about the origin\n";
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 10);
    EXPECT_EQ(message.find("start.h5md: row 0: x: got -1" + expected), 0u) << message;
    EXPECT_NE(message.find("\nstart.h5md: row 9: x: got -10" + expected +
                           "start.h5md: and 25 more particles outside the box"),
              std::string::npos)
        << message;
}

TEST(CheckedStart, RefusesCentresInWallsOrFarAway) {
    const Box box{3, {10, 10, 10}, {periodic, reflecting, periodic}};
    EXPECT_EQ(
        refusal(table_at({{1e11, 1, 1}, {1, 0.25, 1}, {1, 9.75, 5}, {1, 9.5, 1}, {1, 0.5, 5}}), box),
        "start.h5md: row 0: x: got 1e+11, expected a position less than 1e9 boxes of 10 away\n"
        "start.h5md: row 1: y: got 0.25, expected a centre at least its radius 0.5 from the walls at 0 and "
        "10\n"
        "start.h5md: row 2: y: got 9.75, expected a centre at least its radius 0.5 from the walls at 0 and "
        "10");
}

/// Along periodic axes; the unwrapped position stays that of the file.
TEST(CheckedStart, MovesPositionsIntoTheBox) {
    const StartFile start = checked(table_at({{-2, 25, 1}, {5, 5, 5}}));
    EXPECT_EQ(start.particles.motion[0].position, (Vec3{8, 5, 1}));
    EXPECT_EQ(start.particles.track[0].image, (TrackList::Image{-1, 2, 0}));
    EXPECT_EQ(start.particles.track[0].origin, (Vec3{-2, 25, 1}));
    EXPECT_EQ(start.notes, std::vector<std::string>{
                               "1 of 2 positions beyond the box were moved into it along periodic axes"});
}

TEST(CheckedStart, RefusesAnotherBoxAndOtherUnits) {
    ParticleTable table = table_at({{1, 1, 1}});
    table.claims.box = StatedBox{"box/edges", {10, 16, 10}, {}, false};
    EXPECT_EQ(refusal(table),
              "start.h5md: box/edges: got 10 x 16 x 10, expected 10 x 10 x 10 as box.size has");
    table.claims.box->edges = {10 * (1 + 0x1p-24), 10, 10};  // off by a rounding to float32
    EXPECT_EQ(refusal(table), "accepted");
    table.claims.box->is_skew = true;
    EXPECT_NE(refusal(table).find("edges are not along the axes"), std::string::npos);
    table.claims.box.reset();
    table.claims.units = {{"length", "nm"}};
    EXPECT_EQ(refusal(table), "accepted");
    StartRules rules{{.box = cube, .species = one_species()}};
    rules.units = {{"length", "um"}};
    EXPECT_EQ(
        refusal_of(table, rules, 3, {}),
        "start.h5md: unit of length: got nm, expected um as units.length has (the same word, if both mean "
        "one unit)");
    rules.units = {{"length", "nanometre"}};
    EXPECT_EQ(refusal_of(table, rules, 3, {}), "accepted");
}

/// A file that says periodic is refused between walls, unless its writers always say so. One that does not say so may
/// start a periodic box.
TEST(CheckedStart, ComparesBoundaries) {
    const Box slit{3, {10, 10, 10}, {periodic, reflecting, periodic}};
    ParticleTable table = table_at({{1, 1, 1}});
    table.claims.box = StatedBox{"Lattice", {10, 10, 10}};
    table.claims.box->boundary = {"pbc", "T T F", {true, true, false}};
    EXPECT_EQ(
        refusal(table, slit),
        "start.h5md: pbc: got T T F, expected walls along y as box.boundary has (a file without the word "
        "for periodic may start between walls)");
    EXPECT_THAT(checked(table).notes,
                testing::ElementsAre("the box is periodic along z, though the file has pbc: T T F"));
    table.claims.box->boundary.is_periodic_at = {true, false, true};
    EXPECT_THAT(checked(table, slit).notes, testing::IsEmpty());
    table.claims.box->boundary = {"box/boundary", "periodic", {true, true, true}, true};
    EXPECT_THAT(
        checked(table, slit).notes,
        testing::ElementsAre("the box has walls along y, though the file has box/boundary: periodic"));
}

TEST(CheckedStart, TakesOverlapsThatRulesAllow) {
    StartRules rules{{.box = cube, .species = one_species()}};
    rules.overlap_table = {true};
    const ParticleTable table = table_at({{3, 3, 3}, {3.5, 3, 3}});
    for (const int num_ranks : {1, 3})
        EXPECT_EQ(distributed(table, rules, num_ranks, {}).notes,
                  std::vector<std::string>{"1 pair overlaps, which contact rules allow"});
    EXPECT_NE(refusal(table), "accepted");
}

/// Up to their centres.
TEST(CheckedStart, TakesWhatRulesLetReachIn) {
    const Body peg{.name = "peg", .shape = BodySphere{{5, 5, 5}, 2}};
    StartRules rules{{.box = {3, {10, 10, 10}, {reflecting, periodic, periodic}},
                      .bodies = {peg},
                      .species = one_species()}};
    const auto told = [&](Vec3 at) { return refusal_of(table_at({{1, 1, 1}, at}), rules, 3, {}); };
    EXPECT_NE(told({9.75, 1, 5}).find("from the walls at 0 and 10"), std::string::npos);
    EXPECT_NE(told({5, 5, 7.25}).find("overlaps the body peg"), std::string::npos);
    rules.reach_table = {true};
    for (const int num_ranks : {1, 3})
        EXPECT_EQ(
            distributed(table_at({{1, 1, 1}, {9.75, 1, 5}, {5, 5, 7.25}, {9.5, 3, 5}}), rules, num_ranks, {})
                .notes,
            std::vector<std::string>{
                "2 of 4 particles reach into walls or bodies, which contact rules allow"});
    EXPECT_NE(told({10.25, 1, 5}).find("expected a centre between the walls at 0 and 10"), std::string::npos);
    EXPECT_NE(told({-0.75, 1, 5}).find("expected a centre between the walls at 0 and 10"), std::string::npos);
    EXPECT_NE(told({5, 5, 6.75}).find("where the centre is in the body peg"), std::string::npos);
    rules.world.bodies = {{"bead", BodySphere{{5, 5, 5}, 0.5}, BodySide::both}};
    EXPECT_NE(told({5, 5, 5.25}).find("where a radius of 0.5 does not fit into the body bead"),
              std::string::npos);
    rules.world.bodies = {{"ball", BodySphere{{5, 5, 5}, 0.75}, BodySide::both}};
    EXPECT_EQ(told({5, 5, 5.5}), "accepted");
}

/// Overlaps may be as deep as the rounding of the last digit, and no deeper.
TEST(CheckedStart, TakesOverlapsOfTheFilesRounding) {
    ParticleTable table = table_at({{3, 3, 3}, {3.999999, 3, 3}});
    EXPECT_NE(refusal(table), "accepted");
    table.claims.resolution = 1e-6;
    EXPECT_EQ(refusal(table), "accepted");
    table.claims.resolution = 1e-7;
    EXPECT_NE(refusal(table), "accepted");
    table.claims.resolution = 0.1;  // digits too coarse to tell
    EXPECT_NE(refusal(table), "accepted");
}

TEST(CheckedStart, RefusesValuesThatAreNotFinite) {
    ParticleTable table = table_at({{nan, 1, 1}, {1, infinity, 1}});
    table.has_velocity = true;
    table.particles.motion[1].velocity.z = -infinity;
    EXPECT_EQ(refusal(table),
              "start.h5md: row 0: x: got nan, expected a finite number\n"
              "start.h5md: row 1: y: got inf, expected a finite number\n"
              "start.h5md: row 1: vz: got -inf, expected a finite number");
}

/// And masses.
TEST(CheckedStart, RefusesSizesThatAreNotPositive) {
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}});
    table.has_radius = table.has_mass = true;
    table.particles.attributes.edit(0).radius = -0.5;
    table.particles.attributes.edit(0).mass = 1;
    table.particles.attributes.edit(1).radius = nan;
    table.particles.attributes.edit(1).mass = 0;
    EXPECT_EQ(refusal(table),
              "start.h5md: row 0: radius: got -0.5, expected a number > 0\n"
              "start.h5md: row 1: radius: got nan, expected a finite number > 0\n"
              "start.h5md: row 1: mass: got 0, expected a number > 0");
}

TEST(CheckedStart, RefusesAThirdCoordinateIn2D) {
    const Box box{2, {10, 10, 0}, {periodic, periodic, periodic}};
    EXPECT_EQ(refusal(table_at({{1, 1, 0}, {3, 3, 0.5}}), box),
              "start.h5md: row 1: z: got 0.5, expected 0 in two dimensions");
}

TEST(CheckedStart, RefusesRepeatedAndTooLargeIds) {
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}, {5, 5, 5}, {7, 7, 7}});
    table.has_id = true;
    table.particles.motion[0].id = 7;
    table.particles.motion[1].id = first_obstacle_id;
    table.particles.motion[2].id = first_obstacle_id - 1;
    table.particles.motion[3].id = 7;
    EXPECT_EQ(refusal(table),
              "start.h5md: row 1: id: got 9223372036854775808, expected a number below 2^63\n"
              "start.h5md: row 3: id: got 7, the id of row 0 too, expected ids to be unique");
}

TEST(CheckedStart, RefusesUnknownAndMissingSpecies) {
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}});
    table.has_species = true;
    table.particles.attributes.edit(1).species = 4;
    EXPECT_EQ(refusal(table),
              "start.h5md: row 1: species: got 4, expected an index below 1, the number of species");
    std::vector<Species> two = one_species();
    two.push_back(two[0]);
    EXPECT_EQ(refusal(table_at({{1, 1, 1}}), cube, two),
              "start.h5md: species: got none, expected the species of each particle, as the input has 2");
}

/// "slow" and "fast", in this order.
std::vector<Species> slow_and_fast() {
    std::vector<Species> species{one_species()[0], one_species()[0]};
    species[0].name = "slow";
    species[0].mass = 5;
    species[1].name = "fast";
    return species;
}

/// Whatever their numbers are in the file.
TEST(CheckedStart, FindsSpeciesByTheNamesOfTheFile) {
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}, {5, 5, 5}});
    table.has_species = true;
    table.species_names = {"fast", "absent", "slow"};
    table.particles.attributes.edit(1).species = 2;
    const StartFile start = checked(table, cube, slow_and_fast());
    EXPECT_EQ(start.particles.attributes[0].species, 1u);
    EXPECT_EQ(start.particles.attributes[1].species, 0u);
    EXPECT_EQ(start.particles.attributes[1].mass, 5);
    EXPECT_EQ(start.particles.attributes[2].species, 1u);
    EXPECT_FALSE(start.has_nameless_species);
}

TEST(CheckedStart, RefusesNamesThatTheInputLacks) {
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}, {5, 5, 5}});
    table.has_species = true;
    table.species_names = {"fast", "quick"};
    table.particles.attributes.edit(1).species = 1;
    table.particles.attributes.edit(2).species = 2;
    EXPECT_EQ(refusal(table, cube, slow_and_fast()),
              "start.h5md: row 1: species: got quick, expected one of slow, fast\n"
              "start.h5md: row 2: species: got 2, expected an index below 2, the number of species");
}

/// The upper end of a periodic axis is its lower end.
TEST(CheckedStart, TakesTheUpperEndAsZero) {
    EXPECT_EQ(checked(table_at({{10, 1, 1}})).particles.motion[0].position.x, 0);
}

TEST(CheckedStart, RefusesCountsOtherThanTheInputs) {
    std::vector<Species> species = one_species();
    species[0].count = 3;
    EXPECT_EQ(refusal(table_at({{1, 1, 1}, {3, 3, 3}}), cube, species),
              "start.h5md: got 2 particles of species ball, expected 3, its count in the input");
}

/// Without unique nearest ones.
TEST(CheckedStart, RefusesABoxWithoutImages) {
    const Box box{3, {10, 10, 2}, {periodic, periodic, periodic}};
    EXPECT_EQ(refusal(table_at({{1, 1, 1}, {3, 3, 1}}), box),
              "box.size: got 2 along the periodic axis z, expected more than 2, twice the largest contact "
              "distance, so that nearest images are unique");
}

/// For the smallest radius of the file.
TEST(CheckedStart, RefusesABoxOfCoarsePositions) {
    const Box box{3, {10, 1e6, 10}, {periodic, periodic, periodic}};
    ParticleTable table = table_at({{1, 1, 1}, {3, 3, 3}});
    table.has_radius = true;
    table.particles.attributes.edit(0).radius = 0.5;
    table.particles.attributes.edit(1).radius = 1.2e-4;
    EXPECT_EQ(refusal(table, box), "accepted");
    table.particles.attributes.edit(1).radius = 1.0e-4;
    EXPECT_EQ(
        refusal(table, box),
        "box.size: got 1e+06 along y, where positions are multiples of 1.11022e-10, expected at most "
        "900720, where they are 1e-06 of the smallest radius 0.0001; take a smaller box or larger particles");
}

/// One that is too small.
TEST(CheckedStart, NamesThePlaceOfASmallBox) {
    const StartRules rules{{.box = {3, {2, 10, 10}, {}}, .species = one_species()}, "gas.yaml:3:5"};
    EXPECT_THAT(refusal_of(table_at({{1, 1, 1}, {1, 5, 5}}), rules, 2, {}),
                testing::StartsWith("gas.yaml:3:5: box.size: got 2 along the periodic axis x"));
}

TEST(CheckedStart, ReportsAllKindsOfMistakesAtOnce) {
    ParticleTable table = table_at({{1, 1, nan}, {3, 3, 3}});
    table.has_id = table.has_species = true;
    table.particles.attributes.edit(0).species = 9;
    EXPECT_EQ(refusal(table),
              "start.h5md: row 1: id: got 0, the id of row 0 too, expected ids to be unique\n"
              "start.h5md: row 0: species: got 9, expected an index below 1, the number of species\n"
              "start.h5md: row 0: z: got nan, expected a finite number");
    EXPECT_EQ(
        refusal(table_at({{1, 1, 1}, {1.5, 1, 1}, {3e11, 1, 1}})),
        "start.h5md: row 2: x: got 3e+11, expected a position less than 1e9 boxes of 10 away\n"
        "start.h5md: row 1: particle 1 overlaps particle 0 of row 0: got a gap of -0.5, expected no less "
        "than 0");
}

/// A thousand of the five thousand million pairs are looked at, and the message says that there may be more.
TEST(CheckedStart, StopsWhenAllAreInOnePlace) {
    const std::string message = refusal(table_at(std::vector<Vec3>(100000, {5, 5, 5})));
    EXPECT_NE(message.find("start.h5md: and 990 more overlaps, at least"), std::string::npos) << message;
}

}  // namespace
}  // namespace ricochet
