// SPDX-License-Identifier: BSD-3-Clause
//
// Dense starts beside bodies: no overlap, nothing on a wrong side, and the same for every number of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <variant>
#include <vector>

#include "geometry/body_push.hpp"
#include "geometry/body_room.hpp"
#include "geometry/overlap_census.hpp"
#include "placement/dense_placement.hpp"
#include "placement/placement.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

struct BodyCase {
    std::string name;
    Box box;
    std::vector<Body> bodies;
    std::vector<Species> species;
    double fraction = 0;  ///< which random placement does not reach
    std::vector<SpeciesRule> rules{};

    friend void PrintTo(const BodyCase& c, std::ostream* out) { *out << c.name; }
};

Species log_normal_sizes(double median, std::uint64_t count) {
    Species species = particles_of(0, count);
    species.radius_distribution = LogNormalRadius{median, 0.2, 0.3 * median, 2.5 * median};
    return species;
}

BodySpheres rows_of_pegs(int dimension) {
    BodySpheres pegs;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            pegs.spheres.push_back({{1.0 + 3 * k, 2.0 + 4 * j, dimension == 2 ? 0 : 1.5 * j}, 0.3 + 0.2 * k});
    return pegs;
}

constexpr auto side_in = BodySide::inside, side_out = BodySide::outside, side_both = BodySide::both;

const Box cube_of_12 = cube(12), walled_cube_of_12 = cube(12, reflecting);
const Box square_of_20 = square(20), walled_square_of_20 = square(20, reflecting);
const Box rod_of_9_9_12{3, {9, 9, 12}, {reflecting, reflecting, periodic}};

const std::vector<Species> of_one_size{particles_of(0.5, 40)};
const std::vector<Species> of_two_sizes{particles_of(0.5, 100), particles_of(0.7, 100)};
const std::vector<Species> of_many_sizes{log_normal_sizes(0.5, 100)};

std::vector<BodyCase> cases_in_space() {
    const Vec3 middle{6, 6, 6};
    return {{"ball_out", cube_of_12, {{"b", BodySphere{{1, 11, 6}, 4}, side_out}}, of_one_size, 0.5},
            {"ball_in", walled_cube_of_12, {{"b", BodySphere{middle, 6}, side_in}}, of_two_sizes, 0.45},
            {"vesicle", cube_of_12, {{"b", BodySphere{middle, 4}, side_both}}, of_many_sizes, 0.48},
            {"capsule_out",
             walled_cube_of_12,
             {{"b", BodyCapsule{{3, 6, 6}, {9, 7, 6}, 2}, side_out}},
             of_many_sizes,
             0.45},
            {"cell",
             rod_of_9_9_12,
             {{"b", BodyCapsule{{4.5, 4.5, 4.5}, {4.5, 4.5, 7.5}, 4.5}, side_in}},
             of_one_size,
             0.42},
            {"capsule_both",
             cube_of_12,
             {{"b", BodyCapsule{{4, 6, 6}, {8, 6, 6}, 3}, side_both}},
             of_two_sizes,
             0.46},
            {"cylinder_out",
             rod_of_9_9_12,
             {{"b", BodyCylinder{{4.5, 4, 0}, {0, 0, 1}, 1.5}, side_out}},
             of_two_sizes,
             0.45},
            {"cylinder_in",
             rod_of_9_9_12,
             {{"b", BodyCylinder{{4.5, 4.5, 0}, {0, 0, 1}, 4.4}, side_in}},
             of_many_sizes,
             0.45},
            {"cylinder_both",
             cube_of_12,
             {{"b", BodyCylinder{middle, {1, 0, 0}, 3}, side_both}},
             of_one_size,
             0.46},
            {"box_out", cube_of_12, {{"b", BodyBox{{-1, 5, 2}, {4, 7, 9}}, side_out}}, of_two_sizes, 0.48},
            {"box_in",
             walled_cube_of_12,
             {{"b", BodyBox{{1, 2, 1}, {11, 9, 10.5}}, side_in}},
             of_many_sizes,
             0.45},
            {"box_both", cube_of_12, {{"b", BodyBox{{2, 3, 3}, {8, 9, 10}}, side_both}}, of_one_size, 0.42},
            {"plane_out",
             walled_cube_of_12,
             {{"b", BodyPlane{{2, 2, 2}, {0.6, 0.8, 0}}, side_out}},
             of_many_sizes,
             0.45},
            {"plane_both",
             walled_cube_of_12,
             {{"b", BodyPlane{middle, {0.48, 0.64, 0.6}}, side_both}},
             of_two_sizes,
             0.42},
            {"pegs", cube_of_12, {{"b", rows_of_pegs(3), side_out}}, of_one_size, 0.5},
            {"nucleoid",
             rod_of_9_9_12,
             {{"cell", BodyCapsule{{4.5, 4.5, 4.5}, {4.5, 4.5, 7.5}, 4.5}, side_in},
              {"nucleoid", BodySphere{{4.5, 4.5, 6}, 2}, side_out},
              {"line", BodyPlane{{4.5, 4.5, 6}, {1, 0, 0}}, side_both}},
             {particles_of(0.3, 100)},
             0.4}};
}

std::vector<BodyCase> cases_in_the_plane() {
    const Vec3 middle{10, 10, 0};
    const Body stadium_in{"b", BodyCapsule{{8, 10, 0}, {12, 10, 0}, 7}, side_in};
    return {{"disc_out", square_of_20, {{"b", BodySphere{{0.5, 19, 0}, 3}, side_out}}, of_two_sizes, 0.74},
            {"disc_in", walled_square_of_20, {{"b", BodySphere{middle, 9}, side_in}}, of_many_sizes, 0.65},
            {"disc_both", square_of_20, {{"b", BodySphere{middle, 6}, side_both}}, of_one_size, 0.66},
            {"stadium_out",
             walled_square_of_20,
             {{"b", BodyCapsule{{5, 5, 0}, {9, 12, 0}, 3}, side_out}},
             of_one_size,
             0.66},
            {"stadium_in", walled_square_of_20, {stadium_in}, of_two_sizes, 0.66},
            {"rectangle_out",
             square_of_20,
             {{"b", BodyBox{{8, 2, 0}, {10, 18, 0}}, side_out}},
             of_many_sizes,
             0.66},
            {"rectangle_in",
             walled_square_of_20,
             {{"b", BodyBox{{2, 2, 0}, {18, 12, 0}}, side_in}},
             of_two_sizes,
             0.68},
            {"rectangle_both",
             square_of_20,
             {{"b", BodyBox{{4, 4, 0}, {15, 12, 0}}, side_both}},
             of_one_size,
             0.62},
            {"line_both",
             walled_square_of_20,
             {{"b", BodyPlane{middle, {0.6, 0.8, 0}}, side_both}},
             of_many_sizes,
             0.66},
            {"pegs_in_the_plane", square_of_20, {{"b", rows_of_pegs(2), side_out}}, of_two_sizes, 0.7}};
}

std::vector<BodyCase> body_cases() {
    std::vector<BodyCase> all = cases_in_space();
    for (const BodyCase& c : cases_in_the_plane()) all.push_back(c);
    Species resting = particles_of(0.6, 60);
    resting.frozen_axes = 7;
    all.push_back({"membrane",
                   cube_of_12,
                   {{"membrane", BodySphere{{6, 6, 6}, 4}, side_both}},
                   {particles_of(0.5, 60), resting},
                   0.48,
                   {{0, wall_species, Pass{}, 0, {first_body}}}});
    return all;
}

/// With as many particles as fill this fraction of what bodies leave.
World world_beside(const BodyCase& of) {
    World world = start_world(of.box, of.species);
    world.bodies = of.bodies;
    world.rules = of.rules;
    world.free_volume = free_volume(world);
    double volume = 0;
    for (const Species& s : world.species)
        volume += static_cast<double>(s.count) * mean_content(s, of.box.dimension);
    const double times = of.fraction * *world.free_volume / volume;
    for (Species& s : world.species)
        s.count = static_cast<std::uint64_t>(times * static_cast<double>(s.count));
    return world;
}

struct StartByRepulsion {
    Particles particles;
    DensePlacement placed;  ///< without particles
};

StartByRepulsion repelled_on(int num_ranks, const World& world) {
    StartByRepulsion result;
    const BodyRoom room(world);
    run_ranks(num_ranks, [&](Exchange& exchange) {
        DensePlacement placed =
            place_densely(world.box, Population(world.species, world.seed), exchange, &room);
        const Particles all = gathered(placed.particles, exchange);
        placed.particles = {};
        if (exchange.rank() == 0) result = {all, placed};
    });
    return result;
}

void expect_room_for_all(const World& world, const Particles& particles) {
    const BodyRoom room(world);
    const Box& box = world.box;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const Vec3 centre = particles.motion[k].position;
        const Attributes& of = particles.attributes[k];
        EXPECT_TRUE(room.keeps_off(centre, of.radius, of.species)) << k;
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double gap = box.has_walls(axis) ? of.radius : 0;
            EXPECT_GE(centre[axis], gap);
            EXPECT_GE(box.size[axis] - centre[axis], gap);
        }
    }
    EXPECT_TRUE(find_overlaps(box, particles, 0, 10).empty());
}

class DenseBesideBodiesOf : public testing::TestWithParam<BodyCase> {};

INSTANTIATE_TEST_SUITE_P(Starts, DenseBesideBodiesOf, testing::ValuesIn(body_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(DenseBesideBodiesOf, HasRoomOnAnyRanks) {
    const World world = world_beside(GetParam());
    const StartByRepulsion one = repelled_on(1, world);
    ASSERT_TRUE(one.placed.is_complete) << one.placed.num_steps << " " << one.placed.largest_overlap;
    EXPECT_GT(one.placed.num_steps, 0u);
    expect_room_for_all(world, one.particles);
    for (const int num_ranks : {2, 3, 4, 5})
        EXPECT_TRUE(same_bits(one.particles, repelled_on(num_ranks, world).particles))
            << num_ranks << " ranks";
}

/// A bacterium of equal proteins with a nucleoid.
World cell_filled_to(double fraction, std::uint64_t count = 4000) {
    World world = start_world({3, {32, 16, 16}, {reflecting, reflecting, reflecting}}, {});
    world.bodies = {{"cell", BodyCapsule{{8, 8, 8}, {24, 8, 8}, 8}, side_in},
                    {"nucleoid", BodySphere{{16, 8, 8}, 4}, side_out}};
    world.free_volume = free_volume(world);
    const double volume = fraction * *world.free_volume / static_cast<double>(count);
    world.species = {particles_of(std::cbrt(volume / content(1, 3)), count)};
    return world;
}

TEST(DenseBesideBodies, CrowdedCellTakesSeconds) {
    const World world = cell_filled_to(0.45);
    const std::clock_t begin = std::clock();
    const StartByRepulsion start = repelled_on(1, world);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_TRUE(start.placed.is_complete);
    expect_room_for_all(world, start.particles);
    EXPECT_LT(seconds, 5);
    RecordProperty("cpu_seconds", std::to_string(seconds));
    EXPECT_GT(start.placed.cpu_seconds / seconds, 0.2);
    EXPECT_LT(start.placed.cpu_seconds / seconds, 5);
}

/// Neighbours push spheres into slits and rings that are too narrow for them. They are drawn again, elsewhere.
TEST(DenseBesideBodies, DrawsAgainWhatIsStuck) {
    World slits = start_world(square_of_20, {particles_of(0.5, 300)}), rings = slits;
    for (int k = 0; k < 6; ++k)
        slits.bodies.push_back({"plate", BodyBox{{2 + 1.03 * k, 1, 0}, {2.05 + 1.03 * k, 19, 0}}, side_out});
    for (int k = 0; k < 16; ++k)
        rings.bodies.push_back(
            {"ring", BodySphere{{2.0 + 5 * (k % 4), 2.0 + 5 * (k / 4), 0}, 0.45}, side_both});
    for (World* world : {&slits, &rings})
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
            world->seed = seed;
            const StartByRepulsion start = repelled_on(2, *world);
            ASSERT_TRUE(start.placed.is_complete) << start.placed.largest_overlap;
            expect_room_for_all(*world, start.particles);
            EXPECT_TRUE(same_bits(start.particles, repelled_on(5, *world).particles)) << seed;
        }
}

/// Hardly any place is free at first, and in the narrow cell none may be found.
TEST(DenseBesideBodies, PushesInWhatBeginsOutside) {
    World narrow = start_world(cube(100), {particles_of(0.9999, 1)});
    narrow.bodies = {{"cell", BodyCapsule{{50, 50, 50}, {60, 50, 50}, 1}, side_in}};
    World apart = start_world(cube(60), {particles_of(0.5, 20)});
    apart.bodies = {{"cell", BodyCapsule{{10, 10, 10}, {26, 10, 10}, 1.2}, side_in}};
    for (World* world : {&narrow, &apart}) {
        const StartByRepulsion start = repelled_on(3, *world);
        ASSERT_TRUE(start.placed.is_complete) << start.placed.largest_overlap;
        expect_room_for_all(*world, start.particles);
    }
}

struct MadeStart {
    std::vector<std::string> notes;
    bool needs_equilibration = false;
    std::string refusal;
};

template <class PlaceWorld>
MadeStart made_start(const World& world, PlaceWorld&& place) {
    MadeStart result;
    run_ranks(2, [&](Exchange& exchange) {
        MadeStart made;
        try {
            const auto placement = place(world, exchange);
            made = {placement.notes, placement.needs_equilibration, ""};
        } catch (const InputError& error) {
            made.refusal = error.what();
        }
        if (exchange.rank() == 1) result = made;
    });
    return result;
}

MadeStart made_at_random(const World& world) {
    return made_start(world,
                      [](const World& of, Exchange& exchange) { return place_at_random(of, exchange); });
}
MadeStart made_densely(const World& world) {
    return made_start(world, [](const World& of, Exchange& exchange) { return place_densely(of, exchange); });
}

/// Too dense by its fraction, or by the room for centres in narrow cells.
TEST(DenseBesideBodies, StandsInForRandom) {
    const MadeStart crowded = made_at_random(cell_filled_to(0.42));
    ASSERT_EQ(crowded.notes.size(), 2u) << crowded.refusal;
    EXPECT_THAT(crowded.notes[0], HasSubstr(" of what bodies leave, in "));
    EXPECT_THAT(crowded.notes[0], HasSubstr("placement: 4000 spheres by the repulsion of soft spheres, "));
    EXPECT_THAT(crowded.notes[1], HasSubstr("of what bodies leave is more than random placement reaches"));
    EXPECT_TRUE(crowded.needs_equilibration);
    const MadeStart narrow = made_at_random(cell_filled_to(0.34));
    ASSERT_EQ(narrow.notes.size(), 2u) << narrow.refusal;
    EXPECT_THAT(narrow.notes[1], HasSubstr("placement: random placement beside bodies found room for 3"));
    EXPECT_THAT(narrow.notes[1], HasSubstr(" of them, so the start is a dense one"));
    for (const double fraction : {0.2, 0.34, 0.42}) {
        const World world = cell_filled_to(fraction);
        const MadeStart foreseen = made_start(world, [](const World& of, Exchange& exchange) {
            return foresee_random_placement(of, exchange);
        });
        const MadeStart made = made_at_random(world);
        EXPECT_EQ(foreseen.notes, made.notes);
        EXPECT_EQ(foreseen.needs_equilibration, made.needs_equilibration);
        EXPECT_EQ(made.needs_equilibration, fraction > 0.3);
    }
}

/// Of more than are tried, the room for centres decides.
TEST(DenseBesideBodies, ForeseesTheStartOfVeryMany) {
    for (const bool is_dense : {false, true})
        run_ranks(1, [&](Exchange& exchange) {
            const World world = cell_filled_to(is_dense ? 0.4 : 0.3, 200'000);
            const PlacementForecast forecast = foresee_random_placement(world, exchange);
            EXPECT_EQ(forecast.needs_equilibration, is_dense);
            EXPECT_EQ(forecast.notes.size(), is_dense ? 2u : 1u);
            EXPECT_GT(forecast.cpu_seconds, 0.1);
        });
}

TEST(DenseBesideBodies, SaysWhatIsTooDense) {
    const World world = cell_filled_to(0.6, 300);
    const std::string dense = made_densely(world).refusal;
    EXPECT_THAT(dense,
                testing::ContainsRegex("placement: got 300 spheres at volume fraction 0.6[0-9]*, which "
                                       "cannot be packed: the repulsion of soft spheres beside bodies "
                                       "left overlaps of [0-9.]* % of a diameter after [0-9]* steps, "
                                       "so it reached 0.[45][0-9]*; take fewer or smaller"));
    EXPECT_EQ(dense, made_at_random(world).refusal);
    EXPECT_THAT(made_densely(cell_filled_to(0.7)).refusal,
                HasSubstr("disordered ones of one size end below"));
}

/// In an equilibration nothing passes a body, so what may overlap one has none.
TEST(DenseBesideBodies, IsNotSettledAtMembranes) {
    World world = cell_filled_to(0.42);
    world.bodies.push_back({"vesicle", BodySphere{{8, 8, 8}, 2}, side_both});
    EXPECT_TRUE(made_densely(world).needs_equilibration);
    world.rules = {{0, wall_species, Pass{}, 0, {first_body + 2}}};
    EXPECT_FALSE(made_densely(world).needs_equilibration);
}

/// Off one body at a place: the clearance is that of the room, and grows along the way.
void expect_way_off(const Body& body, Vec3 place) {
    constexpr double step = 1e-6;
    std::vector<BodyPush> pushes;
    add_body_pushes(body, place, 1e9, pushes);
    ASSERT_FALSE(pushes.empty());
    const BodyPush nearest = *std::ranges::min_element(pushes, {}, &BodyPush::clearance);
    EXPECT_NEAR(norm(nearest.away), 1, 1e-12);
    // From beyond the inside of a box all of its faces lead back one by one.
    const double least = clearance(body, place);
    if (std::holds_alternative<BodyBox>(body.shape) && body.side == side_in && least < 0) return;
    EXPECT_NEAR(nearest.clearance, least, 1e-12);
    EXPECT_NEAR(clearance(body, advanced(place, nearest.away, step)) - least, step, 1e-3 * step);
}

TEST(BodyPush, LeadsOffBodies) {
    for (const BodyCase& c : body_cases())
        for (const Body& body : c.bodies)
            for (std::uint64_t k = 0; k < 200; ++k) {
                SCOPED_TRACE(c.name);
                const RandomWords words = random_words({3, Stream::placement, 0}, k, 0);
                const double z = uniform_from(random_words({3, Stream::placement, 0}, k, 1)[0]);
                expect_way_off(body, {c.box.size.x * uniform_from(words[0]),
                                      c.box.size.y * uniform_from(words[1]), c.box.size.z * z});
            }
}

/// Any way is right from the middle of what is round, within the plane in two dimensions.
TEST(BodyPush, HasAWayFromTheMiddle) {
    const std::vector<Body> bodies{{"b", BodySphere{{5, 5, 0}, 2}, side_in},
                                   {"b", BodyCapsule{{3, 5, 0}, {7, 5, 0}, 2}, side_out},
                                   {"b", BodyCapsule{{5, 5, -2}, {5, 5, 2}, 2}, side_both},
                                   {"b", BodyBox{{3, 3, 0}, {7, 7, 0}}, side_out}};
    for (const Body& body : bodies) {
        std::vector<BodyPush> pushes;
        add_body_pushes(body, {5, 5, 0}, 1e9, pushes);
        ASSERT_FALSE(pushes.empty());
        EXPECT_DOUBLE_EQ(norm(pushes[0].away), 1);
        EXPECT_EQ(pushes[0].away.z, 0);
        EXPECT_DOUBLE_EQ(std::abs(pushes[0].clearance), 2);
    }
}

}  // namespace
}  // namespace ricochet::test
