// SPDX-License-Identifier: BSD-3-Clause
//
// Starts that grow to a pressure: the box that they find, the same for every number of ranks, without overlap, and what
// they say of themselves. (When they end: pressure_goal_test.cpp. What others have found: physics/pressure_test.cpp.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "geometry/overlap_census.hpp"
#include "model/world_facts.hpp"
#include "parallel/collectives.hpp"
#include "placement/population.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "run/found_box.hpp"
#include "run/grown_start.hpp"
#include "run/growth.hpp"
#include "run/pressure_goal.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

struct FoundCase {
    std::string name;
    Box box;
    std::vector<Species> species;
    double rate, pressure;

    World world() const { return start_world(box, species); }
    FoundPlacement place(Exchange& exchange) const {
        return place_until_pressure(world(), {rate, 0.25, pressure}, exchange);
    }
    friend void PrintTo(const FoundCase& c, std::ostream* out) { *out << c.name; }
};

std::vector<FoundCase> found_cases() {
    Species log_normal = particles_of(0, 150);
    log_normal.radius_distribution = LogNormalRadius{0.5, 0.2, 0.3, 0.9};
    const Box slit{3, {4, 3, 2}, {periodic, periodic, reflecting}};
    return {{"fluid", cube(1), {particles_of(0.5, 200)}, 0.2, 12},
            {"jam", cube(1), {particles_of(0.5, 108)}, 0.5, 1e5},
            {"long_box", {3, {30, 10, 10}}, {particles_of(0.5, 300)}, 0.2, 10},
            {"mixture", cube(100), {particles_of(2.5, 100), particles_of(3.5, 80)}, 0.2, 40},
            {"log_normal", {3, {20, 9, 9}}, {log_normal}, 0.3, 20},
            {"walls", cube(8, reflecting), {particles_of(0.5, 150)}, 0.2, 30},
            {"slit", slit, {particles_of(0.5, 120)}, 0.2, 9},
            {"discs", square(1), {particles_of(0.5, 60), particles_of(0.7, 60)}, 0.3, 1e4},
            {"dilute", cube(5), {particles_of(0.5, 200)}, 0.2, 1.5}};
}

class RanksFoundStart : public testing::TestWithParam<FoundCase> {};

INSTANTIATE_TEST_SUITE_P(Of, RanksFoundStart, testing::ValuesIn(found_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(RanksFoundStart, EqualsThatOfOneRank) {
    MpiExchange exchange{boost::mpi::communicator()};
    const FoundPlacement found = GetParam().place(exchange);
    const Particles all = gathered(found.placement.particles, exchange);
    FoundPlacement alone;
    run_ranks(1, [&](Exchange& single) { alone = GetParam().place(single); });
    EXPECT_EQ(found.found, alone.found);
    EXPECT_EQ(found.placement.notes, alone.placement.notes);
    EXPECT_TRUE(same_bits(all, sorted_by_id(alone.placement.particles)));
}

/// Radii are those of the input to the bit; the box has its shape.
TEST_P(RanksFoundStart, IsWithoutOverlapInItsBox) {
    const FoundCase& of = GetParam();
    MpiExchange exchange{boost::mpi::communicator()};
    const FoundPlacement found = of.place(exchange);
    EXPECT_NEAR(found.found.pressure / of.pressure, 1, pressure_tolerance);
    EXPECT_TRUE(found.placement.needs_equilibration);
    Box box = of.box;
    box.size = found.found.size;
    for (int axis = 0; axis < box.dimension; ++axis)
        EXPECT_NEAR(box.size[axis] / box.size.x, of.box.size[axis] / of.box.size.x, 1e-12);
    const Particles all = gathered(found.placement.particles, exchange);
    const Population population(of.species, 5);
    ASSERT_EQ(all.size(), population.size());
    EXPECT_EQ(count_overlaps(box, all), 0u);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const double radius = all.attributes[k].radius;
        EXPECT_EQ(radius, population.radius(k));
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double x = all.motion[k].position[axis];
            EXPECT_GE(x, box.has_walls(axis) ? radius : 0);
            EXPECT_LT(x, box.size[axis]);
            EXPECT_GE(box.size[axis] - x, box.has_walls(axis) ? radius : 0);
        }
    }
}

/// The size of the box of the input plays no part, but for rounding: a power of two leaves all bits.
TEST(FoundStart, DependsOnTheShapeOfTheBoxAlone) {
    run_ranks(1, [](Exchange& exchange) {
        const auto found = [&](double edge) {
            const World world = start_world({3, {2 * edge, edge, edge}}, {particles_of(0.5, 100)});
            return place_until_pressure(world, {0.3, 0.25, 10}, exchange).found;
        };
        EXPECT_EQ(found(1), found(1024));
        EXPECT_NEAR(found(1).size.x / found(3).size.x, 1, 0.02);
    });
}

/// Sizes times two make a box times two, with the same bits.
TEST(FoundStart, DependsOnRelativeSizesAlone) {
    run_ranks(1, [](Exchange& exchange) {
        const auto found = [&](double unit) {
            const World world =
                start_world(cube(4), {particles_of(0.5 * unit, 60), particles_of(0.75 * unit, 40)});
            return place_until_pressure(world, {0.3, 0.25, 10}, exchange).found;
        };
        EXPECT_EQ(2 * found(1).size.x, found(2).size.x);
        EXPECT_EQ(found(1).pressure, found(2).pressure);
    });
}

TEST(FoundStart, SaysWhatItHasFound) {
    MpiExchange exchange{boost::mpi::communicator()};
    const World world = start_world(cube(1), {particles_of(0.5, 300)});
    const FoundPlacement found = place_until_pressure(world, {0.1, 0.3, 12}, exchange);
    ASSERT_EQ(found.placement.notes.size(), 2u);
    EXPECT_THAT(found.placement.notes[0],
                testing::MatchesRegex(
                    "placement: 300 spheres grown from volume fraction 0.3 at rate 0.1 until their reduced "
                    "pressure pV/\\(NkT\\) is 12, in [0-9]+ steps with [0-9]+ contacts per particle"));
    EXPECT_THAT(found.placement.notes[1],
                testing::MatchesRegex("placement: the pressure is 1[12]\\.?[0-9]* at volume fraction "
                                      "0\\.4[5-9][0-9]*, in a box of [0-9. x]+"));
    const PlacementForecast foreseen = foresee_growth(world, {0.1, 0.3, 12}, exchange);
    ASSERT_EQ(foreseen.notes.size(), 2u);
    EXPECT_THAT(found.placement.notes[0], testing::StartsWith(foreseen.notes[0]));
    EXPECT_THAT(foreseen.notes[1],
                testing::StartsWith("placement: the box is not known before it is found; this plan is for "));
    EXPECT_TRUE(foreseen.needs_equilibration);
}

std::string refusal_of(const World& world, const GrowthOptions& options, bool is_forecast = false) {
    MpiExchange exchange{boost::mpi::communicator()};
    try {
        if (is_forecast)
            foresee_growth(world, options, exchange);
        else
            place_until_pressure(world, options, exchange);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

World few_in_a_thin_box() { return start_world({3, {8, 1, 1}}, {particles_of(0.5, 40)}); }

/// Few spheres fill a thin box before they jam in it: nearest images would not be unique.
TEST(FoundStart, SaysHowFarItHasCome) {
    const std::string refusal = refusal_of(few_in_a_thin_box(), {0.1, 0.05, 1e5});
    EXPECT_THAT(refusal,
                testing::StartsWith("placement.until_pressure: got 100000, which growth has not reached: at "
                                    "volume fraction 0."));
    EXPECT_THAT(refusal, HasSubstr(" the pressure was "));
    EXPECT_THAT(refusal,
                HasSubstr(" contacts per particle; take a lower pressure, slower growth or more particles"));
}

TEST(FoundStart, ForeseesThatFewAreTooFew) {
    EXPECT_THAT(refusal_of(few_in_a_thin_box(), {0.1, 0.05, 1e5}, true),
                testing::MatchesRegex(
                    "placement.until_pressure: got 100000, expected more particles: in the box of "
                    "about [0-9.]* x 1.[0-9]* x .* that these need, nearest images would not be unique"));
}

TEST(FoundStart, RefusesPressuresBeyondDoubles) {
    const World world = start_world(cube(1), {particles_of(0.5, 200), particles_of(1e-3, 1)});
    for (const bool is_forecast : {false, true})
        EXPECT_THAT(
            refusal_of(world, {0.1, 0.05, 1e12}, is_forecast),
            testing::MatchesRegex("placement.until_pressure: got 1e\\+12, expected at most [0-9.e+]+: "
                                  "beyond, gaps are .*"));
}

/// The run is in the box that was found: what it measures is the pressure.
TEST(FoundStart, RunsInItsBox) {
    const std::string text =
        "box: {size: [2, 1, 1]}\nspecies: [{name: ball, radius: 0.5, mass: 3, count: 400}]\n"
        "placement: {method: grow, rate: 0.1, until_pressure: 10}\ndynamics: {type: ballistic, kT: 2}\n"
        "run: {timestep: 0.05, steps: 200}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 200, collisions: none}\n";
    const KeptRun run = run_input(text);
    EXPECT_THAT(run.monitor.notes,
                testing::Contains(HasSubstr("until their reduced pressure pV/(NkT) is 10")));
    EXPECT_NEAR(run.kept.samples.back().values.compressibility, 10, 0.6);
}

/// The estimates of `check`: where a fluid or a jam has the pressure.
TEST(FoundStart, IsForeseenInABoxOfAboutItsSize) {
    const auto fraction_at = [](const std::string& rest) {
        const Config config = parse_config(
            "box: {size: [1, 1, 1]}\ndynamics: {type: ballistic, kT: 1}\n"
            "species: [{name: ball, radius: 0.5, mass: 1, count: 400}]\n"
            "run: {timestep: 0.05, steps: 1}\n"
            "placement: {method: grow, rate: 0.01, " +
                rest + "}\n",
            "none");
        return volume_fraction(world_of(in_foreseen_box(config)));
    };
    EXPECT_NEAR(fraction_at("until_pressure: 4"), 0.30, 0.01);
    EXPECT_NEAR(fraction_at("until_pressure: 10"), 0.457, 0.01);
    EXPECT_NEAR(fraction_at("until_pressure: 20"), 0.555, 0.01);
    EXPECT_NEAR(fraction_at("until_pressure: 1e9"), 0.644, 0.001);
}

/// What a config rule refuses in another box, and a box that is set twice.
TEST(FoundBoxOf, KeepsTheInputAndTakesTheBox) {
    const std::string text =
        "box: {size: [40, 20, 20]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 400}]\n"
        "placement: {method: grow, rate: 0.1, until_pressure: 10}\ndynamics: {type: ballistic, kT: 2}\n"
        "run: {timestep: 0.05, steps: 200}\n"
        "contacts: {pairs: [{between: [ball, ball], stick: {length: 3}}]}\n";
    const Config config = parse_config(text, "none");
    EXPECT_EQ(in_found_box(config, std::nullopt), config);
    const Config found = in_found_box(config, FoundBox{{12.25, 6.125, 6.125}, 10});
    EXPECT_EQ(found.box.size, (Vec3{12.25, 6.125, 6.125}));
    EXPECT_EQ(found.species, config.species);
    EXPECT_EQ(in_found_box(found, FoundBox{{12.25, 6.125, 6.125}, 10}), found);
    EXPECT_EQ(parse_config(effective_yaml(found), "none"), found);
    try {
        in_found_box(config, FoundBox{{10, 5, 5}, 10});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    testing::StartsWith("placement.until_pressure: the input is not possible in the "
                                        "box of 10 x 5 x 5 that growth has found:\n"));
    }
}

}  // namespace
}  // namespace ricochet::test
