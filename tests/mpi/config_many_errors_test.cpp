// SPDX-License-Identifier: BSD-3-Clause
//
// Mistakes in several keys of an input: rules that tie keys together, and the order of messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

const std::string walls = changed(good_input, "[10, 12, 14]", "[10, 12, 14], boundary: reflecting");

/// Brownian dynamics refuses inelastic contacts.
TEST(BadInput, BrownianAndInelastic) {
    const std::string rules =
        "{restitution: 0.9, walls: {restitution: 0.8}, pairs: [{between: [a, b], restitution: 0.5}, "
        "{between: [a, wall], restitution: 1}]}";
    const std::string text = changed(changed(walls, "ballistic", "brownian"), "{restitution: 1}", rules);
    const std::string why = ", expected 1 with brownian dynamics (other values have no equilibrium there)";
    EXPECT_EQ(messages_of(text), "a.yaml:8:25: contacts.restitution: got 0.9" + why + "\n" +
                                     "a.yaml:8:51: contacts.walls.restitution: got 0.8" + why + "\n" +
                                     "a.yaml:8:96: contacts.pairs.0.restitution: got 0.5" + why);
}

/// Chances depend on the timestep, rates do not.
TEST(BadInput, BrownianProbability) {
    const std::string brownian = changed(good_input, "ballistic", "brownian");
    EXPECT_EQ(messages_of(changed(brownian, "{restitution: 1}",
                                  "{pairs: [{between: [a, b], react: {to: [a], probability: 0.5}}]}")),
              "a.yaml:8:68: contacts.pairs.0.react.probability: only has a meaning with dynamics.type "
              "ballistic; with brownian say rate (how many contacts there are depends on the timestep)");
    EXPECT_EQ(messages_of(changed(brownian, "{restitution: 1}",
                                  "{pairs: [{between: [a, b], react: {to: [a], rate: inf}}]}")),
              "a.yaml:8:61: contacts.pairs.0.react.rate: got inf, expected a number >= 0 or .inf (intrinsic "
              "rate), did you mean .inf?");
}

std::string messages_of_pairs(const std::string& text, const std::string& pairs) {
    return messages_of(changed(text, "{restitution: 1}", "{pairs: [" + pairs + "]}"));
}

/// Each wall takes one rule of a species.
TEST(BadInput, TwoRulesForAWall) {
    const std::string left = "{between: [a, wall], faces: [x-, y-], react: {to: []}}, ";
    EXPECT_EQ(messages_of_pairs(walls, left + "{between: [a, wall], faces: [x+], restitution: 0.5}"),
              "no error");
    EXPECT_EQ(messages_of_pairs(walls, left + "{between: [b, wall], restitution: 0.5}"), "no error");
    const std::string twice = "contacts.pairs.1.between: got a pair that has a rule already, first in line 8";
    EXPECT_EQ(messages_of_pairs(walls, left + "{between: [wall, a], faces: [x+, y-], restitution: 0.5}"),
              "a.yaml:8:86: " + twice);
    EXPECT_EQ(messages_of_pairs(walls, left + "{between: [wall, a], restitution: 0.5}"),
              "a.yaml:8:86: " + twice);
    EXPECT_EQ(messages_of_pairs(walls, "{between: [a, wall], faces: [x-, x-], restitution: 0.5}"),
              "a.yaml:8:48: contacts.pairs.0.faces: got a face twice, expected each once");
}

TEST(BadInput, FacesAlongZInTwoDimensions) {
    EXPECT_EQ(messages_of_pairs(changed(walls, ", 14]", "]"),
                                "{between: [a, wall], faces: [x-, z+], restitution: 0.5}"),
              "a.yaml:8:53: contacts.pairs.0.faces: got z+, expected faces along x or y in a box of 2 "
              "dimensions");
}

/// A product has the one radius of its species, or stays as it is.
TEST(BadInput, ProductsWithDrawnRadii) {
    const std::string drawn = changed(good_input, "radius: 0.4",
                                      "radius: {lognormal: {median: 0.4, sigma: 0.1, min: 0.3, max: 0.5}}");
    EXPECT_EQ(messages_of_pairs(drawn, "{between: [b, a], react: {to: [b]}}"), "no error");
    EXPECT_EQ(messages_of_pairs(drawn, "{between: [a, b], react: {to: [a, b]}}"), "no error");
    EXPECT_EQ(messages_of_pairs(drawn, "{between: [a, b], react: {to: [b, a]}}"),
              "a.yaml:8:51: contacts.pairs.0.react.to: got b, whose radii are drawn from a distribution, "
              "expected a species with one radius, or the one that the partner has already");
}

/// So is a species that only comes of reactions.
TEST(BadInput, ProductsWithoutMassOrDiffusion) {
    const std::string text =
        changed(good_input, "placement:", "  - {name: c, radius: 0.4, count: 0}\nplacement:");
    const std::string pairs = "{between: [a, b], react: {to: [c]}}";
    EXPECT_EQ(messages_of_pairs(text, pairs),
              "a.yaml:6:5: species.2.mass: missing, expected a number > 0 (mass of a particle)");
    EXPECT_EQ(messages_of_pairs(changed(text, "ballistic", "brownian"), pairs),
              "a.yaml:6:5: species.2.diffusion: missing, expected a number > 0 or a section with "
              "stokes_einstein (diffusion coefficient)");
}

/// Brownian species need a diffusion coefficient and no mass.
TEST(BadInput, BrownianWithMass) {
    const std::string brownian = changed(good_input, "ballistic", "brownian");
    EXPECT_EQ(messages_of(changed(brownian, "mass: 1, ", "")), "no error");
    EXPECT_EQ(
        messages_of(changed(brownian, "name: b, radius: 0.4, mass: 1, diffusion: 1", "name: b, radius: 0.4")),
        "a.yaml:5:5: species.1.diffusion: missing, expected a number > 0 or a section with stokes_einstein "
        "(diffusion coefficient)");
}

TEST(BadInput, AllErrorsAreReportedTogetherInOrder) {
    std::string text = changed(good_input, "timestep: 0.1", "timestep: -0.1");
    text = changed(text, "radius: 0.5", "radius: big");
    text = changed(text, "size:", "sise:");
    EXPECT_EQ(messages_of(text, {"run.steps=-1"}),
              "a.yaml:2:6: box.size: missing, expected a list of 2 or 3 numbers from 1e-12 to 1e+18 (edge "
              "lengths)\n"
              "a.yaml:2:7: box.sise: unknown key, did you mean size?\n"
              "a.yaml:4:23: species.0.radius: got big, expected a number > 0 or a section with lognormal "
              "(radius of "
              "the particles)\n"
              "a.yaml:9:17: run.timestep: got -0.1, expected a number > 0 (time between exchanges)\n"
              "--set run.steps=-1: run.steps: got -1, expected an integer from 0 to 1e+15 (number of "
              "steps)");
}

TEST(BadInput, ManyErrorsAreCounted) {
    std::string text = good_input;
    for (int k = 0; k < 100000; ++k) text += "unknown_" + std::to_string(k) + ": 1\n";
    const std::string messages = messages_of(text);
    EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 50);
    EXPECT_NE(messages.find("\na.yaml: and 99950 more errors"), std::string::npos);
}

}  // namespace
}  // namespace ricochet
