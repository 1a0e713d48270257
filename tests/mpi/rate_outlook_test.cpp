// SPDX-License-Identifier: BSD-3-Clause
//
// Notes on steps that are long for reactions and tethers, and the refusal of the longest.
#include "theory/rate_outlook.hpp"
#include "theory/mass_outlook.hpp"
#include "theory/product_outlook.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "plan/plan.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Relative steps of (4 timestep)^1/2 for a contact distance of 1.
Config reacting(const std::string& rule, const std::string& timestep, const std::string& more = "") {
    return parse_config(
        "box: {size: [200, 200, 200]}\nspecies: [{name: A, radius: 0.5, diffusion: 1, count: 10}, "
        "{name: C, radius: 0.5, diffusion: 1, count: 0}]\n"
        "dynamics: {type: brownian, kT: 1}\ncontacts: {pairs: [{between: [A, A], " +
            rule + "}]}\nrun: {timestep: " + timestep + ", steps: 10" + more + "}\n",
        "input.yaml");
}

const std::string reaction = "react: {to: [C], rate: 1}";

std::string text_of(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += sentence + "\n";
    return text;
}

TEST(RateOutlook, NamesTheErrorOfLongSteps) {
    EXPECT_THAT(text_of(describe_rates(world_of(reacting(reaction, "0.05")))), Not(HasSubstr("too often")));
    EXPECT_THAT(text_of(describe_rates(world_of(reacting(reaction, "1")))),
                HasSubstr("got 2 of a contact distance, expected at most 0.5; reactions that are slow beside "
                          "diffusion come about 1.17 times too often"));
    EXPECT_THAT(text_of(describe_rates(world_of(reacting(reaction, "9.9225", ", reaction_steps: any")))),
                HasSubstr("about 1.70 times too often"));
}

/// A sphere of radius 2 is touched by centres at 2.5 and crossed at 2; steps of 0.5 and 8 have sqrt(2 D dt) 1 and 4.
TEST(RateOutlook, ComparesStepsWithBentBodies) {
    const auto notes = [](const std::string& body, const std::string& rule, const std::string& timestep) {
        return text_of(describe_rates(world_of(
            parse_config("box: {size: [30, 30, 30], boundary: reflecting}\nbodies: [{name: cell, " + body +
                             "}]\nspecies: [{name: A, radius: 0.5, diffusion: 1, count: 1}]\n"
                             "dynamics: {type: brownian, kT: 1}\ncontacts: {pairs: [{between: [A, cell], " +
                             rule + "}]}\nrun: {timestep: " + timestep + ", steps: 1}\n",
                         "input.yaml"))));
    };
    const std::string sphere = "sphere: {centre: [15, 15, 15], radius: 2}", both = sphere + ", side: both",
                      inside = sphere + ", side: inside",
                      plane = "plane: {point: [0, 0, 15], normal: [0, 0, 1]}",
                      absorbing = "react: {to: [], rate: 1}", passing = "pass: {rate: 1}";
    EXPECT_EQ(notes(sphere, absorbing, "0.5"),
              "A + cell -> nothing: relative step 0.4 of the radius at contact (rms along an axis)\n");
    EXPECT_THAT(notes(sphere, absorbing, "8"),
                HasSubstr("got 1.6 of the radius at contact, expected at most 0.5"));
    EXPECT_THAT(notes(sphere, absorbing, "8"), HasSubstr("choose about 0.78"));
    EXPECT_THAT(notes(inside, absorbing, "0.5"), HasSubstr("relative step 0.667 of"));
    EXPECT_THAT(notes(both, passing, "0.5"), HasSubstr("relative step 0.5 of"));
    EXPECT_THAT(notes(both, passing, "0.5"), Not(HasSubstr("are long")));
    EXPECT_EQ(notes(plane, absorbing, "8"), "");
    EXPECT_EQ(notes(sphere, "react: {to: []}", "8"), "");
}

/// Ballistic partners of masses 1 and 2.
TEST(RateOutlook, NamesReactionsThatChangeMasses) {
    const auto masses = [](const std::string& products, const std::string& kT = "ballistic, kT: 1") {
        return text_of(describe_masses(world_of(parse_config(
            "box: {size: [20, 20, 20]}\nspecies: [{name: A, radius: 0.5, mass: 1, diffusion: 1, count: 1}, "
            "{name: B, radius: 0.5, mass: 2, diffusion: 1, count: 1}, "
            "{name: C, radius: 0.5, mass: 3, diffusion: 1, count: 0}]\ndynamics: {type: " +
                kT + "}\ncontacts: {pairs: [{between: [B, A], react: {to: [" + products +
                "]}}]}\nrun: {timestep: 0.1, steps: 1}\n",
            "input.yaml"))));
    };
    EXPECT_THAT(masses("A, B"),
                HasSubstr("a mass of 2 becomes one of 1: each such reaction changes momentum"));
    EXPECT_THAT(masses("B, C"), HasSubstr("a mass of 1 becomes one of 3"));
    EXPECT_THAT(masses("A"), HasSubstr("a mass of 3 becomes one of 1"));
    for (const char* products : {"C", "B, A", ""}) EXPECT_EQ(masses(products), "") << products;
    EXPECT_EQ(masses("A, B", "brownian, kT: 1"), "");
}

TEST(RateOutlook, RefusesTheLongest) {
    const auto refusal = [](const Config& config) -> std::string {
        try {
            make_plan(config, expected_summary(config), 1);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(reacting(reaction, "2.2")), "");
    EXPECT_THAT(
        refusal(reacting(reaction, "4")),
        HasSubstr("run.timestep: got 4, too long for A + A -> C: the relative step is 4 contact distances, "
                  "expected at most 3"));
    EXPECT_THAT(refusal(reacting(reaction, "4")),
                HasSubstr("choose about 0.062, or run.reaction_steps: any"));
    EXPECT_EQ(refusal(reacting(reaction, "4", ", reaction_steps: any")), "");
    EXPECT_EQ(refusal(reacting("pass: {}", "4")), "");
}

/// Products that touch and react for certain are no partners of a reversible reaction.
TEST(RateOutlook, NamesDecaysThatAreUndone) {
    const auto notes = [](const std::string& rule, const std::string& products) {
        return text_of(describe_decays(world_of(parse_config(
            "box: {size: [20, 20, 20]}\nspecies: [{name: A, radius: 0.5, diffusion: 1, count: 10}, "
            "{name: B, radius: 0.5, diffusion: 1, count: 10}, {name: C, radius: 0.6, diffusion: 1, count: "
            "0}]\n"
            "dynamics: {type: brownian, kT: 1}\ncontacts: {pairs: [{between: [B, A], " +
                rule + "}]}\ndecays: [{from: C, to: " + products +
                ", rate: 1}]\n"
                "run: {timestep: 0.01, steps: 10}\n",
            "input.yaml"))));
    };
    const std::string certain = "react: {to: [C], rate: .inf}";
    const char* said =
        "decays of C: its products A and B touch, and react in their first step because the rate of A + B is "
        "infinite; expected the intrinsic rate, with which some part\n";
    EXPECT_THAT(notes(certain, "[A, B]"), HasSubstr(said));
    EXPECT_THAT(notes("react: {to: [C]}", "[A, B]"), HasSubstr(said));
    EXPECT_THAT(notes("coalesce: {}", "[A, B]"), HasSubstr(said));
    EXPECT_THAT(notes("react: {to: [C], rate: 100}", "[A, B]"), Not(HasSubstr("first step")));
    EXPECT_THAT(notes("pass: {}", "[A, B]"), Not(HasSubstr("first step")));
    EXPECT_THAT(notes(certain, "[A, A]"), Not(HasSubstr("first step")));
    EXPECT_THAT(notes(certain, "[A]"), Not(HasSubstr("first step")));
}

TEST(RateOutlook, ComparesStepsWithSlack) {
    const std::string short_steps =
        text_of(describe_tethers(world_of(reacting("stick: {length: 1.5}", "0.0025"))));
    EXPECT_THAT(short_steps, HasSubstr("A + A stick: relative step 0.2 of the slack of a tether"));
    EXPECT_THAT(short_steps, Not(HasSubstr("are long")));
    EXPECT_THAT(text_of(describe_tethers(world_of(reacting("stick: {length: 1.5}", "0.1225")))),
                HasSubstr("got 1.4 of the slack, expected at most 0.5"));
    EXPECT_EQ(text_of(describe_tethers(world_of(reacting(reaction, "1")))), "");
}

/// C has the radius 1.2.
TEST(ProductOutlook, NamesBodiesWithoutRoom) {
    const auto notes = [](const std::string& body, const std::string& rules) {
        return text_of(describe_products(world_of(
            parse_config("box: {size: [30, 30, 30], boundary: reflecting}\nbodies: [{name: cell, " + body +
                             "}]\nspecies: [{name: A, radius: 0.5, mass: 1, count: 2}, {name: C, radius: "
                             "1.2, mass: 1, count: "
                             "0}]\ndynamics: {type: ballistic, kT: 1}\ncontacts: {pairs: [" +
                             rules + "]}\nrun: {timestep: 0.1, steps: 1}\n",
                         "input.yaml"))));
    };
    const std::string narrow = "box: {low: [9, 9, 9], high: [11, 15, 15]}, side: both",
                      wide = "box: {low: [9, 9, 9], high: [12, 15, 15]}, side: both",
                      makes_c = "{between: [A, A], react: {to: [C]}}";
    EXPECT_THAT(notes(narrow, makes_c),
                HasSubstr("bodies: cell has no room for the product C: its radius is 1.2, "
                          "expected less than 1;"));
    EXPECT_THAT(notes("sphere: {centre: [15, 15, 15], radius: 1.2}, side: both", makes_c),
                HasSubstr("expected less than 1.2;"));
    EXPECT_EQ(notes(wide, makes_c), "");
    EXPECT_EQ(notes(narrow, "{between: [A, A], restitution: 1}"), "");
    EXPECT_EQ(notes(narrow, makes_c + ", {between: [C, cell], pass: {}}"), "");
    EXPECT_EQ(notes("plane: {point: [0, 0, 15], normal: [0, 0, 1]}, side: both", makes_c), "");
}

}  // namespace
}  // namespace ricochet
