// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies in inputs: what they become, and how rules of contacts name them. (Errors: config_bodies_errors_test.cpp.)
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/world_facts.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;

/// The good input in a box with walls and with these bodies.
std::string with_bodies(const std::string& bodies) {
    return changed(good_input, "box: {size: [10, 12, 14]}",
                   "box: {size: [10, 12, 14], boundary: reflecting}\nbodies:\n" + bodies);
}

std::string flat_with_bodies(const std::string& bodies) {
    return changed(with_bodies(bodies), "[10, 12, 14]", "[10, 12]");
}

/// Each file has this text.
Config config_of(const std::string& text, const std::string& file = "") {
    return parse_config(text, "folder/a.yaml", {}, [&](const std::string& path) {
        EXPECT_EQ(path, "folder/pegs.csv");
        return file;
    });
}

std::vector<Body> bodies_of(const std::string& text) { return world_of(config_of(text)).bodies; }

void expect_effective(const Config& config) {
    const std::string effective = effective_yaml(config);
    EXPECT_EQ(parse_config(effective, config.input_name), config) << effective;
    EXPECT_EQ(effective_yaml(parse_config(effective, config.input_name)), effective);
}

const std::string one_of_each =
    "  - {name: cell, capsule: {from: [3, 6, 7], to: [7, 6, 7], radius: 3}, side: inside}\n"
    "  - {name: nucleoid, sphere: {centre: [5, 6, 7], radius: 1}}\n"
    "  - {name: fibre, cylinder: {point: [0, 6, 7], axis: [-2, 0, 0], radius: 0.25}, side: outside}\n"
    "  - {name: slab, box: {low: [-1, 2, 3], high: [2, 4, 5.5]}}\n"
    "  - {name: membrane, plane: {point: [1, 2, 3], normal: [0, 3, 4]}, side: both}\n"
    "  - {name: pegs, spheres: [[1, 2, 3, 0.5], [1.5, 2, 3, 0.75]]}\n";

TEST(ConfigBodies, HaveAllShapes) {
    const std::vector<Body> bodies = bodies_of(with_bodies(one_of_each));
    ASSERT_EQ(bodies.size(), 6u);
    EXPECT_EQ(bodies[0], (Body{"cell", BodyCapsule{{3, 6, 7}, {7, 6, 7}, 3}, BodySide::inside}));
    EXPECT_EQ(bodies[1], (Body{"nucleoid", BodySphere{{5, 6, 7}, 1}, BodySide::outside}));
    EXPECT_EQ(bodies[2], (Body{"fibre", BodyCylinder{{0, 6, 7}, {-1, 0, 0}, 0.25}, BodySide::outside}));
    EXPECT_EQ(bodies[3], (Body{"slab", BodyBox{{-1, 2, 3}, {2, 4, 5.5}}, BodySide::outside}));
    EXPECT_EQ(bodies[5],
              (Body{"pegs", BodySpheres{{{{1, 2, 3}, 0.5}, {{1.5, 2, 3}, 0.75}}}, BodySide::outside}));
    const auto& plane = std::get<BodyPlane>(bodies[4].shape);
    EXPECT_EQ(plane.point, (Vec3{1, 2, 3}));
    EXPECT_DOUBLE_EQ(plane.normal.y, 0.6);
    EXPECT_DOUBLE_EQ(plane.normal.z, 0.8);
    EXPECT_EQ(bodies[4].side, BodySide::both);
    expect_effective(config_of(with_bodies(one_of_each)));
    EXPECT_TRUE(has_all_bodies(config_of(with_bodies(one_of_each))));
}

TEST(ConfigBodies, HaveWordsOfTwoDimensions) {
    const std::string flat =
        "  - {name: a1, disc: {centre: [5, 6], radius: 1}}\n"
        "  - {name: a2, stadium: {from: [3, 6], to: [7, 6], radius: 2}}\n"
        "  - {name: a3, rectangle: {low: [1, 2], high: [2, 4]}}\n"
        "  - {name: a4, line: {point: [1, 2], normal: [0, -2]}}\n"
        "  - {name: a5, spheres: [[1, 2, 0.5]]}\n";
    std::string full = changed(changed(flat, "disc", "sphere"), "stadium", "capsule");
    full = changed(changed(full, "rectangle", "box"), "line", "plane");
    const std::vector<Body> bodies = bodies_of(flat_with_bodies(flat));
    EXPECT_EQ(bodies, bodies_of(flat_with_bodies(full)));
    ASSERT_EQ(bodies.size(), 5u);
    EXPECT_EQ(bodies[0].shape, BodyShape(BodySphere{{5, 6, 0}, 1}));
    EXPECT_EQ(bodies[1].shape, BodyShape(BodyCapsule{{3, 6, 0}, {7, 6, 0}, 2}));
    EXPECT_EQ(bodies[2].shape, BodyShape(BodyBox{{1, 2, 0}, {2, 4, 0}}));
    EXPECT_EQ(bodies[3].shape, BodyShape(BodyPlane{{1, 2, 0}, {0, -1, 0}}));
    EXPECT_EQ(bodies[4].shape, BodyShape(BodySpheres{{{{1, 2, 0}, 0.5}}}));
    expect_effective(config_of(flat_with_bodies(flat)));
    expect_effective(config_of(flat_with_bodies(full)));
}

TEST(ConfigBodies, HaveBothSides) {
    const Config config = config_of(changed(
        with_bodies(
            "  - {name: cell, capsule: {from: [4, 6, 7], to: [6, 6, 7], radius: 3}, side: both}\n"
            "  - {name: tube, cylinder: {point: [0, 6, 7], axis: [1, 0, 0], radius: 2}, side: both}\n"),
        "{restitution: 1}",
        "{pairs: [{between: [a, cell], pass: {probability: 0.5}}, {between: [a, tube], pass: {}}]}"));
    const std::vector<Body> bodies = world_of(config).bodies;
    EXPECT_EQ(bodies.at(0), (Body{"cell", BodyCapsule{{4, 6, 7}, {6, 6, 7}, 3}, BodySide::both}));
    EXPECT_EQ(bodies.at(1), (Body{"tube", BodyCylinder{{0, 6, 7}, {1, 0, 0}, 2}, BodySide::both}));
    const ContactRules rules(world_of(config));
    EXPECT_EQ(rules.at_body(0, first_body), ContactRule(Pass{.probability = 0.5}));
    expect_effective(config);

    const auto box =
        bodies_of(with_bodies("  - {name: cell, box: {low: [4, 4, 4], high: [6, 7, 8]}, side: both}\n"));
    EXPECT_EQ(box.at(0), (Body{"cell", BodyBox{{4, 4, 4}, {6, 7, 8}}, BodySide::both}));
    const auto stadium = bodies_of(
        flat_with_bodies("  - {name: cell, stadium: {from: [4, 6], to: [6, 6], radius: 3}, side: both}\n"));
    EXPECT_EQ(stadium.at(0).side, BodySide::both);
}

TEST(ConfigBodies, NeedNoWalls) {
    const std::string text = changed(with_bodies(one_of_each), "boundary: reflecting",
                                     "boundary: [periodic, reflecting, reflecting]");
    EXPECT_EQ(bodies_of(text).size(), 6u);
    EXPECT_TRUE(config_of(good_input).bodies.empty());
    EXPECT_TRUE(world_of(config_of(good_input)).bodies.empty());
}

// A file is found from the folder of the input. The effective input has the hash of its spheres.
TEST(ConfigBodies, ReadSpheresFromFiles) {
    const std::string input = with_bodies("  - {name: pegs, spheres: pegs.csv}\n");
    const std::string file = "# posts\n\nradius, y,x,colour,z\r\n0.5,2,1,red,3\n 0.75 ,2, 1.5,,3\n";
    const Config config = config_of(input, file);
    const BodySpheres expected{{{{1, 2, 3}, 0.5}, {{1.5, 2, 3}, 0.75}}};
    EXPECT_EQ(world_of(config).bodies.at(0).shape, BodyShape(expected));
    EXPECT_TRUE(has_all_bodies(config));
    EXPECT_EQ(body_file_path(config, *config.bodies[0].spheres), "folder/pegs.csv");
    expect_effective(config);

    const Config again = config_of(effective_yaml(config), file);
    EXPECT_EQ(world_of(again).bodies, world_of(config).bodies);
    const Config unread = parse_config(effective_yaml(config), "folder/a.yaml");
    EXPECT_FALSE(has_all_bodies(unread));
    EXPECT_THROW(config_of(effective_yaml(config), file + "1,2,3,,4\n"), InputError);
    const Config other = config_of(input, file + "1,2,3,,4\n");
    EXPECT_NE(other, config);
    EXPECT_EQ(forbidden_changes(effective_yaml(config), effective_yaml(other)).size(), 1u);
}

TEST(ConfigBodies, ReadDiscsFromFiles) {
    const Config config =
        config_of(flat_with_bodies("  - {name: pegs, spheres: pegs.csv}\n"), "x,y,radius\n1,2,0.5");
    EXPECT_EQ(world_of(config).bodies.at(0).shape, BodyShape(BodySpheres{{{{1, 2, 0}, 0.5}}}));
    expect_effective(config);
}

const std::string cell_and_posts =
    "  - {name: cell, sphere: {centre: [5, 6, 7], radius: 4}, side: inside}\n"
    "  - {name: posts, spheres: [[5, 6, 7, 0.5]]}\n";

// Rules of one species at different bodies are rules of different contacts; those at wall are for walls.
TEST(ConfigBodies, AreNamedInRules) {
    const Config config = config_of(
        changed(with_bodies(cell_and_posts), "{restitution: 1}",
                "{pairs: [{between: [a, posts], restitution: 0.5}, {between: [cell, a], react: {to: "
                "[b]}}, {between: [a, wall], restitution: 0.75}, {between: [b, cell], react: {to: [], "
                "probability: 0.1}}]}"));
    EXPECT_EQ(config.contacts.pairs[0].body, 1u);
    EXPECT_EQ(config.contacts.pairs[2].body, std::nullopt);
    const World world = world_of(config);
    EXPECT_EQ(world.rules[0].bodies, std::vector<BodyNumber>{first_body + 1});
    EXPECT_EQ(world.rules[1].bodies, std::vector<BodyNumber>{first_body});
    const ContactRules rules(world);
    EXPECT_EQ(rules.at_body(0, first_body + 1), ContactRule(Bounce{0.5}));
    EXPECT_EQ(rules.at_body(1, first_body + 1), ContactRule(Bounce{1}));
    EXPECT_EQ(rules.at_body(0, 3), ContactRule(Bounce{0.75}));
    EXPECT_EQ(rules.body_rule_number(1, first_body), 3u);
    EXPECT_EQ(names_of_rules(world),
              (std::vector<std::string>{"a + posts", "a + cell -> b", "a + wall", "b + cell -> nothing"}));
    EXPECT_TRUE(is_product(world, 1));
    expect_effective(config);
}

TEST(ConfigBodies, HaveRestitutionOfWalls) {
    const Config config = config_of(changed(with_bodies("  - {name: posts, spheres: [[5, 6, 7, 0.5]]}\n"),
                                            "{restitution: 1}", "{walls: {restitution: 0.5}}"));
    const ContactRules rules(world_of(config));
    EXPECT_EQ(rules.at_body(0, first_body), ContactRule(Bounce{0.5}));
    EXPECT_EQ(restitution_of_pairs(world_of(config)).at(2), (PairRestitution{0, wall_species, 0.5}));
}

TEST(ConfigBodies, ReactForCertainInBrownianMotion) {
    const Config config =
        config_of(changed(changed(with_bodies(cell_and_posts), "ballistic", "brownian"), "{restitution: 1}",
                          "{pairs: [{between: [a, cell], react: {to: []}}]}"));
    const ContactRules rules(world_of(config));
    EXPECT_TRUE(std::isinf(*rules.body_rate(0, first_body)));
    EXPECT_FALSE(rules.body_rate(0, first_body + 1).has_value());
}

// Many bodies take no time that grows with the square of their number.
TEST(ConfigBodies, MayBeMany) {
    std::string list;
    for (int k = 0; k < 20000; ++k)
        list += "  - {name: p" + std::to_string(k) + ", sphere: {centre: [" + std::to_string(k % 10) +
                ", 2, 3], radius: 0.1}}\n";
    const Config config = config_of(with_bodies(list));
    EXPECT_EQ(world_of(config).bodies.size(), 20000u);
    EXPECT_TRUE(forbidden_changes(effective_yaml(config), effective_yaml(config)).empty());
}

}  // namespace
}  // namespace ricochet
