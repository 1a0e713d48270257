// SPDX-License-Identifier: BSD-3-Clause
//
// The rules that the engine gets from an input.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/brownian.hpp"
#include "model/world_facts.hpp"
#include "ricochet/contact/rules.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/mpi/good_input.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/rule_runs.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;

World world_in(const std::string& contacts, const std::vector<std::string>& overrides = {}) {
    return world_of(parse_config(changed(good_input, "{restitution: 1}", contacts), "a.yaml", overrides));
}

ContactRules rules_of(const std::string& contacts, const std::vector<std::string>& overrides = {}) {
    return ContactRules(world_in(contacts, overrides));
}

/// As from every input before there were other rules.
TEST(ConfigContactRules, PlainInputsBounce) {
    const ContactRules rules = rules_of(
        "{restitution: 0.9, walls: {restitution: 0.8}, pairs: [{between: [b, a], restitution: 0.5}]}");
    EXPECT_FALSE(rules.change_matter());
    EXPECT_EQ(rules.pair(0, 0), ContactRule(Bounce{0.9}));
    EXPECT_EQ(rules.pair(1, 0), ContactRule(Bounce{0.5}));
    for (BodyNumber face = 0; face < first_body; ++face)
        EXPECT_EQ(rules.at_body(1, face), ContactRule(Bounce{0.8}));
    EXPECT_EQ(rules.pair_number(0, 0), no_rule);
    EXPECT_EQ(rules.pair_number(1, 0), 0u);
    EXPECT_EQ(rules.body_rule_number(1, 0), no_rule);
}

TEST(ConfigContactRules, PairsReactCoalesceAndPass) {
    const ContactRules rules = rules_of(
        "{restitution: 0.9, pairs: [{between: [b, a], react: {to: [a], probability: 0.1}}, {between: "
        "[a, a], coalesce: {}}, {between: [b, b], pass: {}}]}");
    EXPECT_TRUE(rules.change_matter());
    const React react{.first = 1, .products = {0, absent_species}, .probability = 0.1, .restitution = 0.9};
    EXPECT_EQ(rules.pair(0, 1), ContactRule(react));
    EXPECT_EQ(rules.pair(0, 0), ContactRule(Coalesce{}));
    EXPECT_EQ(rules.pair(1, 1), ContactRule(Pass{}));
    EXPECT_EQ(rules.pair_number(0, 1), 0u);
    EXPECT_EQ(rules.pair_number(0, 0), 1u);
    EXPECT_EQ(rules.pair_number(1, 1), 2u);
}

/// Whether the rules make particles of a and of b.
std::pair<bool, bool> products_of(const std::string& pairs) {
    const Config config =
        parse_config(changed(good_input, "{restitution: 1}", "{pairs: [" + pairs + "]}"), "a.yaml");
    return {is_product(world_of(config), 0), is_product(world_of(config), 1)};
}

/// No rule makes a catalyst. What merges is put elsewhere, and what changes places with the other is made.
TEST(ConfigContactRules, CatalystsAreNoProducts) {
    using Pair = std::pair<bool, bool>;
    EXPECT_EQ(products_of("{between: [a, a], react: {to: [b, a]}}"), Pair(false, true));
    EXPECT_EQ(products_of("{between: [a, a], react: {to: [a, b]}}"), Pair(false, true));
    EXPECT_EQ(products_of("{between: [a, b], react: {to: [b, b]}}"), Pair(false, true));
    EXPECT_EQ(products_of("{between: [b, a], react: {to: [b, b]}}"), Pair(false, true));
    EXPECT_EQ(products_of("{between: [a, b], react: {to: [b, a]}}"), Pair(true, true));
    EXPECT_EQ(products_of("{between: [a, b], react: {to: [b]}}"), Pair(false, true));
    EXPECT_EQ(products_of("{between: [a, a], react: {to: [a]}}"), Pair(true, false));
    EXPECT_EQ(products_of("{between: [a, b], coalesce: {}}"), Pair(true, true));
    EXPECT_EQ(products_of("{between: [a, b], react: {to: []}}"), Pair(false, false));
}

/// A catalyst of one rule may be the product of another, or of a decay.
TEST(ConfigContactRules, OneRuleIsEnoughForAProduct) {
    const std::string catalysis = "{between: [a, a], react: {to: [b, a]}}";
    EXPECT_EQ(products_of(catalysis + ", {between: [b, b], react: {to: [a, b]}}"), std::pair(true, true));
    const std::string with_decay =
        changed(good_input, "{restitution: 1}",
                "{pairs: [" + catalysis + "]}\ndecays: [{from: b, to: [a], rate: 1}]");
    EXPECT_TRUE(is_product(world_of(parse_config(with_decay, "a.yaml")), 0));
}

/// Both of two alike may become others.
TEST(ConfigContactRules, TwoProductsOrNone) {
    const ContactRules rules =
        rules_of("{pairs: [{between: [a, a], react: {to: [b, a]}}, {between: [b, b], react: {to: []}}]}");
    EXPECT_EQ(rules.pair(0, 0), ContactRule(React{.first = 0, .products = {1, 0}}));
    EXPECT_EQ(rules.pair(1, 1), ContactRule(React{.first = 1}));
}

TEST(ConfigContactRules, WallsHaveRulesOfTheirOwn) {
    const ContactRules rules = rules_of(
        "{restitution: 0.9, pairs: [{between: [a, wall], faces: [x+], react: {to: []}}, {between: [a, wall], "
        "faces: [y-, y+], restitution: 0.5}, {between: [b, wall], react: {to: [a], probability: 0.25}}]}",
        {"box.boundary=reflecting"});
    const std::array<ContactRule, 6> of_a{Bounce{0.9}, React{.first = 0}, Bounce{0.5},
                                          Bounce{0.5}, Bounce{0.9},       Bounce{0.9}};
    const std::array<RuleNumber, 6> numbers{no_rule, 0, 1, 1, no_rule, no_rule};
    const React of_b{.first = 1, .products = {0, absent_species}, .probability = 0.25, .restitution = 0.9};
    for (BodyNumber face = 0; face < of_a.size(); ++face) {
        EXPECT_EQ(rules.at_body(0, face), of_a[face]) << face;
        EXPECT_EQ(rules.body_rule_number(0, face), numbers[face]) << face;
        EXPECT_EQ(rules.at_body(1, face), ContactRule(of_b));
        EXPECT_EQ(rules.body_rule_number(1, face), 2u);
    }
}

TEST(ConfigContactRules, KnowSpeciesBoxAndSeed) {
    const ContactRules rules = rules_of("{restitution: 1}", {"run.seed=7", "box.size=[10, 12]"});
    EXPECT_EQ(rules.num_species(), 2u);
    EXPECT_EQ(rules.species(1).radius, 0.4);
    EXPECT_EQ(rules.dimension(), 2);
    EXPECT_EQ(rules.seed(), 7u);
    EXPECT_EQ(rules.energy_time(), 0);
}

/// A product has the bits of a particle that was placed.
TEST(ConfigContactRules, MassesAreThoseOfTheDrive) {
    const ContactRules rules =
        rules_of("{pairs: [{between: [a, b], react: {to: [a]}}]}", {"dynamics={type: brownian, kT: 0.7}"});
    const auto react = std::get<React>(rules.pair(0, 1));
    EXPECT_TRUE(react.is_certain());
    EXPECT_TRUE(std::isinf(react.rate));
    for (const double diffusion : {0.3, 1.1, 7.7})
        EXPECT_EQ(rules.energy_time() / (2 * diffusion), effective_mass(0.7, 0.1, diffusion));
}

/// Pairs and species at walls have the rates of the input, or none.
TEST(ConfigContactRules, RatesAreThoseOfTheInput) {
    const ContactRules rules =
        rules_of("{pairs: [{between: [a, b], react: {to: [a], rate: 85}}]}", {"dynamics.type=brownian"});
    EXPECT_TRUE(rules.have_rates());
    EXPECT_EQ(rules.pair_rate(1, 0), 85);
    EXPECT_EQ(rules.pair_rate(0, 0), std::nullopt);
    EXPECT_EQ(rules.body_rate(0, 0), std::nullopt);
    EXPECT_EQ(rules.pair_overlap(0, 1), Overlap::bounces);
    EXPECT_GT(rules.reach({.mass = 1, .species = 0}), 0);
}

/// No particle becomes one of distributed radii, whose diffusion follows from a radius that the species has not.
TEST(ConfigContactRules, RadiiMayBeDistributed) {
    const ContactRules rules =
        rules_of("{pairs: [{between: [a, b], react: {to: [a, b], rate: 85}}]}",
                 {"dynamics.type=brownian",
                  "species.0.radius={lognormal: {median: 0.5, sigma: 0.2, min: 0.3, max: 0.8}}",
                  "species.0.diffusion={stokes_einstein: {viscosity: 1}}"});
    EXPECT_EQ(rules.largest_reach_of_products(),
              rules.reach({.mass = effective_mass(1, 0.1, 1), .species = 1}));
    EXPECT_GT(rules.largest_reach_of_products(), 0);
}

/// Products of decays may overlap, so that the engine must let wedged ones pass.
TEST(ConfigContactRules, DecaysChangeMatterToo) {
    EXPECT_FALSE(rules_of("{restitution: 1}").change_matter());
    EXPECT_TRUE(rules_of("{restitution: 1}", {"decays=[{from: a, to: [b], rate: 1}]"}).change_matter());
}

/// Without rules at rates Brownian particles have none.
TEST(ConfigContactRules, PlainOnesHaveNoRates) {
    EXPECT_FALSE(rules_of("{restitution: 1}", {"dynamics.type=brownian"}).have_rates());
}

TEST(ConfigContactRules, HaveTheRatesOfTheInput) {
    const ContactRules rules = rules_of(
        "{pairs: [{between: [a, b], react: {to: [a], rate: 85}}, {between: [a, a], coalesce: {rate: 2}}, "
        "{between: [b, b], coalesce: {}}]}",
        {"dynamics.type=brownian"});
    const React react{.first = 0, .products = {0, absent_species}, .rate = 85};
    EXPECT_EQ(rules.pair(0, 1), ContactRule(react));
    EXPECT_EQ(rules.pair(0, 0), ContactRule(Coalesce{2}));
    EXPECT_EQ(rules.pair(1, 1), ContactRule(Coalesce{}));
}

// --- rules that tethers suspend --------------------------------------------------------------------------------

/// Two of species 0 that a tether holds, and that fly along x in front of the wall at x = 0.
test::System tethered_pair(double velocity) {
    test::System system = test::Scenario("tethered pair")
                              .walled({10, 10, 10})
                              .timestep(0.5)
                              .sphere({1, 5, 5}, {velocity, 0, 0})
                              .sphere({2.1, 5, 5}, {velocity, 0, 0})
                              .system();
    system.particles.track.keep_tethers();
    system.particles.track.tethers()[0].add(1, 0);
    system.particles.track.tethers()[1].add(0, 0);
    return system;
}

/// One step by the rules of the input's contacts, compared with the reference by `written`, rules that are written down
/// here from the input's words.
std::vector<Contact> contacts_of_step(test::System system, const std::string& contacts,
                                      const World& written) {
    Particles particles = system.particles;
    system.world = world_in(contacts, {"box.size=[10, 10, 10]", "box.boundary=reflecting"});
    const test::StepResult result = test::engine_step(*test::engine_for(system), particles, system.dt);
    system.world = written;
    const test::StepResult expected = test::run_step(system);
    EXPECT_EQ(test::first_difference(expected.contacts, result.contacts), "");
    EXPECT_EQ(test::first_difference(system.particles, particles), "");
    return result.contacts;
}

/// The impulse is (1 + e) mu v, with the restitution e that the input has for contacts: 1.5 mu v, and not 2 mu v.
TEST(SuspendedReaction, HasImpulseOfItsRestitution) {
    test::System system = tethered_pair(0);
    system.particles.push_back({.position = {4, 5, 5}, .velocity = {-4, 0, 0}, .id = 2},
                               {.radius = 0.4, .mass = 3, .species = 1}, {});
    World written = test::world_with({{0.5, 1}, {0.4, 1}}, 3, Bounce{0.5});
    Stick stick{.length = 1.25, .first = 0};
    stick.restitution = 0.5;
    test::set_pair(written, 0, 0, stick, 0);
    React react{.first = 0, .products = {1, absent_species}};
    react.restitution = 0.5;
    test::set_pair(written, 0, 1, react, 1);
    const std::vector<Contact> contacts =
        contacts_of_step(system,
                         "{restitution: 0.5, pairs: [{between: [a, a], stick: {length: 1.25}}, "
                         "{between: [a, b], react: {to: [b]}}]}",
                         written);
    ASSERT_GE(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].effect, ContactEffect::bounce);
    EXPECT_DOUBLE_EQ(contacts[0].key.time, 0.25);
    const double reduced_mass = 0.75, speed = 4;
    EXPECT_NEAR(contacts[0].impulse, 1.5 * reduced_mass * speed, 1e-14);
}

TEST(SuspendedReaction, HasThatOfWallsAtAWall) {
    World written = test::world_with({{0.5, 1}, {0.4, 1}}, 3, Bounce{0.5});
    Stick stick{.length = 1.25, .first = 0};
    stick.restitution = 0.5;
    test::set_pair(written, 0, 0, stick, 0);
    React react{.first = 0, .products = {1, absent_species}};
    react.restitution = 0.75;
    test::set_wall(written, 0, react, 1);
    test::set_wall(written, 1, Bounce{0.75});
    const std::vector<Contact> contacts =
        contacts_of_step(tethered_pair(-2),
                         "{restitution: 0.5, walls: {restitution: 0.75}, pairs: [{between: [a, a], stick: "
                         "{length: 1.25}}, {between: [a, wall], react: {to: [b]}}]}",
                         written);
    ASSERT_GE(contacts.size(), 1u);
    const auto at_wall = std::find_if(contacts.begin(), contacts.end(), [](const Contact& contact) {
        return contact.key.high >= first_obstacle_id;
    });
    ASSERT_NE(at_wall, contacts.end());
    EXPECT_EQ(at_wall->effect, ContactEffect::bounce);
    EXPECT_NEAR(at_wall->impulse, 1.75 * 2, 1e-14);
}

}  // namespace
}  // namespace ricochet
