// SPDX-License-Identifier: BSD-3-Clause
//
// Fields in inputs: what becomes of them, and what is refused beside them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

const std::string gravity = "fields={gravity: [0, 0, -9.81]}";

Config config_of(const std::vector<std::string>& overrides) {
    return parse_config(good_input, "a.yaml", overrides);
}

TEST(ConfigFields, GravityIsOfTheWorld) {
    const Config config = config_of({gravity});
    EXPECT_EQ(world_of(config).gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
    EXPECT_EQ(kicks_with_fields(config).most_acceleration, 9.81);
    EXPECT_EQ(kicks_of(config).most_acceleration, 0);
}

TEST(ConfigFields, AreNotWrittenWhereThereAreNone) {
    EXPECT_EQ(effective_yaml(config_of({})).find("fields"), std::string::npos);
    EXPECT_EQ(world_of(config_of({})).gravity, Vec3{});
}

std::string message_of(const std::string& with, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{with};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return messages_of(good_input, overrides);
}

TEST(BadInput, GravityIsAnAcceleration) {
    EXPECT_NE(message_of("fields={gravity: [0, 0, 0]}").find("got 0 along all axes, expected another vector"),
              std::string::npos);
    EXPECT_NE(message_of("fields={gravity: [0, -1]}").find("got 2 numbers, expected 3"), std::string::npos);
    EXPECT_NE(message_of("fields={}").find("fields: got no field"), std::string::npos);
    EXPECT_NE(message_of("gravity=[0, 0, -1]").find("fields.gravity"), std::string::npos);
}

TEST(BadInput, GravityHasNoMembranes) {
    const std::string membrane =
        "bodies=[{name: skin, plane: {point: [5, 5, 5], normal: [0, 0, 1]}, side: both}]";
    const std::string passes = "contacts.pairs=[{between: [a, skin], pass: {}}]";
    EXPECT_NE(
        message_of(gravity, {membrane, passes})
            .find("contacts.pairs.0.pass: got pass at a body with fields.gravity, expected one of the two"),
        std::string::npos)
        << message_of(gravity, {membrane, passes});
}

TEST(BadInput, AllSpeciesFall) {
    EXPECT_NE(message_of(gravity, {"species.0.moves=[x, y]"})
                  .find("with fields.gravity along z, expected a species that moves along z"),
              std::string::npos);
    EXPECT_NE(message_of(gravity, {"species.0.moves=[]"}).find("with fields.gravity along z"),
              std::string::npos);
    EXPECT_EQ(message_of(gravity, {"species.0.moves=[x, z]"}), "no error");
}

TEST(BadInput, StepsUnderGravityAreShort) {
    EXPECT_NE(message_of(gravity, {"run.timestep=10"}).find("expected a shorter step with fields.gravity"),
              std::string::npos);
}

const std::string brownian = changed(good_input, "ballistic", "brownian");
const std::string drift = "fields={drift: [0, 0, -0.5]}";

TEST(ConfigFields, DriftAcceleratesEffectiveMasses) {
    const Config config = parse_config(brownian, "a.yaml", std::vector<std::string>{drift});
    EXPECT_EQ(world_of(config).gravity, (Vec3{0, 0, (2 / config.run.timestep) * -0.5}));
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

TEST(BadInput, BallisticFallAndBrownianDrift) {
    EXPECT_NE(messages_of(brownian, {gravity}).find("fields.gravity"), std::string::npos);
    EXPECT_NE(message_of(drift).find("fields.drift"), std::string::npos);
}

TEST(BadInput, WhatDriftsDoesNotReact) {
    EXPECT_NE(messages_of(brownian, {drift, "contacts.pairs=[{between: [a, b], react: {to: []}}]"})
                  .find("got a reaction with fields.drift"),
              std::string::npos);
    EXPECT_NE(messages_of(brownian, {drift, "contacts.pairs=[{between: [a, b], coalesce: {}}]"})
                  .find("got coalesce with fields.drift"),
              std::string::npos);
    const std::string at_wall =
        messages_of(brownian, {drift, "contacts.pairs=[{between: [a, wall], stick: {length: 1.5}}]"});
    EXPECT_NE(at_wall.find("got stick with wall, expected two species"), std::string::npos) << at_wall;
    EXPECT_EQ(at_wall.find("got a reaction"), std::string::npos) << at_wall;
}

// --- forces ------------------------------------------------------------------------------------------------

const std::string on_a = "species.0.force=[0, 0, -2]", on_b = "species.1.force=[0, 1, 0]";

TEST(ConfigFields, SpeciesDriftBesideTheirMean) {
    const Config config = parse_config(brownian, "a.yaml", std::vector<std::string>{on_a, on_b});
    const double mobility_a = config.species[0].diffusion / config.dynamics.kT;
    const double mobility_b = config.species[1].diffusion / config.dynamics.kT;
    const Vec3 mean{0, 0.5 * mobility_b, -mobility_a};
    EXPECT_EQ(drifts_of_species(config), (std::vector<Vec3>{{0, 0, -2 * mobility_a}, {0, mobility_b, 0}}));
    EXPECT_EQ(common_drift(config), mean);
    EXPECT_EQ(world_of(config).gravity, (2 / config.run.timestep) * mean);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

/// What rests has straight paths in the laboratory only.
TEST(ConfigFields, NothingFallsBesideWhatRests) {
    const Config config =
        parse_config(brownian, "a.yaml", std::vector<std::string>{on_a, "species.1.moves=[]"});
    EXPECT_EQ(common_drift(config), Vec3{});
    EXPECT_EQ(world_of(config).gravity, Vec3{});
    EXPECT_TRUE(has_fields(config));
}

TEST(BadInput, ForcesAreOnBrownianParticles) {
    EXPECT_NE(message_of(on_a).find("species.0.force"), std::string::npos);
    EXPECT_NE(messages_of(brownian, {on_a, drift}).find("got a force beside fields, expected one of the two"),
              std::string::npos);
    EXPECT_NE(messages_of(brownian, {"species.0.force=[0, 1]"}).find("got 2 numbers, expected 3"),
              std::string::npos);
    EXPECT_NE(
        messages_of(brownian, {on_a, "species.0.moves=[x, y]"}).find("got a force along z, expected 0 there"),
        std::string::npos);
    EXPECT_NE(messages_of(brownian, {"species.0.force=[0, 0, 1e9]", "species.1.force=[0, 0, -1e9]"})
                  .find("expected a shorter step or a weaker force"),
              std::string::npos);
    EXPECT_NE(messages_of(brownian, {on_a, "contacts.pairs=[{between: [a, b], react: {to: []}}]"})
                  .find("got a reaction with species.0.force"),
              std::string::npos);
}

}  // namespace
}  // namespace ricochet
