// SPDX-License-Identifier: BSD-3-Clause
//
// Starts that grow: without overlap, the same for every number of ranks, and what they say of themselves. (Contacts of
// spheres that grow: unit/growing_spheres_test.cpp.)
#include "run/grown_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geometry/overlap_census.hpp"
#include "parallel/collectives.hpp"
#include "placement/population.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

struct GrownCase {
    std::string name;
    Box box;
    std::vector<Species> species;
    GrowthOptions options;

    Placement place(Exchange& exchange) const {
        return place_by_growth(start_world(box, species), options, exchange);
    }
    friend void PrintTo(const GrownCase& c, std::ostream* out) { *out << c.name; }
};

std::vector<GrownCase> grown_cases() {
    Species log_normal = particles_of(0, 500);
    log_normal.radius_distribution = LogNormalRadius{0.5, 0.2, 0.2, 1.2};
    const Box slit{3, {12, 9, 2.4}, {periodic, periodic, reflecting}};
    const Box flat{2, {20, 9, 0}, {reflecting, periodic, periodic}};
    return {{"equal", cube(8), {particles_of(0.5, 538)}, {0.1, 0.3}},   // 0.55
            {"glass", cube(8), {particles_of(0.5, 585)}, {0.05, 0.3}},  // 0.60
            {"mixture", cube(10), {particles_of(0.5, 300), particles_of(0.7, 250)}, {0.2, 0.2}},
            {"log_normal", cube(9), {log_normal}, {0.3, 0.25}},
            {"walls", cube(8, reflecting), {particles_of(0.5, 400)}, {0.1, 0.15}},
            {"slit", slit, {particles_of(0.5, 180)}, {0.1, 0.1}},
            {"discs", square(16), {particles_of(0.5, 85), particles_of(0.7, 85)}, {0.1, 0.3}},  // 0.77
            {"flat_walls", flat, {particles_of(0.5, 150)}, {0.05, 0.3}},
            {"two", Box{3, {5, 2.4, 2.4}}, {particles_of(0.5, 2)}, {0.1, 0.02}},
            {"one", Box{3, {5, 3, 3}}, {particles_of(0.5, 1)}, {0.5, 0.01}}};
}

class RanksGrowthOf : public testing::TestWithParam<GrownCase> {};

INSTANTIATE_TEST_SUITE_P(Starts, RanksGrowthOf, testing::ValuesIn(grown_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(RanksGrowthOf, EqualsThatOfOneRank) {
    MpiExchange exchange{boost::mpi::communicator()};
    const Placement grown = GetParam().place(exchange);
    EXPECT_TRUE(grown.needs_equilibration);
    EXPECT_TRUE(std::is_sorted(grown.particles.motion.begin(), grown.particles.motion.end(),
                               [](const Motion& a, const Motion& b) { return a.id < b.id; }));
    const Particles all = gathered(grown.particles, exchange);
    Particles alone;
    run_ranks(1, [&](Exchange& single) { alone = sorted_by_id(GetParam().place(single).particles); });
    EXPECT_TRUE(same_bits(all, alone));
}

/// Radii, masses and species are those of the input; spheres are apart in floating point.
TEST_P(RanksGrowthOf, LeavesNoOverlap) {
    const GrownCase& of = GetParam();
    MpiExchange exchange{boost::mpi::communicator()};
    const Particles all = gathered(of.place(exchange).particles, exchange);
    const Population population(of.species, 5);
    ASSERT_EQ(all.size(), population.size());
    EXPECT_EQ(count_overlaps(of.box, all), 0u);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Attributes& own = all.attributes[k];
        EXPECT_EQ(own.radius, population.radius(k));
        EXPECT_EQ(own.species, population.species_of(k));
        EXPECT_EQ(own.mass, 1);
        EXPECT_EQ(all.motion[k].velocity, Vec3{});
        for (int axis = 0; axis < of.box.dimension; ++axis) {
            const double x = all.motion[k].position[axis];
            EXPECT_GE(x, of.box.has_walls(axis) ? own.radius : 0);
            EXPECT_LT(x, of.box.size[axis]);
            EXPECT_GE(of.box.size[axis] - x, of.box.has_walls(axis) ? own.radius : 0);
        }
    }
}

TEST(GrownStart, DependsOnSeedAndRate) {
    run_ranks(1, [](Exchange& exchange) {
        const auto first_place = [&](std::uint64_t seed, double rate) {
            const World world = start_world(cube(6), {particles_of(0.5, 180)}, seed);
            return place_by_growth(world, {rate, 0.3}, exchange).particles.motion[0].position;
        };
        EXPECT_EQ(first_place(1, 0.5), first_place(1, 0.5));
        EXPECT_NE(first_place(1, 0.5), first_place(2, 0.5));
        EXPECT_NE(first_place(1, 0.5), first_place(1, 0.4));
    });
}

/// The forecast says what the start will say, and places nothing.
TEST(GrownStart, IsForeseen) {
    MpiExchange exchange{boost::mpi::communicator()};
    const World world = start_world(cube(8), {particles_of(0.5, 500)});
    const PlacementForecast slow = foresee_growth(world, {0.01, 0.3}, exchange);
    const PlacementForecast fast = foresee_growth(world, {0.1, 0.3}, exchange);
    const Placement grown = place_by_growth(world, {0.1, 0.3}, exchange);
    ASSERT_EQ(fast.notes.size(), 1u);
    EXPECT_EQ(fast.notes[0], "placement: 500 spheres grown from volume fraction 0.3 to 0.511327 at rate 0.1");
    ASSERT_EQ(grown.notes.size(), 1u);
    EXPECT_THAT(grown.notes[0], testing::StartsWith(fast.notes[0] + ", in "));
    EXPECT_THAT(grown.notes[0], HasSubstr(" contacts per particle"));
    EXPECT_EQ(fast.needs_equilibration, grown.needs_equilibration);
    EXPECT_GT(slow.cpu_seconds, 5 * fast.cpu_seconds);
    EXPECT_LT(slow.cpu_seconds, 10 * fast.cpu_seconds);
}

TEST(GrownStart, MayJamAsIsForeseen) {
    MpiExchange exchange{boost::mpi::communicator()};
    const auto notes = [&](const World& world, double rate) {
        return foresee_growth(world, {rate, 0.3}, exchange).notes;
    };
    const World spheres = start_world(cube(8), {particles_of(0.5, 600)});  // 0.614
    ASSERT_EQ(notes(spheres, 0.1).size(), 2u);
    EXPECT_EQ(
        notes(spheres, 0.1)[1],
        "placement: the growth may jam: at rate 0.1 equal spheres jam at about 0.62; slower growth comes "
        "closer to 0.65");
    EXPECT_EQ(notes(spheres, 0.01).size(), 1u);
    const World discs = start_world(square(16), {particles_of(0.5, 281)});  // 0.862
    ASSERT_EQ(notes(discs, 0.01).size(), 2u);
    EXPECT_THAT(notes(discs, 0.01)[1], HasSubstr("equal discs jam at about 0.871; slower"));
    const World mixture = start_world(cube(8), {particles_of(0.5, 300), particles_of(0.55, 220)});
    EXPECT_EQ(notes(mixture, 0.1).size(), 1u);
}

/// A contact may come at the very end of growth. Radii end a little above those of the input, so that it leaves a gap.
/// The gap of a sphere to the walls falls and rises with the rate, and its least is sought.
TEST(GrownStart, LeavesAGapAfterTheLastContact) {
    const World world = start_world(cube(3, reflecting), {particles_of(0.5, 1)});
    double least = 1;
    run_ranks(1, [&](Exchange& exchange) {
        const auto gap = [&](double rate) {
            const Vec3 x = place_by_growth(world, {rate, 0.002}, exchange).particles.motion[0].position;
            double least_of_axes = 1;
            for (int axis = 0; axis < 3; ++axis)
                least_of_axes = std::min({least_of_axes, x[axis] - 0.5, 2.5 - x[axis]});
            return least_of_axes;
        };
        double low = 0.061, high = 0.0613;
        for (int k = 0; k < 80; ++k) {
            const double left = low + (high - low) / 3, right = high - (high - low) / 3;
            const double gap_left = gap(left), gap_right = gap(right);
            (gap_left < gap_right ? high : low) = gap_left < gap_right ? right : left;
            least = std::min({least, gap_left, gap_right});
        }
    });
    EXPECT_LT(least, 1e-8);
    EXPECT_GT(least, 0.5 * 0x1p-31);
}

TEST(GrownStart, IsRandomWhereNoneNeedGrow) {
    MpiExchange exchange{boost::mpi::communicator()};
    const World world = start_world(cube(8), {particles_of(0.5, 200)});
    const Placement placed = place_by_growth(world, {0.1, 0.3}, exchange);
    const std::string note =
        "placement: 200 spheres at random, volume fraction 0.204531, which is not above placement.from "
        "(0.3), so none grow";
    EXPECT_EQ(placed.notes, std::vector{note});
    EXPECT_EQ(foresee_growth(world, {0.1, 0.3}, exchange).notes, std::vector{note});
    EXPECT_FALSE(placed.needs_equilibration);
    EXPECT_EQ(sum_of_ranks(exchange, placed.particles.size()), 200u);
}

std::string refusal_of(const World& world, const GrowthOptions& options, bool is_forecast = false) {
    MpiExchange exchange{boost::mpi::communicator()};
    try {
        if (is_forecast)
            foresee_growth(world, options, exchange);
        else
            place_by_growth(world, options, exchange);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Fast growth jams earlier. The sentence says where, and what to do.
TEST(GrownStart, SaysWhereItJams) {
    const World world = start_world(cube(8), {particles_of(0.5, 640)});
    const std::string refusal = refusal_of(world, {0.1, 0.3});
    EXPECT_THAT(refusal, testing::StartsWith("placement: got 640 spheres at volume fraction 0.654498, which "
                                             "cannot be packed: growth at rate 0.1 jammed at 0.6"));
    EXPECT_THAT(refusal, HasSubstr(" contacts per particle; grow more slowly, take fewer or smaller "));
    EXPECT_EQ(refusal_of(start_world(cube(8), {particles_of(0.5, 1100)}), {0.1, 0.3}, true),
              refusal_of(start_world(cube(8), {particles_of(0.5, 1100)}), {0.1, 0.3}));
}

TEST(GrownStart, RefusesAFirstFractionOutOfReach) {
    const World world = start_world(cube(8), {particles_of(0.5, 400)});
    const std::string expected =
        "placement.from: got 0.36, expected less: random placement does not reach this fraction in this box";
    EXPECT_EQ(refusal_of(world, {0.1, 0.36}), expected);
    EXPECT_EQ(refusal_of(world, {0.1, 0.36}, true), expected);
}

/// The fraction of what centres may reach counts.
TEST(GrownStart, BeginsLowerBetweenWalls) {
    MpiExchange exchange{boost::mpi::communicator()};
    const Box slit{3, {12, 12, 1.3}, {periodic, periodic, reflecting}};
    const Box closed{3, {20, 20, 20}, {reflecting, reflecting, reflecting}};
    for (const World& world :
         {start_world(slit, {particles_of(0.5, 140)}), start_world(closed, {particles_of(0.5, 6800)})}) {
        const Placement placed = place_by_growth(world, {0.1, 0.3}, exchange);
        ASSERT_EQ(placed.notes.size(), 1u);
        EXPECT_THAT(placed.notes[0],
                    testing::ContainsRegex("grown from volume fraction 0\\.[12][0-9]* to 0\\.[34]"));
        const PlacementForecast foreseen = foresee_growth(world, {0.1, 0.3}, exchange);
        EXPECT_THAT(placed.notes[0], testing::StartsWith(foreseen.notes[0]));
    }
}

std::string input(const std::string& dynamics, const std::string& rest) {
    return "box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, " + dynamics +
           "placement: {method: grow, rate: 0.2}\n" + rest +
           "output: {file: none.h5md, trajectory_every: 0, observables_every: 200, collisions: none}\n";
}

TEST(GrownStart, BecomesAFluid) {
    const KeptRun run =
        run_input(input("mass: 3, volume_fraction: 0.48}]\ndynamics: {type: ballistic, kT: 2}\n",
                        "run: {timestep: 0.05, steps: 200}\n"));
    EXPECT_THAT(run.monitor.notes, testing::Contains(HasSubstr("grown from volume fraction 0.3 to 0.47")));
    EXPECT_THAT(run.monitor.notes, testing::Contains(HasSubstr("the grown start is equilibrated: ")));
    EXPECT_NEAR(run.kept.samples.back().values.compressibility, 10.96, 0.6);
}

/// Masses, rules and dynamics of the input play no part in growth.
TEST(GrownStart, ServesBrownianParticles) {
    const KeptRun run = run_input(input("diffusion: 1, count: 460}]\ndynamics: {type: brownian, kT: 1}\n",
                                        "run: {timestep: 0.0001, steps: 2}\n"
                                        "contacts: {pairs: [{between: [ball, ball], pass: {}}]}\n"));
    EXPECT_THAT(run.monitor.notes, testing::Contains(HasSubstr("grown from volume fraction 0.3 to 0.47")));
}

}  // namespace
}  // namespace ricochet::test
