// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from a world, where the default rules, those of pairs, of walls and of single faces meet.
#include "model/world_facts.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

enum : SpeciesIndex { species_a, species_b, species_c };

World three_species() {
    World world{.box = {3, {10, 10, 10}, {}}, .species = std::vector<Species>(3)};
    for (SpeciesIndex s = 0; s < 3; ++s) {
        world.species[s].name = "ABC"[s];
        world.species[s].radius = 0.5;
    }
    return world;
}

World with_rule(SpeciesIndex a, SpeciesIndex b, const ContactRule& rule) {
    World world = three_species();
    world.rules = {{a, b, rule, 0}};
    return world;
}

std::vector<bool> products_in(const World& world) {
    return {is_product(world, species_a), is_product(world, species_b), is_product(world, species_c)};
}

TEST(WorldFacts, PlainOnesChangeNothing) {
    const World world = with_rule(species_a, species_b, Bounce{0.5});
    EXPECT_FALSE(has_changing_particles(world));
    EXPECT_FALSE(has_tethers(world));
    EXPECT_FALSE(has_births(world));
    EXPECT_EQ(products_in(world), (std::vector{false, false, false}));
}

/// A rule for all pairs, or for all walls, counts as one for some does.
TEST(WorldFacts, DefaultRulesCount) {
    World world = three_species();
    world.wall_rule = React{.first = species_a};
    EXPECT_TRUE(has_changing_particles(world));
    world = three_species();
    world.pair_rule = Stick{};
    EXPECT_TRUE(has_changing_particles(world));
    EXPECT_TRUE(has_tethers(world));
    EXPECT_TRUE(sticks(world, species_c));
}

TEST(WorldFacts, OnlyPartnersStick) {
    const World world = with_rule(species_a, species_c, Stick{});
    EXPECT_TRUE(sticks(world, species_a));
    EXPECT_FALSE(sticks(world, species_b));
    EXPECT_TRUE(sticks(world, species_c));
}

/// Two products are new where the partners were of other species; a single one is always put anew.
TEST(WorldFacts, ProductsAreWhatIsMade) {
    EXPECT_EQ(products_in(with_rule(species_a, species_b, React{species_a, {species_a, species_c}})),
              (std::vector{false, false, true}));
    EXPECT_EQ(products_in(with_rule(species_a, species_b, React{species_b, {species_b, species_c}})),
              (std::vector{false, false, true}));
    EXPECT_EQ(products_in(with_rule(species_a, species_b, React{species_a, {species_a, absent_species}})),
              (std::vector{true, false, false}));
    EXPECT_EQ(products_in(with_rule(species_a, species_b, Coalesce{})), (std::vector{true, true, false}));
    World world = three_species();
    world.decays = {{species_a, {species_b, absent_species}, 1}};
    EXPECT_EQ(products_in(world), (std::vector{false, true, false}));
    EXPECT_FALSE(has_births(world));
    world.decays.push_back({species_b, {species_b, species_c}, 1});
    EXPECT_EQ(products_in(world), (std::vector{false, true, true}));
    EXPECT_TRUE(has_births(world));
}

TEST(WorldFacts, RulesHaveNames) {
    World world = three_species();
    world.rules = {{species_b, species_a, React{species_b, {species_c, species_a}}, 0},
                   {species_a, wall_species, React{.first = species_a}, 1},
                   {species_a, species_a, Stick{}, 2},
                   {species_a, species_c, Pass{}, 3},
                   {species_c, species_c, Coalesce{}, 4},
                   {species_b, species_b, Bounce{}, 5}};
    world.decays = {{species_c, {species_a, species_b}, 1}, {species_c, {}, 1}};
    world.decays[1].products.fill(absent_species);
    EXPECT_EQ(names_of_rules(world),
              (std::vector<std::string>{"B + A -> C + A", "A + wall -> nothing", "A + A stick", "A + C pass",
                                        "C + C coalesce", "B + B"}));
    EXPECT_EQ(names_of_decays(world), (std::vector<std::string>{"C -> A + B", "C -> nothing"}));
}

/// One for each pair and wall, the least of the walls, and 1 where nothing bounces.
TEST(WorldFacts, RestitutionIsThatOfTheRule) {
    World world = three_species();
    world.species.resize(2);
    world.pair_rule = Bounce{0.9};
    world.wall_rule = Bounce{0.8};
    React react{.first = species_b, .products = {species_a, absent_species}};
    react.restitution = 0.7;
    world.rules = {{species_b, species_a, react, 0},
                   {species_b, species_b, Pass{}, 1},
                   {species_a, wall_species, Bounce{0.95}, 2, {1}},
                   {species_b, wall_species, Bounce{0.6}, 3, {4, 5}}};
    const std::vector<PairRestitution> expected{
        {0, 0, 0.9}, {0, 1, 0.7}, {0, wall_species, 0.8}, {1, 1, 1}, {1, wall_species, 0.6}};
    EXPECT_EQ(restitution_of_pairs(world), expected);
}

/// One that depends on the speed is taken before constants.
TEST(WorldFacts, RestitutionMayDependOnSpeed) {
    constexpr RestitutionLaw law{0.3, 0.25, 2};
    World world = three_species();
    world.species.resize(2);
    world.pair_rule = Bounce{law};
    world.wall_rule = Bounce{0.8};
    world.rules = {{species_b, species_b, Bounce{0.5}, 0},
                   {species_a, wall_species, Bounce{law}, 1, {1}},
                   {species_a, wall_species, Bounce{0.2}, 2, {2}}};
    const std::vector<PairRestitution> expected{
        {0, 0, law}, {0, 1, law}, {0, wall_species, law}, {1, 1, 0.5}, {1, wall_species, 0.8}};
    EXPECT_EQ(restitution_of_pairs(world), expected);
}

TEST(WorldFacts, FractionIsThatOfTheCounts) {
    World world = three_species();
    world.species[species_a].count = 60;
    world.species[species_b].count = 40;
    world.species[species_b].radius_distribution = LogNormalRadius{0.5, 0, 0.1, 0.75};
    EXPECT_EQ(num_particles(world), 100u);
    EXPECT_EQ(largest_radius(world.species[species_a]), 0.5);
    EXPECT_EQ(largest_radius(world.species[species_b]), 0.75);
    EXPECT_NEAR(volume_fraction(world), 0.1 * std::numbers::pi / 6, 1e-15);
}

}  // namespace
}  // namespace ricochet
