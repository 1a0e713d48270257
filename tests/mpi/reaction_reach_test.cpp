// SPDX-License-Identifier: BSD-3-Clause
//
// Plans count with the reach that the engine will find, and refuse what cannot run.
#include "theory/reaction_reach.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "dynamics/brownian.hpp"
#include "plan/plan.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

Config with_rules(const std::string& pairs, const std::string& height = "20",
                  const std::string& timestep = "0.001") {
    return parse_config("box: {size: [200, 200, " + height +
                            "], boundary: periodic}\n"
                            "species:\n"
                            "  - {name: A, radius: 2, diffusion: 100, count: 100}\n"
                            "  - {name: B, radius: 1.5, diffusion: 30, count: 100}\n"
                            "dynamics: {type: brownian, kT: 1}\n"
                            "contacts: {pairs: [" +
                            pairs + "]}\nrun: {timestep: " + timestep + ", steps: 10}\n",
                        "input.yaml");
}

TEST(ReactionReach, IsThatOfTheRulesOfContacts) {
    for (const char* rules :
         {"{between: [A, B], react: {to: [A], rate: 100}}", "{between: [A, B], react: {to: [A]}}",
          "{between: [B, B], coalesce: {rate: 10}}", "{between: [A, A], pass: {}}",
          "{between: [A, B], stick: {length: 1.2, rate: 10}}", "{between: [A, B], stick: {length: 3}}"}) {
        const Config config = with_rules(rules, "200");
        const ContactRules engine(world_of(config));
        double largest = 0;
        for (SpeciesIndex s = 0; s < 2; ++s) {
            const Species& species = config.species[s];
            const double mass = effective_mass(1, config.run.timestep, species.diffusion);
            const double reach = engine.reach({.radius = species.radius, .mass = mass, .species = s});
            EXPECT_NEAR(reaction_reach(world_of(config), s, species.radius, mass), reach, 2e-6 * reach)
                << rules;
            largest = std::max(largest, reach);
        }
        EXPECT_NEAR(largest_reaction_reach(world_of(config)), largest, 2e-6 * largest) << rules;
    }
}

std::string refusal_of(const Config& config) {
    try {
        make_plan(config, expected_summary(config), 1);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// As the run itself would be in its first step.
TEST(ReactionReach, MustFitIntoTheBox) {
    const std::string reaction = "{between: [A, A], react: {to: [A], rate: 100}}";
    EXPECT_THAT(
        refusal_of(with_rules(reaction)),
        testing::HasSubstr(
            "two particles take up 9.36656 with 6 standard deviations of their Brownian "
            "steps and 11.3969 with what reactions and tethers reach beyond surfaces; choose less than"));
    EXPECT_EQ(refusal_of(with_rules(reaction, "40")), "");
    EXPECT_EQ(refusal_of(with_rules("{between: [A, A], pass: {}}")), "");
    EXPECT_EQ(refusal_of(with_rules(reaction, "20", "0.0006")), "");
}

TEST(ReactionReach, WidensTheHalo) {
    const Config still = with_rules("{between: [A, A], pass: {}}", "40"),
                 far = with_rules("{between: [A, A], react: {to: [A], rate: 100}}", "40");
    const auto halo = [](const Config& config) {
        return make_plan(config, expected_summary(config), 1).slabs.halo_width;
    };
    EXPECT_NEAR(halo(far) - halo(still), 2 * largest_reaction_reach(world_of(far)), 1e-5);
}

}  // namespace
}  // namespace ricochet
