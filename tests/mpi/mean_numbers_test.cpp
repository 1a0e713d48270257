// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan expects of particles that react, come and go.
#include "plan/mean_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "plan/growth_outlook.hpp"
#include "plan/plan.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Rabbits and foxes at the fixed point of their mean rates: the rate of foxes that meet rabbits is 8,000, by the
/// intrinsic rate and 4 pi D R (1 + R (K/D)^1/2) = 19,045, where foxes decay at K = 10.
Config predators(const std::string& height, const std::string& output = "") {
    return parse_config("box: {size: [200, 200, " + height +
                            "], boundary: periodic}\n"
                            "species:\n"
                            "  - {name: rabbit, radius: 2, diffusion: 100, count: 1000}\n"
                            "  - {name: fox, radius: 2, diffusion: 100, count: 1000}\n"
                            "dynamics: {type: brownian, kT: 1}\n"
                            "contacts:\n"
                            "  pairs:\n"
                            "    - {between: [rabbit, fox], react: {to: [fox, fox], rate: 13794.6}}\n"
                            "    - {between: [rabbit, rabbit], pass: {}}\n"
                            "    - {between: [fox, fox], pass: {}}\n"
                            "decays:\n"
                            "  - {from: rabbit, to: [rabbit, rabbit], rate: 10}\n"
                            "  - {from: fox, to: [], rate: 10}\n"
                            "run: {timestep: 0.001, steps: 10000}\n"
                            "output: {trajectory_every: 1000, collisions: none" +
                            output + "}\n",
                        "predators.yaml");
}

Config breeding(const std::string& rules) {
    return parse_config(
        "box: {size: [40, 20, 20]}\nspecies: [{name: A, radius: 0.5, mass: 1, count: 1000}]\n"
        "dynamics: {type: ballistic, kT: 1}\n" +
            rules + "run: {timestep: 0.01, steps: 200}\noutput: {trajectory_every: 10}\n",
        "input.yaml");
}

/// A decay of what an association made brings back the particle that had ended: only particles of the start bear new
/// ones.
TEST(MeanNumbers, OfReversiblePairsCountNoReturns) {
    const auto births = [](const std::string& count) {
        return mean_numbers(
                   parse_config("box: {size: [18, 18, 18], boundary: periodic}\n"
                                "species:\n"
                                "  - {name: A, radius: 0.5, diffusion: 1, count: 100}\n"
                                "  - {name: B, radius: 0.5, diffusion: 1, count: 100}\n"
                                "  - {name: C, radius: 0.5, diffusion: 1, count: " +
                                    count +
                                    "}\n"
                                    "dynamics: {type: brownian, kT: 1}\n"
                                    "contacts: {pairs: [{between: [A, B], react: {to: [C], rate: 100}}]}\n"
                                    "decays: [{from: C, to: [A, B], rate: 2}]\n"
                                    "run: {timestep: 0.01, steps: 3000}\n",
                                "pairs.yaml"))
            .births;
    };
    EXPECT_EQ(births("0"), 0);
    EXPECT_NEAR(births("80"), 80, 1e-6);
}

/// What a decay leaves in contact reacts before it parts with the share k/(k + 4 pi D R). So A, which makes B and is
/// eaten by it, has (k + 4 pi D R)/k births in its life where B lives shortly.
TEST(MeanNumbers, CountProductsThatPart) {
    const double encounters = 4 * std::acos(-1) * 2 * 0.6, rate = 100;
    const auto births = [&](const std::string& react) {
        return mean_numbers(
                   parse_config(
                       "box: {size: [400, 400, 400]}\nspecies:\n"
                       "  - {name: A, radius: 0.3, diffusion: 1, count: 300}\n"
                       "  - {name: B, radius: 0.3, diffusion: 1, count: 0}\n"
                       "dynamics: {type: brownian, kT: 1}\n"
                       "contacts: {pairs: [{between: [A, B], react: {to: [B]" +
                           react +
                           "}}]}\n"
                           "decays: [{from: A, to: [A, B], rate: 3}, {from: B, to: [], rate: 0.01}]\n"
                           "run: {timestep: 0.005, steps: 4000}\n",
                       "eaten.yaml"))
            .births;
    };
    EXPECT_NEAR(births(", rate: 100") / (300 * (rate + encounters) / rate), 1, 0.05);
    EXPECT_NEAR(births(""), 300, 3);
}

TEST(MeanNumbers, OfPredatorsStayAtTheFixedPoint) {
    const MeanNumbers means = mean_numbers(predators("20"));
    EXPECT_NEAR(means.births, 1e5, 1e3);
    EXPECT_NEAR(means.at_end, 2000, 20);
    EXPECT_NEAR(means.over_run, 2000, 20);
    EXPECT_NEAR(means.births_so_far, 5e4, 5e2);
    EXPECT_FALSE(means.full_at);
}

/// In a dilute gas the annihilation A + A -> nothing follows n = n0 / (1 + k n0 t).
TEST(MeanNumbers, FollowTheRateEquation) {
    const Config config = breeding("contacts: {pairs: [{between: [A, A], react: {to: []}}]}\n");
    const double pi = std::acos(-1), constant = pi * std::sqrt(2.0) * std::sqrt(8 / pi);
    EXPECT_NEAR(mean_numbers(config).at_end / (1000 / (1 + constant * 1000 / 16000 * 2)), 1, 0.01);
}

/// The heavier of two that coalesce goes on, whichever the input names first. The rate of a monomer is 4 pi (D + D') R
/// n.
TEST(MeanNumbers, KeepTheHeavierOfTwoThatCoalesce) {
    const std::string monomer = "  - {name: monomer, radius: 0.1, diffusion: 9, count: 2000}\n";
    const std::string aggregate = "  - {name: aggregate, radius: 0.9, diffusion: 1, count: 10}\n";
    const double expected = 10 + 2000 * std::exp(-4 * std::acos(-1) * 10 * 1 * (10 / 8000.0) * 5);
    for (const std::string& species : {monomer + aggregate, aggregate + monomer}) {
        const Config config = parse_config("box: {size: [20, 20, 20]}\nspecies:\n" + species +
                                               "dynamics: {type: brownian, kT: 1}\ncontacts: {pairs: "
                                               "[{between: [monomer, aggregate], coalesce: {}}]}\n"
                                               "run: {timestep: 0.001, steps: 5000}\n",
                                           "input.yaml");
        EXPECT_NEAR(mean_numbers(config).at_end / expected, 1, 0.01);
    }
}

TEST(MeanNumbers, AreBoundedByTheRoom) {
    const std::string many = "decays: [{from: A, to: [A, A], rate: 1000}]\n";
    const MeanNumbers full = mean_numbers(breeding(many));
    ASSERT_TRUE(full.full_at);
    EXPECT_LT(*full.full_at, 0.1);
    EXPECT_LT(full.births, 1e9);
    EXPECT_EQ(mean_numbers(breeding("contacts: {pairs: [{between: [A, A], pass: {}}]}\n" + many)).births,
              most_births);
}

std::string growth_of(const Config& config) {
    const ParticleSummary particles = expected_summary(config);
    std::string text;
    for (const std::string& sentence : describe_growth(config, particles, make_plan(config, particles, 1)))
        text += sentence + "\n";
    return text;
}

TEST(PlanOfGrowth, SaysWhatFramesWithBirthsTake) {
    EXPECT_EQ(predators("40").output.compression, OutputCompression::gzip);
    const std::string packed = growth_of(predators("40"));
    EXPECT_THAT(packed, HasSubstr("new particles by the end of the run"));
    EXPECT_THAT(packed, HasSubstr("gzip packs rows"));
    const std::string unpacked = growth_of(predators("40", ", compression: none"));
    EXPECT_THAT(unpacked, HasSubstr("a particle that has ended keeps its row"));
    EXPECT_EQ(breeding("").output.compression, OutputCompression::none);
}

TEST(Plan, NamesTheTurnedBox) {
    const Config slit = parse_config(
        "box: {size: [15, 200, 200]}\nspecies: [{name: A, radius: 0.5, mass: 1, count: 1000}]\n"
        "dynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.01, steps: 200}\n",
        "input.yaml");
    const RunPlan plan = make_plan(slit, expected_summary(slit), 1);
    EXPECT_LT(plan.slabs.largest_rank_count, 15);
    EXPECT_EQ(plan.turned.edge, 'y');
    EXPECT_GT(plan.turned.largest_rank_count, 100);
}

}  // namespace
}  // namespace ricochet
