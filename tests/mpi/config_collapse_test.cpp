// SPDX-License-Identifier: BSD-3-Clause
//
// What prevents inelastic collapse in inputs, where it is needed, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

const std::string gravity = "fields={gravity: [0, 0, -9.81]}";
const std::string collapse = "contacts.collapse={duration: 1e-3}";
const std::string bubble = "bodies=[{name: c, sphere: {centre: [5, 6, 7], radius: 4}, side: inside}]";

Config config_of(const std::vector<std::string>& overrides) {
    return parse_config(good_input, "a.yaml", overrides);
}

TEST(ConfigCollapse, DurationIsOfTheWorld) {
    const Config config = config_of({collapse, "contacts.restitution=0.9"});
    EXPECT_EQ(world_of(config).collapse_duration, 1e-3);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

TEST(ConfigCollapse, IsNotWrittenUnlessPrevented) {
    EXPECT_EQ(effective_yaml(config_of({})).find("collapse"), std::string::npos);
    EXPECT_EQ(world_of(config_of({})).collapse_duration, 0);
}

/// Under gravity and in curves.
TEST(ConfigCollapse, LetsEnergyBeLost) {
    EXPECT_EQ(messages_of(good_input, {gravity, collapse, "contacts.restitution=0.9"}), "no error");
    EXPECT_EQ(messages_of(good_input, {gravity, collapse, "contacts.walls.restitution=0.5"}), "no error");
    EXPECT_EQ(messages_of(good_input, {bubble, collapse, "contacts.restitution=0.5"}), "no error");
    EXPECT_EQ(
        messages_of(good_input, {bubble, collapse, "contacts.pairs=[{between: [a, c], restitution: 0.75}]"}),
        "no error");
    EXPECT_EQ(messages_of(good_input, {bubble, collapse, gravity, "contacts.restitution=0.5"}), "no error");
    EXPECT_EQ(messages_of(good_input, {collapse, "contacts.restitution=0"}), "no error");
}

/// Each with a part of its sentence.
TEST(BadInput, CollapseIsPreventedByADuration) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"contacts.collapse={duration: 0}", "contacts.collapse.duration: got 0, expected a number > 0"},
        {"contacts.collapse={duration: -1}", "contacts.collapse.duration: got -1, expected a number > 0"},
        {"contacts.collapse={duration: .nan}",
         "contacts.collapse.duration: got .nan, expected a finite number > 0"},
        {"contacts.collapse={duration: .inf}",
         "contacts.collapse.duration: got .inf, expected a finite number > 0"},
        {"contacts.collapse={duration: soon}", "contacts.collapse.duration: got soon, expected a number > 0"},
        {"contacts.collapse={duration: [1, 2]}", "contacts.collapse.duration: got a list"},
        {"contacts.collapse={}", "contacts.collapse.duration: missing"},
        {"contacts.collapse=1e-3", "contacts.collapse: got 1e-3"},
        {"contacts.collapse=[1e-3]", "contacts.collapse: got a list"},
        {"contacts.collapse={time: 1e-3}", "contacts.collapse.time: unknown key"},
        {"contacts.walls.collapse={duration: 1e-3}", "contacts.walls.collapse: unknown key"},
        {"collapse={duration: 1e-3}", "collapse: "}};
    for (const auto& [with, sentence] : cases)
        EXPECT_NE(messages_of(good_input, {with}).find(sentence), std::string::npos)
            << with << '\n'
            << messages_of(good_input, {with});
}

TEST(BadInput, CollapseIsOfBallisticParticles) {
    const std::string brownian = changed(good_input, "ballistic", "brownian");
    EXPECT_NE(messages_of(brownian, {collapse}).find("contacts.collapse: "), std::string::npos);
    EXPECT_NE(messages_of(brownian, {collapse}).find("dynamics.type"), std::string::npos)
        << messages_of(brownian, {collapse});
}

TEST(BadInput, GravityAsksForADuration) {
    EXPECT_NE(messages_of(good_input, {gravity, "contacts.restitution=0.9"})
                  .find("contacts.restitution: got 0.9, expected 1 with fields.gravity, or "
                        "contacts.collapse, such as "
                        "{duration: 0.004} (what loses energy under gravity touches infinitely often in a "
                        "finite time)"),
              std::string::npos)
        << messages_of(good_input, {gravity, "contacts.restitution=0.9"});
    EXPECT_NE(messages_of(good_input, {gravity, "contacts.pairs=[{between: [a, b], restitution: 0.5}]"})
                  .find("contacts.pairs.0.restitution: got 0.5, expected 1 with fields.gravity"),
              std::string::npos);
}

/// With a duration too.
TEST(BadInput, WhatFallsRebounds) {
    for (const std::string& more : {collapse, std::string("title=none")})
        for (const char* const none : {"contacts.restitution=0", "contacts.walls.restitution=0",
                                       "contacts.pairs=[{between: [a, wall], restitution: 0}]"})
            EXPECT_NE(messages_of(good_input, {gravity, more, none})
                          .find("got 0, expected more with fields.gravity (what does not rebound"),
                      std::string::npos)
                << messages_of(good_input, {gravity, more, none});
}

}  // namespace
}  // namespace ricochet
