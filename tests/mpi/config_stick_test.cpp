// SPDX-License-Identifier: BSD-3-Clause
//
// Rules by which partners become tethered, in inputs: what they become, and which are refused.
#include <gtest/gtest.h>

#include <cmath>
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

const std::string brownian = changed(good_input, "ballistic", "brownian");

std::string with_pairs(const std::string& text, const std::string& pairs) {
    return changed(text, "{restitution: 1}", "{pairs: [" + pairs + "]}");
}

Config config_of(const std::string& text) { return parse_config(text, "a.yaml"); }

TEST(ConfigStick, KeepsTheOrderOfTheNames) {
    const Config config = config_of(changed(good_input, "{restitution: 1}",
                                            "{restitution: 0.9, pairs: [{between: [b, a], stick: {length: "
                                            "1.5, probability: 0.25, valence: [3, 2], "
                                            "break_rate: 0.5}}]}"));
    const PairRule& rule = config.contacts.pairs.at(0);
    EXPECT_EQ(rule.a, 1u);
    EXPECT_EQ(rule.b, 0u);
    EXPECT_EQ(rule.restitution, 0.9);
    EXPECT_EQ(rule.stick,
              (StickOptions{.length = 1.5, .probability = 0.25, .valence = {3, 2}, .break_rate = 0.5}));
    EXPECT_EQ(names_of_rules(world_of(config)).at(0), "b + a stick");
    EXPECT_TRUE(has_changing_particles(world_of(config)));
    EXPECT_FALSE(never_bounces(rule));
    EXPECT_FALSE(is_product(world_of(config), 0));
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

TEST(ConfigStick, HasDefaults) {
    const Config config = config_of(with_pairs(brownian, "{between: [a, a], stick: {length: 2}}"));
    EXPECT_EQ(config.contacts.pairs.at(0).stick, StickOptions{.length = 2});
    EXPECT_EQ(config.contacts.pairs.at(0).restitution, 1);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config);
    const ContactRules rules(world_of(config));
    EXPECT_EQ(rules.pair(0, 0), ContactRule(Stick{.length = 2, .first = 0}));
    EXPECT_TRUE(std::isinf(*rules.pair_rate(0, 0)));
    EXPECT_TRUE(rules.have_tethers());
}

// Tethers suspend rules that would change a partner; what bounces then has the restitution of the input.
TEST(ConfigStick, SuspendedReactionHasRestitution) {
    const std::string pairs =
        "{between: [a, a], stick: {length: 1.25}}, {between: [a, b], react: {to: [b]}}, "
        "{between: [b, b], react: {to: [b]}}";
    const Config config =
        config_of(changed(good_input, "{restitution: 1}", "{restitution: 0.5, pairs: [" + pairs + "]}"));
    EXPECT_EQ(config.contacts.pairs.at(1).restitution, 0.5);
    EXPECT_EQ(config.contacts.pairs.at(2).restitution, std::nullopt) << "b has no tethers";
    EXPECT_EQ(bounce_by(ContactRules(world_of(config)).pair(0, 1)), Bounce{0.5});
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);

    const Config given = config_of(with_pairs(
        good_input,
        "{between: [a, b], restitution: 0.25, react: {to: [b]}}, {between: [a, a], stick: {length: 1.25}}"));
    EXPECT_EQ(bounce_by(ContactRules(world_of(given)).pair(0, 1)), Bounce{0.25});
}

// A catalyst keeps its species, and its tethers suspend nothing.
TEST(ConfigStick, CatalystSuspendsNothing) {
    const Config config = config_of(with_pairs(
        good_input, "{between: [a, a], stick: {length: 1.25}}, {between: [a, b], react: {to: [a, a]}}"));
    EXPECT_EQ(config.contacts.pairs.at(1).restitution, std::nullopt);
}

TEST(ConfigStick, BecomesARule) {
    const ContactRules ballistic(
        world_of(config_of(with_pairs(good_input,
                                      "{between: [b, a], restitution: 0.7, stick: {length: 1.25, "
                                      "probability: 0.1, valence: [1, 4], break_rate: 2}}"))));
    const Stick expected{.length = 1.25,
                         .first = 1,
                         .valence = {1, 4},
                         .break_rate = 2,
                         .probability = 0.1,
                         .restitution = 0.7};
    EXPECT_EQ(ballistic.pair(0, 1), ContactRule(expected));
    EXPECT_EQ(ballistic.pair_number(0, 1), 0u);
    const ContactRules rated(world_of(
        config_of(with_pairs(brownian, "{between: [a, b], stick: {length: 1.25, rate: 85, valence: 3}}"))));
    EXPECT_EQ(rated.pair(0, 1),
              ContactRule(Stick{.length = 1.25, .first = 0, .valence = {3, 3}, .rate = 85}));
}

struct BadStick {
    const char* pairs;
    const char* messages;
};

constexpr BadStick bad_sticks[] = {
    {"{between: [a, b], stick: {}}",
     "a.yaml:8:45: contacts.pairs.0.stick.length: missing, expected a number >= 1.001 (length of the tether, "
     "over "
     "the sum of both radii)"},
    {"{between: [a, b], stick: {length: 1}}",
     "a.yaml:8:54: contacts.pairs.0.stick.length: got 1, expected a number >= 1.001 (length of the tether, "
     "over "
     "the sum of both radii)"},
    {"{between: [a, b], stick: {length: 2, rate: 5}}",
     "a.yaml:8:63: contacts.pairs.0.stick.rate: only has a meaning with dynamics.type brownian; with "
     "ballistic say "
     "probability (the chance to become tethered, for each contact)"},
    {"{between: [a, b], stick: {length: 2, break_rate: -1}}",
     "a.yaml:8:69: contacts.pairs.0.stick.break_rate: got -1, expected a number >= 0 (how often a tether "
     "breaks, per "
     "time)"},
    {"{between: [a, b], stick: {length: 2, valence: 13}}",
     "a.yaml:8:66: contacts.pairs.0.stick.valence: got 13, expected an integer from 1 to 12, or a list of "
     "two (the "
     "most tethers that a partner may have)"},
    {"{between: [a, b], stick: {length: 2, valence: [1, 0]}}",
     "a.yaml:8:70: contacts.pairs.0.stick.valence.1: got 0, expected an integer from 1 to 12 (the most "
     "tethers that "
     "a partner may have)"},
    {"{between: [a, b], stick: {length: 2, valence: [1]}}",
     "a.yaml:8:66: contacts.pairs.0.stick.valence: got a list of 1, expected an integer from 1 to 12, or a "
     "list "
     "of two "
     "(the most tethers that a partner may have)"},
    {"{between: [a, a], stick: {length: 2, valence: [1, 2]}}",
     "a.yaml:8:66: contacts.pairs.0.stick.valence: got 1 and 2 for two alike, expected one number"},
    {"{between: [a, wall], stick: {length: 2}}",
     "a.yaml:8:48: contacts.pairs.0.stick: got stick with wall, expected two species (walls have no "
     "tethers)"},
    {"{between: [a, b], pass: {}, stick: {length: 2}}",
     "a.yaml:8:55: contacts.pairs.0.stick: got pass too, expected only one of react, coalesce, pass, "
     "stick, thermal"},
    {"{between: [a, a], coalesce: {}}, {between: [a, b], stick: {length: 2}}",
     "a.yaml:8:48: contacts.pairs.0.coalesce: got coalescence of a, which sticks, expected species that do "
     "not (its "
     "tether would outgrow its length)"},
    {"{between: [a, a], stick: {length: 2}}, {between: [b, a], coalesce: {}}",
     "a.yaml:8:87: contacts.pairs.1.coalesce: got coalescence of a, which sticks, expected species that do "
     "not (its "
     "tether would outgrow its length)"},
};

TEST(BadInput, SticksAreChecked) {
    for (const auto& [pairs, messages] : bad_sticks)
        EXPECT_EQ(messages_of(with_pairs(good_input, pairs)), messages) << pairs;
    EXPECT_EQ(messages_of(with_pairs(good_input,
                                     "{between: [a, a], stick: {length: 1.001, valence: [2, 2]}}, "
                                     "{between: [b, b], coalesce: {}}")),
              "no error");
}

// The radii are 0.5 and 0.4, the shortest edge 10. Two of a reach 2.5 each, wherever their tethers lead.
TEST(BadInput, TethersHaveRoomForTwoWide) {
    const auto messages = [](const std::string& pair, const std::vector<std::string>& overrides) {
        return messages_of(with_pairs(good_input, pair), overrides);
    };
    const std::string too_long =
        "a.yaml:8:54: contacts.pairs.0.stick.length: got 5, a reach of 5, expected less than half the "
        "periodic "
        "edge 10 along x";
    EXPECT_EQ(messages("{between: [a, b], stick: {length: 5}}", {}), too_long);
    EXPECT_EQ(messages("{between: [b, a], stick: {length: 5}}", {}), too_long);
    EXPECT_EQ(messages("{between: [a, b], stick: {length: 5}}", {"species.0.count=1"}), "no error");
    EXPECT_EQ(messages("{between: [a, b], stick: {length: 4.9}}", {}), "no error");
    EXPECT_EQ(messages("{between: [b, b], stick: {length: 5}}", {}), "no error");
}

TEST(BadInput, BrownianSticks) {
    EXPECT_EQ(messages_of(with_pairs(brownian, "{between: [a, b], stick: {length: 2, probability: 0.5}}")),
              "a.yaml:8:70: contacts.pairs.0.stick.probability: only has a meaning with dynamics.type "
              "ballistic; with "
              "brownian say rate (how many contacts there are depends on the timestep)");
    EXPECT_EQ(messages_of(with_pairs(brownian, "{between: [a, b], restitution: 0.5, stick: {length: 2}}")),
              "a.yaml:8:51: contacts.pairs.0.restitution: got 0.5, expected 1 with brownian dynamics (other "
              "values have "
              "no equilibrium there)");
}

}  // namespace
}  // namespace ricochet
