// SPDX-License-Identifier: BSD-3-Clause
//
// Patches of bodies, and bodies that some species pass: what inputs say of them becomes, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/world_facts.hpp"
#include "ricochet/contact/rules.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

/// The good input with these bodies in line 3 and rules in line 9, in a box of 10, 12 and 14 with walls.
std::string with(const std::string& bodies, const std::string& pairs, bool is_brownian = false) {
    std::string text =
        changed(good_input, "14]}\n", "14], boundary: reflecting}\nbodies: [" + bodies + "]\n");
    text = changed(text, "{restitution: 1}", "{pairs: [" + pairs + "]}");
    return is_brownian ? changed(text, "ballistic", "brownian") : text;
}

Config config_of(const std::string& text) { return parse_config(text, "a.yaml"); }

void expect_effective(const Config& config) {
    const std::string effective = effective_yaml(config);
    EXPECT_EQ(parse_config(effective, config.input_name), config) << effective;
}

const std::string cell =
    "{name: c, sphere: {centre: [5, 6, 7], radius: 4}, side: inside, patches: [{name: p, direction: [0, 2, "
    "0], "
    "radius: 0.5}, {name: q, centre: [1, 6, 7], radius: 1}]}";
const std::string vesicle = "{name: v, sphere: {centre: [5, 6, 7], radius: 2}, side: both}";
const std::string rod =
    "{name: r, capsule: {from: [3, 6, 7], to: [7, 6, 7], radius: 1}, patches: [{name: p, direction: "
    "[1, 0, 0], radius: 1}, {name: q, direction: [1, 1, 0], radius: 1}, {name: s, direction: "
    "[2, 1, 0], radius: 1}]}";

TEST(ConfigPatches, ArePlacedOnSurfaces) {
    const Config config = config_of(with(cell, "{between: [a, c.p], react: {to: [b]}}"));
    const World world = world_of(config);
    const std::vector<BodyPatch>& patches = world.bodies.at(0).patches;
    ASSERT_EQ(patches.size(), 2u);
    EXPECT_EQ(patches[0], (BodyPatch{"p", {5, 10, 7}, 0.5}));
    EXPECT_EQ(patches[1], (BodyPatch{"q", {1, 6, 7}, 1}));
    EXPECT_EQ(names_of_body_parts(world.bodies), (std::vector<std::string>{"c", "c.p", "c.q"}));
    expect_effective(config);
}

TEST(ConfigPatches, ArePlacedOnCapsules) {
    const World world = world_of(config_of(with(rod, "{between: [a, r], restitution: 0.5}")));
    const std::vector<BodyPatch>& patches = world.bodies.at(0).patches;
    EXPECT_LT(norm(patches[0].centre - Vec3{8, 6, 7}), 1e-12);
    EXPECT_LT(norm(patches[1].centre - Vec3{6, 7, 7}), 1e-12);
    EXPECT_LT(norm(patches[2].centre - Vec3{7, 7, 7}), 1e-12);
}

/// A rule of a patch counts there, wherever it stands in the input; else that of its body does.
TEST(ConfigPatches, HaveRulesOfTheirOwn) {
    const Config config = config_of(with(cell,
                                         "{between: [c.q, a], react: {to: []}}, {between: [a, c], react: "
                                         "{to: [b], probability: 0.5}}"));
    const World world = world_of(config);
    const ContactRules rules(world);
    EXPECT_EQ(rules.body_rule_number(0, first_body), 1u);
    EXPECT_EQ(rules.body_rule_number(0, first_body + 1), 1u);
    EXPECT_EQ(rules.body_rule_number(0, first_body + 2), 0u);
    EXPECT_EQ(rules.body_rule_number(1, first_body + 2), no_rule);
    EXPECT_EQ(names_of_rules(world), (std::vector<std::string>{"a + c.q -> nothing", "a + c -> b"}));
    expect_effective(config);
}

TEST(ConfigPatches, AreChecked) {
    const std::string start = "{name: c, sphere: {centre: [5, 6, 7], radius: 4}, patches: [{name: ";
    const auto message = [&](const std::string& patch,
                             const std::string& pairs = "{between: [a, a], pass: {}}") {
        return messages_of(with(start + patch + "}]}", pairs));
    };
    EXPECT_EQ(message("p, direction: [1, 0, 0], radius: 1"), "no error");
    EXPECT_EQ(message("p, radius: 1"),
              "a.yaml:3:70: bodies.0.patches.0: missing, expected one of direction, centre");
    EXPECT_EQ(message("p, direction: [0, 0, 0], radius: 1"),
              "a.yaml:3:91: bodies.0.patches.0.direction: got only zeros, expected a direction");
    EXPECT_EQ(message("p, centre: [5, 6], radius: 1"),
              "a.yaml:3:88: bodies.0.patches.0.centre: got 2 numbers, expected 3 in a box of 3 dimensions");
    EXPECT_EQ(message("p, centre: [5, 6, 7], radius: 1"),
              "a.yaml:3:88: bodies.0.patches.0.centre: got a place 4 from the surface, expected at most the "
              "radius 1");
    EXPECT_EQ(message("p.q, direction: [1, 0, 0], radius: 1"),
              "a.yaml:3:77: bodies.0.patches.0.name: got p.q, expected a name without a dot");
    EXPECT_EQ(message("p, direction: [1, 0, 0], radius: 1}, {name: p, direction: [0, 1, 0], radius: 1"),
              "a.yaml:3:121: bodies.0.patches.1.name: got p twice, expected names that differ");
    EXPECT_EQ(message("p, direction: [1, 0, 0], radius: 1", "{between: [a, c.q], react: {to: []}}"),
              "a.yaml:9:34: contacts.pairs.0.between: got c.q, expected the name of a species, wall or body, "
              "did you mean c.p?");
    EXPECT_EQ(messages_of(with(
                  "{name: c, plane: {point: [5, 6, 7], normal: [0, 0, 1]}, side: both, patches: [{name: p, "
                  "direction: [1, 0, 0], radius: 1}]}",
                  "{between: [a, a], pass: {}}")),
              "a.yaml:3:109: bodies.0.patches.0.direction: got a direction, expected centre (there is no one "
              "middle of plane)");
}

TEST(ConfigPasses, AreThoseOfTheDynamics) {
    const ContactRules by_chance(
        world_of(config_of(with(vesicle, "{between: [a, v], pass: {probability: 0.25}}"))));
    EXPECT_EQ(by_chance.at_body(0, first_body), ContactRule(Pass{.probability = 0.25}));
    EXPECT_EQ(by_chance.at_body(1, first_body), ContactRule(Bounce{}));
    const Config config =
        config_of(with(vesicle, "{between: [v, a], pass: {rate: 0.5}}, {between: [b, v], pass: {}}", true));
    const ContactRules at_rate(world_of(config));
    EXPECT_EQ(at_rate.body_rate(0, first_body), 0.5);
    EXPECT_EQ(at_rate.at_body(1, first_body), ContactRule(Pass{}));
    EXPECT_FALSE(at_rate.body_rate(1, first_body).has_value());
    expect_effective(config);
}

TEST(ConfigPasses, AreChecked) {
    const std::string at_patch = changed(vesicle, "side: both",
                                         "side: both, patches: [{name: p, direction: [1, 0, 0], "
                                         "radius: 1}]");
    EXPECT_EQ(messages_of(with(vesicle, "{between: [a, v], pass: {rate: 1}}")),
              "a.yaml:9:51: contacts.pairs.0.pass.rate: only has a meaning with dynamics.type brownian; with "
              "ballistic say "
              "probability (the chance to pass, for each contact)");
    EXPECT_EQ(messages_of(with(vesicle, "{between: [a, a], pass: {probability: 0.5}}")),
              "a.yaml:9:58: contacts.pairs.0.pass.probability: got 0.5 for two species, which pass at every "
              "contact, "
              "expected it for a species and a body");
    EXPECT_EQ(
        messages_of(with(vesicle, "{between: [a, v], pass: {}, restitution: 0.5}")),
        "a.yaml:9:61: contacts.pairs.0.restitution: has no meaning beside pass (what does not pass bounces "
        "elastically)");
    EXPECT_EQ(messages_of(with(at_patch, "{between: [a, v.p], pass: {}}")),
              "a.yaml:9:46: contacts.pairs.0.pass: got pass at a patch, expected the whole body");
    EXPECT_EQ(
        messages_of(with(at_patch, "{between: [a, v], pass: {}}, {between: [a, v.p], react: {to: []}}")),
        "a.yaml:9:59: contacts.pairs.1.between: got a patch of v, which a passes, expected a species that "
        "does "
        "not");
}

TEST(ConfigPasses, NeedSurfacesOfTheirOwn) {
    const std::string both = vesicle + ", " + changed(vesicle, "name: v", "name: w");
    EXPECT_NE(
        messages_of(with(both, "{between: [a, v], pass: {}}, {between: [a, w], pass: {}}"))
            .find(
                "contacts.pairs.1.pass: got w, which has the same surface as v, expected one membrane there"),
        std::string::npos);
    EXPECT_EQ(messages_of(with(both, "{between: [a, v], pass: {}}, {between: [b, w], pass: {}}")),
              "no error");
}

}  // namespace
}  // namespace ricochet
