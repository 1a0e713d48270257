// SPDX-License-Identifier: BSD-3-Clause
//
// Dense starts of particles that are no spheres: no overlap by their corners alone, no order, and the same for every
// number of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/overlap_census.hpp"
#include "placement/dense_placement.hpp"
#include "placement/placement.hpp"
#include "tests/support/hull_distance.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/shaped_starts.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

struct DenseShapesCase {
    std::string name;
    Box box;
    std::vector<Species> species;  ///< their counts are proportions
    double fraction = 0;
    std::vector<Body> bodies{};
    std::vector<bool> passing{};

    friend void PrintTo(const DenseShapesCase& c, std::ostream* out) { *out << c.name; }
};

Species unit_cube(std::uint64_t count) { return brick({1, 1, 1}, count); }
Species tetrahedron(std::uint64_t count) {
    return hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3, count);
}
Species triangle(std::uint64_t count) { return hull_of({{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}}, 2, count); }

/// Above what random placement reaches.
std::vector<DenseShapesCase> free_cases() {
    const Box slit{3, {12, 7, 1.9}, {periodic, reflecting, reflecting}};
    const Box thin{3, {4, 9, 9}, {periodic, periodic, periodic}};
    return {{"cubes", cube(8), {unit_cube(1)}, 0.55},
            {"pyramids", cube(7), {pyramid_of(1, 1, 1)}, 0.34},
            {"plates", cube(6), {brick({1.2, 0.3, 0.7}, 1)}, 0.45},
            {"cubes_and_spheres", cube(8), {brick({0.8, 0.8, 0.8}, 1), particles_of(0.5, 1)}, 0.55},
            {"many_kinds",
             cube(8),
             {brick({0.8, 0.8, 0.8}, 2), pyramid_of(1, 1, 2), particles_of(0.4, 2), tetrahedron(1)},
             0.46},
            {"walls",
             {3, {8, 7, 9}, {reflecting, periodic, reflecting}},
             {pyramid_of(1, 0.9, 1), unit_cube(1), particles_of(0.4, 1)},
             0.42},
            {"slit_of_pyramids", slit, {pyramid_of(1, 1, 1)}, 0.25},
            {"thin_strips", thin, {brick({0.9, 0.9, 0.9}, 1)}, 0.5},
            {"squares", square(18, reflecting), {brick({1, 1, 0}, 1)}, 0.68},
            {"flat", square(16), {triangle(1), brick({0.8, 0.8, 0}, 1), particles_of(0.5, 1)}, 0.65},
            {"passing", cube(8), {unit_cube(1), unit_cube(1)}, 0.7, {}, {true, false, false, false}}};
}

std::vector<DenseShapesCase> cases_beside_bodies() {
    const Box walled = cube(12, reflecting);
    const Vec3 middle{6, 6, 6};
    const std::vector<Species> cubes{unit_cube(1)}, both{unit_cube(1), particles_of(0.5, 1)};
    const std::vector<Species> pyramids{pyramid_of(1, 1, 1)};
    constexpr auto in = BodySide::inside, out = BodySide::outside, two = BodySide::both;
    const BodySpheres pegs{{{{2, 3, 4}, 1.5}, {{8, 9, 4}, 1.2}, {{5, 6, 11}, 0.8}}};
    return {{"ball", cube(12), both, 0.5, {{"b", BodySphere{{1, 11, 6}, 3}, out}}},
            {"in_a_ball", walled, both, 0.4, {{"b", BodySphere{middle, 6}, in}}},
            {"vesicle", cube(12), cubes, 0.4, {{"b", BodySphere{middle, 4}, two}}},
            {"capsule", cube(12), pyramids, 0.3, {{"b", BodyCapsule{{4, 6, 6}, {8, 7, 6}, 2}, out}}},
            {"cell", walled, both, 0.4, {{"b", BodyCapsule{{5, 6, 6}, {7, 6, 6}, 5}, in}}},
            {"cylinder", cube(12), cubes, 0.48, {{"b", BodyCylinder{middle, {0, 0, 1}, 2}, out}}},
            {"box", cube(12), both, 0.48, {{"b", BodyBox{{3, 5, 2}, {7, 7, 9}}, out}}},
            {"in_a_box", walled, pyramids, 0.3, {{"b", BodyBox{{1, 2, 1}, {11, 9, 10.5}}, in}}},
            {"box_both", cube(12), cubes, 0.42, {{"b", BodyBox{{2, 3, 3}, {8, 9, 10}}, two}}},
            {"plane", walled, both, 0.42, {{"b", BodyPlane{{2, 2, 2}, {0.6, 0.8, 0}}, out}}},
            {"pegs", cube(12), cubes, 0.5, {{"b", pegs, out}}},
            {"disc",
             square(18),
             {brick({1, 1, 0}, 1), particles_of(0.4, 1)},
             0.65,
             {{"b", BodySphere{{9, 9, 0}, 3}, out}}}};
}

std::vector<DenseShapesCase> all_cases() {
    std::vector<DenseShapesCase> all = free_cases();
    for (const DenseShapesCase& c : cases_beside_bodies()) all.push_back(c);
    return all;
}

World world_of_case(const DenseShapesCase& of) {
    World world = start_world(of.box, of.species);
    world.bodies = of.bodies;
    world.free_volume = free_volume(world);
    double volume = 0;
    for (const Species& s : world.species)
        volume += static_cast<double>(s.count) * mean_content(s, of.box.dimension);
    const double times = of.fraction * *world.free_volume / volume;
    for (Species& s : world.species)
        s.count = static_cast<std::uint64_t>(times * static_cast<double>(s.count));
    return world;
}

Place densely_placed(const World& world, const std::vector<bool>& passing = {}) {
    return [=](Exchange& exchange) { return place_densely(world, exchange, passing); };
}

// --- by corners ------------------------------------------------------------------------------------------------

/// Points whose hull, rounded by this radius, is the particle about 0.
std::pair<std::vector<Vec3>, double> points_of(const World& world, const Attributes& of) {
    const std::vector<Vec3>& corners = world.species[of.species].corners;
    if (corners.empty()) return {{Vec3{}}, of.radius};
    return {corners, 0};
}

bool are_hulls_apart(const World& world, const Particles& all, std::size_t a, std::size_t b) {
    const auto [first, radius_a] = points_of(world, all.attributes[a]);
    const auto [second, radius_b] = points_of(world, all.attributes[b]);
    const Vec3 r = minimum_image(all.motion[b].position - all.motion[a].position, ImageLengths(world.box));
    const double distance = distance_to_hull(differences(first, second, r));
    return distance > 0 && distance >= (1 - 1e-10) * (radius_a + radius_b);
}

struct GapFromOutside {
    std::vector<Vec3> points;  ///< of the particle

    double operator()(const BodySphere& of) const {
        return distance_to_hull(differences(points, {of.centre}, {})) - of.radius;
    }
    double operator()(const BodySpheres& of) const {
        double least = std::numeric_limits<double>::infinity();
        for (const BodySphere& sphere : of.spheres) least = std::min(least, (*this)(sphere));
        return least;
    }
    double operator()(const BodyCapsule& of) const {
        return distance_to_hull(differences(points, {of.from, of.to}, {})) - of.radius;
    }
    double operator()(const BodyCylinder& of) const {
        const Vec3 far = 100 * of.axis;
        return distance_to_hull(differences(points, {of.point - far, of.point + far}, {})) - of.radius;
    }
    double operator()(const BodyBox& of) const {
        std::vector<Vec3> corners;
        for (int k = 0; k < 8; ++k)
            corners.push_back({(k & 1) != 0 ? of.high.x : of.low.x, (k & 2) != 0 ? of.high.y : of.low.y,
                               (k & 4) != 0 ? of.high.z : of.low.z});
        return distance_to_hull(differences(points, corners, {}));
    }
    double operator()(const BodyPlane& of) const {
        double least = std::numeric_limits<double>::infinity();
        for (const Vec3 point : points) least = std::min(least, dot(point - of.point, of.normal));
        return least;
    }
};

double gap_at_body(const Body& body, Vec3 centre, std::vector<Vec3> points) {
    for (Vec3& point : points) point = centre + point;
    Body outside = body;
    outside.side = BodySide::outside;
    const bool is_inside =
        body.side == BodySide::inside || (body.side == BodySide::both && clearance(outside, centre) < 0);
    if (!is_inside) return std::visit(GapFromOutside{points}, body.shape);
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3 point : points) least = std::min(least, -clearance(outside, point));
    return least;
}

void expect_off_bodies(const World& world, const Particles& all) {
    std::vector<Vec3> shifts{{}};
    for (int axis = 0; axis < world.box.dimension; ++axis)
        for (std::size_t k = 0, n = shifts.size(); world.box.is_periodic(axis) && k < n; ++k)
            for (const double sign : {-1.0, 1.0}) {
                shifts.push_back(shifts[k]);
                shifts.back()[axis] += sign * world.box.size[axis];
            }
    for (std::size_t k = 0; k < all.size(); ++k)
        for (const Body& body : world.bodies)
            for (const Vec3 shift : shifts) {
                const auto [points, radius] = points_of(world, all.attributes[k]);
                const double gap = gap_at_body(body, all.motion[k].position + shift, points);
                EXPECT_GE(gap, (1 - 1e-10) * radius - 1e-10) << k;
            }
}

void expect_apart(const World& world, const Particles& all, const std::vector<bool>& passing = {}) {
    const auto may_overlap = [&](std::size_t a, std::size_t b) {
        const std::size_t pair = all.attributes[a].species * world.species.size() + all.attributes[b].species;
        return !passing.empty() && passing[pair];
    };
    for (const OverlappingPair& pair : find_overlaps(world.box, all, 0, 1'000'000))
        EXPECT_TRUE(may_overlap(pair.first, pair.second) ||
                    are_hulls_apart(world, all, pair.first, pair.second))
            << pair.first << " " << pair.second;
}

class DenseShapesOf : public testing::TestWithParam<DenseShapesCase> {};

INSTANTIATE_TEST_SUITE_P(Starts, DenseShapesOf, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(DenseShapesOf, AreApartOnAnyRanks) {
    const World world = world_of_case(GetParam());
    const Place place = densely_placed(world, GetParam().passing);
    const Particles start = shapes_placed_on(1, place);
    ASSERT_GT(start.size(), 30u);
    expect_apart(world, start, GetParam().passing);
    expect_shapes_within_walls(world, start);
    expect_off_bodies(world, start);
    for (const int num_ranks : {2, 3, 4, 5})
        EXPECT_TRUE(same_bits(shapes_placed_on(num_ranks, place), start)) << num_ranks << " ranks";
}
/// Random bodies, some of them flat or long.
TEST(DenseShapes, OfRandomCornersAreApart) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        HashRandom random(seed);
        const int dimension = seed % 4 == 0 ? 2 : 3;
        const double radius = 0.7;
        const Species first = hull_of(random_corners(dimension, radius, random), dimension, 1),
                      second = hull_of(random_corners(dimension, radius, random), dimension, 1);
        const World world = world_of_case({"random",
                                           dimension == 2 ? square(14, reflecting) : cube(6, reflecting),
                                           {first, second, particles_of(0.3, 1)},
                                           dimension == 2 ? 0.4 : 0.2});
        const Particles start = shapes_placed_on(1, densely_placed(world));
        expect_apart(world, start);
        expect_shapes_within_walls(world, start);
        EXPECT_TRUE(same_bits(shapes_placed_on(3, densely_placed(world)), start)) << seed;
    }
}

/// Shapes keep apart there, not the spheres around them.
TEST(ShapesOnLattice, KeepOffBodies) {
    World world = start_world(cube(12), {brick({0.95, 0.95, 0.95}, 1200), particles_of(0.45, 200)});
    world.bodies = {{"post", BodyBox{{4, 4, 4}, {8, 8, 8}}, BodySide::outside}};
    const Place place = [&](Exchange& exchange) {
        return place_on_lattice(LatticeKind::sc, world, exchange);
    };
    const Particles start = shapes_placed_on(1, place);
    ASSERT_EQ(start.size(), 1400u);
    EXPECT_GE(least_gap_of_shapes(world, start), 0);
    expect_off_bodies(world, start);
    for (const int num_ranks : {2, 3}) EXPECT_TRUE(same_bits(shapes_placed_on(num_ranks, place), start));
    world.species[0].count = 1600;
    EXPECT_THAT(refusal_of_shapes(place),
                HasSubstr("placement.type: got the lattice sc for 1800 particles beside "));
}

// --- what a start is like --------------------------------------------------------------------------------------

World cubes_at(double fraction, std::uint64_t count) {
    return start_world(cube(std::cbrt(static_cast<double>(count) / fraction)), {unit_cube(count)});
}

TEST(DenseShapes, CubesTakeSeconds) {
    for (const double fraction : {0.45, 0.55}) {
        const World world = cubes_at(fraction, 4000);
        const std::clock_t begin = std::clock();
        double told = 0;
        run_ranks(1, [&](Exchange& exchange) { told = place_densely(world, exchange).cpu_seconds; });
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        EXPECT_LT(seconds, 5);
        RecordProperty("cpu_seconds", std::to_string(seconds));
        EXPECT_GT(told / seconds, 0.2);
        EXPECT_LT(told / seconds, 5);
    }
}

/// The largest amplitude of a density wave along an axis, with the wavelengths of lattices of cubes. On a lattice 1.
double order_along_axes(const World& world, const Particles& all) {
    const double edges = world.box.size.x;
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int waves = static_cast<int>(edges / 2); waves <= static_cast<int>(edges); ++waves) {
            double re = 0, im = 0;
            for (const Motion& motion : all.motion) {
                const double phase =
                    2 * std::numbers::pi * waves * motion.position[axis] / world.box.size[axis];
                re += std::cos(phase);
                im += std::sin(phase);
            }
            most = std::max(most, std::hypot(re, im) / static_cast<double>(all.size()));
        }
    return most;
}

TEST(DenseShapes, LeaveNoCrystal) {
    const World world = cubes_at(0.45, 1728);
    const Particles lattice = shapes_placed_on(
        1, [&](Exchange& exchange) { return place_on_lattice(LatticeKind::sc, world, exchange); });
    EXPECT_GT(order_along_axes(world, lattice), 0.99);
    EXPECT_LT(order_along_axes(world, shapes_placed_on(1, densely_placed(world))), 0.2);
}

struct StartInWords {
    std::vector<std::string> notes;
    bool needs_equilibration = false;
};

template <class PlaceOrForesee>
StartInWords in_words(PlaceOrForesee&& place) {
    StartInWords result;
    run_ranks(1, [&](Exchange& exchange) {
        const auto made = place(exchange);
        result = {made.notes, made.needs_equilibration};
    });
    return result;
}

/// Where random placement is not tried, where it finds no room, and where it does.
TEST(DenseShapes, StandInForRandom) {
    const World too_dense = cubes_at(0.5, 600), without_room = cubes_at(0.44, 600),
                dilute = cubes_at(0.2, 600);
    for (const World* world : {&too_dense, &without_room, &dilute}) {
        const StartInWords made =
            in_words([&](Exchange& exchange) { return place_at_random(*world, exchange); });
        const StartInWords foreseen =
            in_words([&](Exchange& exchange) { return foresee_random_placement(*world, exchange); });
        EXPECT_EQ(made.notes, foreseen.notes);
        EXPECT_EQ(made.needs_equilibration, foreseen.needs_equilibration);
        EXPECT_EQ(made.needs_equilibration, world != &dilute);
        ASSERT_EQ(made.notes.size(), world == &dilute ? 1u : 2u);
        if (world == &dilute) continue;
        EXPECT_THAT(made.notes[0], HasSubstr("placement: 600 particles, volume fraction 0."));
        EXPECT_THAT(made.notes[0], HasSubstr(", by the repulsion of soft shapes, in "));
        EXPECT_THAT(made.notes[1],
                    HasSubstr(world == &too_dense ? "is more than random placement reaches, so the start is"
                                                  : "placement: random placement found room for "));
    }
}

/// Of more than are tried.
TEST(DenseShapes, AreForeseenOfVeryMany) {
    for (const double fraction : {0.3, 0.5}) {
        const StartInWords foreseen = in_words([&](Exchange& exchange) {
            return foresee_random_placement(cubes_at(fraction, 200'000), exchange);
        });
        EXPECT_EQ(foreseen.needs_equilibration, fraction > 0.4);
        EXPECT_THAT(foreseen.notes[0], HasSubstr(fraction > 0.4 ? ", by the repulsion of soft shapes"
                                                                : ", or densely where that finds no room"));
    }
}

TEST(DenseShapes, SayWhatIsTooDense) {
    const World pyramids = start_world(cube(6), {pyramid_of(1, 1, 400)});  // 0.62
    const std::string message = refusal_of_shapes(densely_placed(pyramids));
    EXPECT_THAT(message, HasSubstr("placement: got 400 particles, volume fraction 0.61"));
    EXPECT_THAT(message,
                HasSubstr(", which cannot be packed: the repulsion of soft shapes left overlaps of"));
    EXPECT_THAT(message, HasSubstr("; take fewer or smaller particles, a larger box, a lattice, or a start"));
    EXPECT_EQ(message,
              refusal_of_shapes([&](Exchange& exchange) { return place_at_random(pyramids, exchange); }));
}

}  // namespace
}  // namespace ricochet::test
