// SPDX-License-Identifier: BSD-3-Clause
//
// Species that do not move along all axes, in inputs: what they become, and which rules are refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/world_facts.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

const std::string brownian = changed(good_input, "ballistic", "brownian");

std::string with_pairs(const std::string& text, const std::string& pairs) {
    return changed(text, "{restitution: 1}", "{pairs: [" + pairs + "]}");
}

Config config_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse_config(text, "a.yaml", overrides);
}

std::uint32_t frozen(const std::string& moves, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.push_back("species.0.moves=" + moves);
    const Config config = config_of(good_input, overrides);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
    return config.species.at(0).frozen_axes;
}

TEST(ConfigMoves, KeepsTheOtherAxes) {
    EXPECT_EQ(frozen("[x, y, z]"), 0u);
    EXPECT_EQ(frozen("[z, x]"), 2u);
    EXPECT_EQ(frozen("[]"), all_axes);
    const std::vector<std::string> flat{"box.size=[20, 20]"};
    EXPECT_EQ(frozen("[x, y]", flat), 0u);
    EXPECT_EQ(frozen("[y]", flat), 1u);
    EXPECT_EQ(frozen("[]", flat), all_axes);
}

TEST(ConfigMoves, IsNotWrittenWhereAllAxesAreFree) {
    EXPECT_EQ(effective_yaml(config_of(good_input)).find("moves"), std::string::npos);
    EXPECT_NE(effective_yaml(config_of(good_input, {"species.0.moves=[]"})).find("moves: []"),
              std::string::npos);
}

TEST(BadInput, MovesAreAxes) {
    const auto messages = [](const std::string& moves, std::vector<std::string> overrides = {}) {
        overrides.push_back("species.0.moves=" + moves);
        return messages_of(good_input, overrides);
    };
    EXPECT_EQ(messages("[x, x]"),
              "--set species.0.moves=[x, x]: species.0.moves: got x twice, expected each axis once");
    EXPECT_EQ(
        messages("[w]"),
        "--set species.0.moves=[w]: species.0.moves.0: got w, expected one of x, y, z (the axes along which "
        "the particles move)");
    EXPECT_EQ(
        messages("x"),
        "--set species.0.moves=x: species.0.moves: got x, expected a list of none, some or all of x, y, z "
        "(the axes along which the particles move), did you mean [x]?");
    EXPECT_EQ(messages("{}"),
              "--set species.0.moves={}: species.0.moves: got a section, expected a list of none, some or "
              "all of x, y, z "
              "(the axes along which the particles move)");
    EXPECT_EQ(
        messages("[x, z]", {"box.size=[20, 20]"}),
        "--set species.0.moves=[x, z]: species.0.moves: got z, expected x or y in a box of 2 dimensions");
}

const std::vector<std::string> both_rest{"species.0.moves=[]", "species.1.moves=[]"};

TEST(BadInput, TwoThatRestHaveNoRule) {
    const std::string never_meet =
        "a.yaml:8:30: contacts.pairs.0.between: got a and b, which rest (species.moves: []), expected a "
        "species "
        "that moves (two that rest never meet)";
    EXPECT_EQ(messages_of(with_pairs(good_input, "{between: [a, b], restitution: 1}"), both_rest),
              never_meet);
    EXPECT_EQ(messages_of(with_pairs(good_input, "{between: [a, b], react: {to: []}}"), both_rest),
              never_meet);
    EXPECT_EQ(messages_of(with_pairs(good_input, "{between: [a, b], pass: {}}"), both_rest), "no error");
    EXPECT_EQ(
        messages_of(with_pairs(good_input, "{between: [a, b], restitution: 1}"), {"species.0.moves=[]"}),
        "no error");
}

TEST(BadInput, MovesAwayFromWallsMakesRulesVoid) {
    const std::string text = changed(with_pairs(good_input, "{between: [a, wall], restitution: 0.5}"),
                                     "size:", "boundary: [periodic, periodic, reflecting], size:");
    EXPECT_EQ(messages_of(text, {"species.0.moves=[x, z]"}), "no error");
    EXPECT_EQ(messages_of(text, {"species.0.moves=[x, y]"}),
              "a.yaml:8:30: contacts.pairs.0.between: got a with wall, which moves along x y, expected a "
              "species that "
              "moves towards these walls (it never meets them)");
}

/// No formula is known for them.
TEST(BadInput, RatesAreForParticlesThatDiffuseAlike) {
    const std::string text = with_pairs(brownian, "{between: [a, b], react: {to: [], rate: 5}}");
    EXPECT_EQ(messages_of(text, {"species.1.moves=[]"}), "no error");
    EXPECT_EQ(messages_of(text, {"species.1.moves=[x, y]"}),
              "a.yaml:8:30: contacts.pairs.0.between: got b, which moves along x y only, expected species "
              "that move "
              "along all axes, or rest (rates where diffusion depends on the direction are not known)");
}

TEST(ConfigMoves, SetsFreeAtTheGivenEnergy) {
    const std::string text = with_pairs(good_input, "{between: [a, b], react: {to: [a, a]}}");
    EXPECT_EQ(world_of(config_of(text, {"species.1.moves=[]"})).thermal_energy, config_of(text).dynamics.kT);
    const std::vector<std::string> given{"species.1.moves=[]", "placement={method: file, path: a.csv}",
                                         "species.0.count=", "species.1.count=", "dynamics.kT="};
    EXPECT_EQ(messages_of(text, given),
              "a.yaml:8:20: contacts.pairs.0: sets a free, whose velocity is then drawn at kT, expected "
              "dynamics.kT "
              "(k_B times the temperature)");
}

TEST(BadInput, DelaunayTakesNoOverlaps) {
    std::vector<std::string> overrides{"species.0.moves=[]", "search.method=delaunay"};
    EXPECT_EQ(messages_of(good_input, overrides), "no error");
    overrides.insert(overrides.end(), {"placement={method: file, path: a.csv}",
                                       "species.0.count=", "species.1.count=", "dynamics.velocities=given"});
    EXPECT_NE(messages_of(good_input, overrides).find("another method where particles of a file rest"),
              std::string::npos);
}

}  // namespace
}  // namespace ricochet
