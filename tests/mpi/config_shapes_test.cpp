// SPDX-License-Identifier: BSD-3-Clause
//
// Species that are convex bodies, in inputs: what they become, and what is refused beside them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "geometry/polytope.hpp"
#include "model/world_facts.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

std::string with_shape(const std::string& shape, const std::string& text = good_input) {
    return changed(text, "{name: a, radius: 0.5", "{name: a, shape: " + shape);
}

const std::string flat_input = changed(good_input, "[10, 12, 14]", "[10, 12]");

Species species_of(const std::string& shape, const std::string& text = good_input) {
    const Config config = parse_config(with_shape(shape, text), "a.yaml");
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
    EXPECT_NE(effective_yaml(config).find("shape:"), std::string::npos);
    EXPECT_TRUE(has_shapes(world_of(config)));
    return config.species.at(0);
}

/// The middle of the body is at 0, its corners are in the sphere around it, and one is on it.
void expect_sphere_around(const Species& species, int dimension) {
    double farthest = 0;
    for (const Vec3& corner : species.corners) farthest = std::max(farthest, norm(corner));
    EXPECT_GT(species.radius, farthest);
    EXPECT_LT(species.radius, farthest * (1 + 1e-11));
    const auto hull = convex_hull(species.corners, dimension);
    ASSERT_TRUE(hull.has_value());
    EXPECT_EQ(hull->corners.size(), species.corners.size());
    EXPECT_LT(norm(hull->centre), 1e-14);
    EXPECT_NEAR(hull->volume, species.content, 1e-14);
}

TEST(ConfigShapes, HaveCornersAboutTheMiddle) {
    const Species cube = species_of("{cube: 0.5}");
    EXPECT_EQ(cube.corners.size(), 8u);
    EXPECT_EQ(cube.corners[0], (Vec3{-0.25, -0.25, -0.25}));
    EXPECT_EQ(cube.corners[7], (Vec3{0.25, 0.25, 0.25}));
    EXPECT_DOUBLE_EQ(cube.content, 0.125);
    expect_sphere_around(cube, 3);
    const Species pyramid = species_of("{pyramid: [0.5, 0.8]}");
    EXPECT_EQ(pyramid.corners.size(), 5u);
    EXPECT_EQ(pyramid.corners[0], (Vec3{-0.25, -0.25, -0.2}));
    EXPECT_DOUBLE_EQ(pyramid.corners[4].z, 0.6);
    EXPECT_NEAR(pyramid.content, 0.2 / 3, 1e-15);
    expect_sphere_around(pyramid, 3);
    const Species wedge =
        species_of("{points: [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2], [1.1, 1.1, 1.1]]}");
    EXPECT_EQ(wedge.corners.size(), 4u);
    EXPECT_NEAR(wedge.content, 1. / 6, 1e-15);
    EXPECT_NEAR(wedge.corners[0].x, -0.25, 1e-15);
    expect_sphere_around(wedge, 3);
}

TEST(ConfigShapes, HaveWordsOfTwoDimensions) {
    const Species square = species_of("{square: 0.5}", flat_input);
    EXPECT_EQ(square.corners.size(), 4u);
    EXPECT_DOUBLE_EQ(square.content, 0.25);
    expect_sphere_around(square, 2);
    const Species triangle = species_of("{triangle: [0.5, 0.9]}", flat_input);
    EXPECT_EQ(triangle.corners[0], (Vec3{-0.25, -0.3, 0}));
    EXPECT_NEAR(triangle.corners[2].y, 0.6, 1e-15);
    expect_sphere_around(triangle, 2);
    expect_sphere_around(species_of("{points: [[0, 0], [1, 0], [0, 1]]}", flat_input), 2);
}

/// By the volumes of bodies, not of the spheres around them.
TEST(ConfigShapes, AreCountedByVolume) {
    const std::string text =
        changed(with_shape("{cube: 0.5}"), "count: 10}\n  - {name: b", "volume_fraction: 0.1}\n  - {name: b");
    const Config config = parse_config(text, "a.yaml");
    EXPECT_EQ(config.species[0].count, 1344u);
    EXPECT_EQ(
        parse_config(with_shape("{cube: 0.8}"), "a.yaml", std::vector<std::string>{"species.0.count=2800"})
            .species[0]
            .count,
        2800u);  // 0.85 of the box
}

std::string error_of_shape(const std::string& shape, const std::string& text = good_input) {
    return messages_of(with_shape(shape, text));
}

TEST(BadInput, ShapesHaveOneForm) {
    EXPECT_EQ(error_of_shape("{}").substr(0, 9), "a.yaml:4:");
    for (const char* const shape :
         {"{}", "{cube: 1, pyramid: [1, 1]}", "{cube: 0}", "{cube: -1}", "{cube: [1, 1]}", "{cube: big}",
          "{pyramid: 1}", "{pyramid: [1]}", "{pyramid: [1, 1, 1]}", "{pyramid: [1, 0]}", "{points: []}",
          "{points: [1, 2, 3]}", "{points: [[1]]}", "{points: {a: 1}}", "{sphere: 1}", "cube", "[1]", "1"})
        EXPECT_NE(error_of_shape(shape), "no error") << shape;
    EXPECT_EQ(
        messages_of(changed(good_input, "{name: a, radius: 0.5", "{name: a, radius: 0.5, shape: {cube: 1}"))
            .find("no error"),
        std::string::npos);
    EXPECT_NE(messages_of(changed(good_input, "{name: a, radius: 0.5", "{name: a")), "no error");
}

TEST(BadInput, NumbersInListsAreNamed) {
    EXPECT_EQ(error_of_shape("{points: [[0, 0, 0], [1, 0, .nan], [0, 1, 0], [0, 0, 1]]}"),
              "a.yaml:4:50: species.0.shape.points.1.2: got .nan, expected a finite number (points of which "
              "the body is "
              "the convex hull)");
    EXPECT_EQ(error_of_shape("{pyramid: [1, .inf]}"),
              "a.yaml:4:36: species.0.shape.pyramid.1: got .inf, expected a finite number > 0 (edge of the "
              "square base "
              "and height of a pyramid whose tip points along z)");
}

TEST(BadInput, ShapesFitTheBox) {
    EXPECT_EQ(
        error_of_shape("{square: 1}"),
        "a.yaml:4:31: species.0.shape.square: got square in a box of 3 dimensions, expected cube, pyramid or "
        "points");
    EXPECT_EQ(
        error_of_shape("{cube: 1}", flat_input),
        "a.yaml:4:29: species.0.shape.cube: got cube in a box of 2 dimensions, expected square, triangle or "
        "points");
    EXPECT_EQ(error_of_shape("{points: [[0, 0], [1, 0], [0, 1]]}"),
              "a.yaml:4:32: species.0.shape.points: got 2 numbers, expected 3 in a box of 3 dimensions");
    EXPECT_EQ(error_of_shape("{points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}"),
              "a.yaml:4:31: species.0.shape.points: got a flat body, or a needle, expected four points at "
              "least that are not in "
              "one plane");
    EXPECT_EQ(error_of_shape("{points: [[0, 0], [1, 0], [2, 0]]}", flat_input),
              "a.yaml:4:31: species.0.shape.points: got a flat body, expected three points at least that are "
              "not on "
              "one line");
    EXPECT_NE(error_of_shape("{cube: 3}").find("box.size: got 10 along x, expected a number > 10.39"),
              std::string::npos)
        << error_of_shape("{cube: 3}");
    EXPECT_EQ(error_of_shape("{pyramid: [1e-3, 1]}"), "no error");
    EXPECT_NE(error_of_shape("{pyramid: [1e-5, 1]}").find("got a flat body, or a needle"), std::string::npos);
}

std::string error_with(const std::vector<std::string>& overrides, const std::string& text) {
    return messages_of(with_shape("{cube: 0.5}", text), overrides);
}

TEST(BadInput, ShapesAreRefusedBesideRulesOfSpheres) {
    const auto with_pair = [](const std::string& rule) {
        return messages_of(with_shape("{cube: 0.5}"), {"contacts.pairs=[" + rule + "]"});
    };
    const std::string expected =
        ", which is for spheres, with a species that has a shape, expected other rules, or radius";
    EXPECT_NE(with_pair("{between: [a, b], coalesce: {}}").find("contacts.pairs.0: got coalesce" + expected),
              std::string::npos);
    EXPECT_NE(
        with_pair("{between: [a, b], stick: {length: 1.5}}").find("contacts.pairs.0: got stick" + expected),
        std::string::npos);
    EXPECT_EQ(with_pair("{between: [a, b], react: {to: [a]}}"), "no error");
    EXPECT_EQ(with_pair("{between: [b, b], react: {to: [a, b]}}"), "no error");
    EXPECT_EQ(with_pair("{between: [a, b], pass: {}}"), "no error");
    EXPECT_EQ(with_pair("{between: [b, b], coalesce: {}}"), "no error");
    EXPECT_NE(error_with({"decays=[{from: b, to: [a], rate: 1}]"}, good_input)
                  .find("decays.0: got a species that has a shape, expected spheres"),
              std::string::npos);
    EXPECT_EQ(error_with({"placement.method=dense"}, good_input), "no error");
    EXPECT_NE(error_with({"placement.method=grow"}, good_input)
                  .find("got grow, expected random, dense, lattice or file, since a species has"),
              std::string::npos);
    const std::string brownian = changed(good_input, "ballistic", "brownian");
    EXPECT_EQ(error_with({}, brownian), "no error");
    EXPECT_NE(messages_of(with_shape("{cube: 0.5}", brownian),
                          {"contacts.pairs=[{between: [a, b], react: {to: [], rate: 3}}]"})
                  .find("contacts.pairs.0: got a rate" + expected),
              std::string::npos);
    EXPECT_NE(messages_of(with_shape("{cube: 0.5}", brownian),
                          {"contacts.pairs=[{between: [a, b], react: {to: []}}]"})
                  .find("contacts.pairs.0: got a reaction of brownian particles" + expected),
              std::string::npos);
    EXPECT_EQ(messages_of(with_shape("{cube: 0.5}", brownian),
                          {"contacts.pairs=[{between: [b, b], react: {to: []}}]"}),
              "no error");
    EXPECT_NE(error_with({"box.boundary=reflecting",
                          "walls=[{face: x-, vibrating: {amplitude: 0.1, frequency: 0.5}}]"},
                         good_input)
                  .find("walls.0.vibrating: got a wall that vibrates beside a species that has a shape"),
              std::string::npos);
    EXPECT_EQ(error_with({"box.boundary=reflecting", "walls=[{face: x-, velocity: 0.1}]"}, good_input),
              "no error");
    EXPECT_NE(error_with({"species.0.diffusion={stokes_einstein: {viscosity: 1}}"}, brownian)
                  .find("got stokes_einstein, which is for spheres"),
              std::string::npos);
}

TEST(ConfigShapes, GoTogetherWithBodies) {
    const auto with_bodies = [](const std::string& body, std::vector<std::string> more = {}) {
        more.push_back("bodies=[{name: post, " + body + "}]");
        return error_with(more, good_input);
    };
    const std::string sphere = "sphere: {centre: [5, 5, 5], radius: 1}";
    const std::vector<std::string> bodies{sphere,
                                          sphere + ", side: both",
                                          "sphere: {centre: [5, 5, 5], radius: 4}, side: inside",
                                          "capsule: {from: [3, 5, 5], to: [6, 5, 5], radius: 1}",
                                          "box: {low: [3, 3, 3], high: [6, 6, 4]}",
                                          "plane: {point: [0, 0, 5], normal: [0, 0, 1]}, side: both",
                                          "cylinder: {point: [0, 5, 5], axis: [1, 0, 0], radius: 1}"};
    for (const std::string& body : bodies) EXPECT_EQ(with_bodies(body), "no error") << body;
    EXPECT_EQ(with_bodies(sphere, {"contacts.pairs=[{between: [a, post], react: {to: []}}]"}), "no error");
    EXPECT_NE(with_bodies(sphere + ", side: both", {"contacts.pairs=[{between: [a, post], pass: {}}]"})
                  .find("contacts.pairs.0: got a pass through a body, which is for spheres"),
              std::string::npos);
    EXPECT_EQ(with_bodies(sphere + ", side: both", {"contacts.pairs=[{between: [b, post], pass: {}}]"}),
              "no error");
    const std::vector<std::string> falling{"box.boundary=reflecting", "fields={gravity: [0, 0, -1]}"};
    EXPECT_EQ(with_bodies(sphere, falling), "no error");
    EXPECT_EQ(with_bodies("sphere: {centre: [5, 5, 5], radius: 4}, side: inside", falling), "no error");
    EXPECT_EQ(with_bodies("plane: {point: [0, 0, 1], normal: [0, 0, 1]}", falling), "no error");
    EXPECT_NE(
        messages_of(with_shape("{cube: 1e-5}"),
                    {"bodies=[{name: post, capsule: {from: [2, 5, 5], to: [6, 5, 5], radius: 1}}]"})
            .find("bodies.0.capsule: got a length of 4, expected less (the shape of species a is thinner"),
        std::string::npos);
}

}  // namespace
}  // namespace ricochet
