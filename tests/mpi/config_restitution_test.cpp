// SPDX-License-Identifier: BSD-3-Clause
//
// Restitution by the speed of approach in inputs: where it may stand, what becomes of it, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "contact/response.hpp"
#include "model/world_facts.hpp"
#include "tests/support/mpi/good_input.hpp"
#include "theory/contact_rate.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

constexpr RestitutionLaw ice{0.32, 0.234, 0.01};
const std::string law = "{bridges: {scale: 0.32, exponent: 0.234, speed: 0.01}}";
const std::string everywhere = "contacts.restitution=" + law;
const std::string at_walls = "contacts.walls={restitution: " + law + "}";
const std::string walled = "box.boundary=reflecting";
const std::string gravity = "fields={gravity: [0, 0, -9.81]}";
const std::string cell =
    "bodies=[{name: c, sphere: {centre: [5, 6, 7], radius: 4}, side: inside, patches: [{name: p, direction: "
    "[1, 0, 0], radius: 1}]}]";
const std::string swinging = "walls=[{face: z-, vibrating: {amplitude: 0.1, frequency: 0.5}}]";

std::string pairs(const std::string& rules) { return "contacts.pairs=[" + rules + "]"; }

/// Checks that its effective input says the same.
Config config_of(const std::vector<std::string>& overrides) {
    Config config = parse_config(good_input, "a.yaml", overrides);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
    return config;
}
World world_with(const std::vector<std::string>& overrides) { return world_of(config_of(overrides)); }

TEST(ConfigRestitution, IsOfPairsAndWalls) {
    const World world = world_with({everywhere});
    EXPECT_EQ(world.pair_rule, ContactRule(Bounce{ice}));
    EXPECT_EQ(world.wall_rule, ContactRule(Bounce{ice}));
    EXPECT_FALSE(is_elastic(world));
    EXPECT_EQ(world_with({}).pair_rule, ContactRule(Bounce{}));
    EXPECT_EQ(effective_yaml(config_of({})).find("bridges"), std::string::npos);
}

TEST(ConfigRestitution, OfWallsMayBeAnother) {
    EXPECT_EQ(world_with({at_walls}).wall_rule, ContactRule(Bounce{ice}));
    EXPECT_EQ(world_with({at_walls}).pair_rule, ContactRule(Bounce{}));
    EXPECT_EQ(world_with({at_walls, "contacts.restitution=0.5"}).pair_rule, ContactRule(Bounce{0.5}));
    EXPECT_EQ(world_with({everywhere, "contacts.walls={restitution: 0.5}"}).wall_rule,
              ContactRule(Bounce{0.5}));
}

TEST(ConfigRestitution, IsOfRules) {
    const World world = world_with({walled, pairs("{between: [a, b], restitution: " + law +
                                                  "}, {between: [a, wall], faces: [x-], "
                                                  "restitution: " +
                                                  law + "}, {between: [b, wall], restitution: 0.5}")});
    ASSERT_EQ(world.rules.size(), 3u);
    EXPECT_EQ(world.rules[0].rule, ContactRule(Bounce{ice}));
    EXPECT_EQ(world.rules[1].rule, ContactRule(Bounce{ice}));
    EXPECT_EQ(world.rules[2].rule, ContactRule(Bounce{0.5}));
}

TEST(ConfigRestitution, IsOfBodiesAndPatches) {
    const World world = world_with({cell, pairs("{between: [a, c], restitution: " + law +
                                                "}, {between: [b, c.p], restitution: " + law + "}")});
    ASSERT_EQ(world.rules.size(), 2u);
    EXPECT_EQ(world.rules[0].rule, ContactRule(Bounce{ice}));
    EXPECT_EQ(world.rules[1].rule, ContactRule(Bounce{ice}));
}

/// Of the contacts that do not react or stick: by a rule's own key, or by the one for all.
TEST(ConfigRestitution, IsOfChances) {
    for (const std::string outcome :
         {"react: {to: [b, a], probability: 0.5}", "stick: {length: 1.5, probability: 0.5}"})
        for (const bool is_own : {true, false}) {
            const std::string own = is_own ? ", restitution: " + law : "";
            const std::string common = is_own ? "contacts.restitution=0.5" : everywhere;
            const World world = world_with({common, pairs("{between: [a, b], " + outcome + own + "}")});
            ASSERT_EQ(world.rules.size(), 1u);
            EXPECT_EQ(bounce_by(world.rules[0].rule), Bounce{ice}) << outcome << own;
        }
}

/// Slow contacts are elastic, so that no duration is needed.
TEST(ConfigRestitution, NeedsNoDuration) {
    for (const std::string& where : {everywhere, at_walls})
        for (const std::string& what : {gravity, cell, swinging}) {
            EXPECT_EQ(messages_of(good_input, {walled, what, where}), "no error") << what;
            EXPECT_EQ(messages_of(good_input, {walled, what, where, "contacts.collapse={duration: 1e-3}"}),
                      "no error")
                << what;
        }
    const std::string of_cell = pairs("{between: [a, c], restitution: " + law + "}");
    EXPECT_EQ(messages_of(good_input, {walled, gravity, cell, of_cell}), "no error");
    const std::string of_wall = pairs("{between: [a, wall], restitution: " + law + "}");
    EXPECT_EQ(messages_of(good_input, {walled, gravity, swinging, of_wall}), "no error");
}

/// Constants beside it need one as ever.
TEST(BadInput, ConstantsBesideALawNeedADuration) {
    for (const std::string& what : {gravity, cell, swinging})
        EXPECT_NE(messages_of(good_input, {walled, what, everywhere, "contacts.walls={restitution: 0.5}"})
                      .find("contacts.walls.restitution: got 0.5"),
                  std::string::npos)
            << what;
}

/// Each with a part of its sentence.
TEST(BadInput, RestitutionBySpeedHasThreeNumbers) {
    const std::string key = "contacts.restitution.bridges";
    const auto with = [](const std::string& numbers) {
        return "contacts.restitution={bridges: {" + numbers + "}}";
    };
    const std::vector<std::pair<std::string, std::string>> cases{
        {with("scale: 0, exponent: 0.2, speed: 1"), key + ".scale: got 0, expected a number > 0"},
        {with("scale: -1, exponent: 0.2, speed: 1"), key + ".scale: got -1, expected a number > 0"},
        {with("scale: .nan, exponent: 0.2, speed: 1"),
         key + ".scale: got .nan, expected a finite number > 0"},
        {with("scale: .inf, exponent: 0.2, speed: 1"),
         key + ".scale: got .inf, expected a finite number > 0"},
        {with("scale: [1, 2], exponent: 0.2, speed: 1"), key + ".scale: got a list"},
        {with("scale: 1e-200, exponent: 0.2, speed: 1"),
         key + ".scale: got 1e-200, expected a magnitude from 1e-100 to 1e100"},
        {with("scale: 1, exponent: 0, speed: 1"), key + ".exponent: got 0, expected a number > 0 and <= 1"},
        {with("scale: 1, exponent: 1.1, speed: 1"),
         key + ".exponent: got 1.1, expected a number > 0 and <= 1"},
        {with("scale: 1, exponent: -0.234, speed: 1"),
         key + ".exponent: got -0.234, expected a number > 0 and <= 1"},
        {with("scale: 1, exponent: 0.2, speed: 0"), key + ".speed: got 0, expected a number > 0"},
        {with("scale: 1, exponent: 0.2, speed: -0.01"), key + ".speed: got -0.01, expected a number > 0"},
        {with("scale: 1, exponent: 0.2, speed: fast"), key + ".speed: got fast, expected a number > 0"},
        {with("scale: 1, exponent: 0.2"), key + ".speed: missing, expected a number > 0"},
        {with("scale: 1, speed: 1"), key + ".exponent: missing"},
        {with("exponent: 0.2, speed: 1"), key + ".scale: missing"},
        {with("scale: 1, exponent: 0.2, speed: 1, power: 1"), key + ".power: unknown key"},
        {with("scale: 1, exponents: 0.2, speed: 1"), key + ".exponents: unknown key, did you mean exponent?"},
        {"contacts.restitution={}", "contacts.restitution.bridges: missing"},
        {"contacts.restitution={bridges: 0.3}",
         key + ": got 0.3, expected a section with scale, exponent, speed"},
        {"contacts.restitution={bridge: {scale: 1}}",
         "contacts.restitution.bridge: unknown key, did you mean bridges?"},
        {"contacts.restitution=bridges",
         "contacts.restitution: got bridges, expected a number from 0 to 1 or a section with bridges"},
        {"contacts.restitution=[0.3]", "contacts.restitution: got a list"},
        {"contacts.walls={restitution: {bridges: {scale: 0, exponent: 0.2, speed: 1}}}",
         "contacts.walls.restitution.bridges.scale: got 0"},
        {"contacts.pairs=[{between: [a, b], restitution: {bridges: {scale: 0, exponent: 0.2, speed: 1}}}]",
         "contacts.pairs.0.restitution.bridges.scale: got 0"},
        {"contacts={bridges: {scale: 1, exponent: 0.2, speed: 1}}",
         "contacts.bridges: unknown key, did you mean contacts.restitution.bridges?"}};
    for (const auto& [override, sentence] : cases)
        EXPECT_NE(messages_of(good_input, {override}).find(sentence), std::string::npos)
            << override << '\n'
            << messages_of(good_input, {override});
}

/// Its keys are common words, which elsewhere mean something else.
TEST(BadInput, KeysOfTheLawAreNotSuggestedElsewhere) {
    for (const char* const key : {"species.0.speed=1", "run.scale=1", "box.exponent=1"})
        EXPECT_EQ(messages_of(good_input, {key}).find("bridges"), std::string::npos) << key;
}

TEST(BadInput, RestitutionBySpeedIsBallistic) {
    const std::string brownian = changed(good_input, "ballistic", "brownian");
    const std::string why =
        "got bridges, expected 1 with brownian dynamics (other values have no equilibrium";
    EXPECT_NE(messages_of(brownian, {everywhere}).find("contacts.restitution: " + why), std::string::npos)
        << messages_of(brownian, {everywhere});
    EXPECT_NE(messages_of(brownian, {at_walls}).find("contacts.walls.restitution: " + why),
              std::string::npos);
    EXPECT_NE(messages_of(brownian, {pairs("{between: [a, b], restitution: " + law + "}")})
                  .find("contacts.pairs.0.restitution: " + why),
              std::string::npos);
}

TEST(BadInput, RestitutionBySpeedIsOfBounces) {
    EXPECT_NE(messages_of(good_input, {pairs("{between: [a, b], pass: {}, restitution: " + law + "}")})
                  .find("contacts.pairs.0.restitution: has no meaning beside pass"),
              std::string::npos);
    EXPECT_NE(messages_of(good_input, {pairs("{between: [a, b], coalesce: {}, restitution: " + law + "}")})
                  .find("contacts.pairs.0.restitution: has no meaning beside certain coalescence"),
              std::string::npos);
}

}  // namespace
}  // namespace ricochet
