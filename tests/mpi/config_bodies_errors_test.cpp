// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with bodies in an input, and where: every message in full.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::changed;
using test::good_input;
using test::messages_of;

/// The good input with one body in line 3, in a box of 10, 12 and 14 with walls. Radii of particles are 0.5 and 0.4.
std::string with_body(const std::string& body) {
    return changed(good_input, "14]}\n", "14], boundary: reflecting}\nbodies: [{name: c, " + body + "}]\n");
}

std::string flat(const std::string& text) { return changed(text, "[10, 12, 14]", "[10, 12]"); }

std::string periodic(const std::string& text, const std::string& axes) {
    return changed(text, "boundary: reflecting", "boundary: [" + axes + "]");
}

const std::string cell = "sphere: {centre: [5, 6, 7], radius: 4}, side: inside";

struct BadBody {
    std::string body;
    std::string messages;
};

void expect_messages(const std::vector<BadBody>& cases, bool is_flat = false) {
    for (const auto& [body, messages] : cases)
        EXPECT_EQ(messages_of(is_flat ? flat(with_body(body)) : with_body(body)), messages) << body;
}

constexpr const char* shapes =
    "one of sphere, disc, capsule, stadium, cylinder, box, rectangle, plane, line, spheres";

const std::vector<BadBody> bad_shapes = {
    {"side: inside", std::string("a.yaml:3:10: bodies.0: missing, expected ") + shapes},
    {"sphere: {centre: [5, 6, 7], radius: 1}, box: {low: [1, 1, 1], high: [2, 2, 2]}",
     std::string("a.yaml:3:60: bodies.0.box: got sphere too, expected only ") + shapes},
    {"sphere: {centre: [5, 6, 7], radius: 1}, plane: {point: [1, 1, 1], normal: [1, 0, 0]}, side: inside",
     std::string("a.yaml:3:60: bodies.0.plane: got sphere too, expected only ") + shapes},
    {"cone: {radius: 1}, sphere: {centre: [5, 6, 7], radius: 1}",
     "a.yaml:3:20: bodies.0.cone: unknown key, expected one of name, sphere, disc, capsule, stadium, "
     "cylinder, box, "
     "rectangle, plane, line, spheres, side, patches"},
    {"sphere: {centre: [5, 6], radius: 1}",
     "a.yaml:3:37: bodies.0.sphere.centre: got 2 numbers, expected 3 in a box of 3 dimensions"},
    {"sphere: {centre: [5, 6, 7], radius: 0}",
     "a.yaml:3:56: bodies.0.sphere.radius: got 0, expected a number > 0 (its radius)"},
    {"sphere: {radius: 1}",
     "a.yaml:3:28: bodies.0.sphere.centre: missing, expected a list of 2 or 3 numbers (its centre)"},
    {"sphere: [5, 6, 7, 1]",
     "a.yaml:3:28: bodies.0.sphere: got a list of 4, expected a section with centre, radius (a sphere, in "
     "two "
     "dimensions a disc)"},
    {"disc: {centre: [5, 6, 7], radius: 1}",
     "a.yaml:3:26: bodies.0.disc: got disc in a box of 3 dimensions, expected sphere"},
    {"stadium: {from: [5, 6, 7], to: [6, 6, 7], radius: 1}",
     "a.yaml:3:29: bodies.0.stadium: got stadium in a box of 3 dimensions, expected capsule"},
    {"rectangle: {low: [5, 6, 7], high: [6, 7, 8]}",
     "a.yaml:3:31: bodies.0.rectangle: got rectangle in a box of 3 dimensions, expected box"},
    {"line: {point: [5, 6, 7], normal: [6, 7, 8]}",
     "a.yaml:3:26: bodies.0.line: got line in a box of 3 dimensions, expected plane"},
    {"capsule: {from: [5, 6, 7], to: [5, 6, 7], radius: 1}",
     "a.yaml:3:51: bodies.0.capsule.to: got the same point as from, expected another one, or a sphere"},
    {"cylinder: {point: [5, 6, 7], axis: [0, 0, 0], radius: 1}",
     "a.yaml:3:55: bodies.0.cylinder.axis: got only zeros, expected a direction"},
    {"plane: {point: [5, 6, 7], normal: [0, 0, 0]}",
     "a.yaml:3:54: bodies.0.plane.normal: got only zeros, expected a direction"},
    {"box: {low: [5, 6, 7], high: [6, 6, 8]}",
     "a.yaml:3:48: bodies.0.box.high: got 6 along y, expected a number > low = 6"},
};

const std::vector<BadBody> bad_flat_shapes = {
    {"cylinder: {point: [5, 6], axis: [0, 1], radius: 1}",
     "a.yaml:3:30: bodies.0.cylinder: got cylinder in a box of 2 dimensions, expected disc, stadium, "
     "rectangle or "
     "line"},
    {"disc: {centre: [5, 6, 7], radius: 1}",
     "a.yaml:3:35: bodies.0.disc.centre: got 3 numbers, expected 2 in a box of 2 dimensions"},
    {"stadium: {from: [5, 6], to: [5, 6], radius: 1}",
     "a.yaml:3:48: bodies.0.stadium.to: got the same point as from, expected another one, or a disc"},
    {"spheres: [[5, 6, 7, 1]]",
     "a.yaml:3:30: bodies.0.spheres.0: got 4 numbers, expected 3, the last of which is the radius"},
};

const std::vector<BadBody> bad_spheres = {
    {"spheres: [[5, 6, 7, 1], [5, 6, 1]]",
     "a.yaml:3:44: bodies.0.spheres.1: got 3 numbers, expected 4, the last of which is the radius"},
    {"spheres: [[5, 6, 7, 1], [5, 6, 7, -1]]",
     "a.yaml:3:44: bodies.0.spheres.1: got the radius -1, expected a number > 0"},
    {"spheres: [[5, 6, 7, 1], 5]",
     "a.yaml:3:44: bodies.0.spheres.1: got 5, expected a list of 4 numbers, in two dimensions of 3 (many "
     "spheres, in "
     "two dimensions discs, that are one body and may overlap each other)"},
    {"spheres: [[5, 6, 7, 1], [5, 6, -7, 1]]",
     "a.yaml:3:29: bodies.0.spheres: got a sphere 2 of 2 that does not reach into the box, expected spheres "
     "that do"},
    {"spheres: [[5, 6, 7, 1], [5, 6, 7, 100]]",
     "a.yaml:3:29: bodies.0.spheres: got a sphere 2 of 2 that fills the box, expected spheres that leave "
     "room"},
    {"spheres: {hash: abc}",
     "a.yaml:3:29: bodies.0.spheres.file: missing, expected a text (the file, so that its hash may stand "
     "beside it)"},
};

const std::vector<BadBody> bad_sides = {
    {"plane: {point: [5, 6, 7], normal: [0, 0, 1]}, side: inside",
     "a.yaml:3:72: bodies.0.side: got inside, expected outside or both for a plane"},
    {"spheres: [[5, 6, 7, 1]], side: inside",
     "a.yaml:3:51: bodies.0.side: got inside, expected outside for spheres"},
    {"spheres: [[5, 6, 7, 1]], side: both",
     "a.yaml:3:51: bodies.0.side: got both, expected outside for spheres"},
    {"box: {low: [5, 6, 7], high: [6, 7, 8]}, side: in",
     "a.yaml:3:66: bodies.0.side: got in, expected one of outside, inside, both (where particles may be)"},
};

const std::vector<BadBody> bad_places = {
    {"sphere: {centre: [5, 6, 20], radius: 5}",
     "a.yaml:3:28: bodies.0.sphere: got a sphere that does not reach into the box, expected one that does"},
    {"sphere: {centre: [5, 6, -1e14], radius: 1e14}",
     "a.yaml:3:28: bodies.0.sphere: got the radius 100000000000000, expected at most 1.4e+10, 1e+09 times "
     "the longest "
     "edge of the box; use a plane"},
    {"sphere: {centre: [5, 6, 7], radius: 50}",
     "a.yaml:3:28: bodies.0.sphere: got a sphere that fills the box, expected one that leaves room"},
    {"sphere: {centre: [5, 6, 7], radius: 50}, side: both",
     "a.yaml:3:28: bodies.0.sphere: got a sphere that does not reach into the box, expected one that does"},
    {"capsule: {from: [-5, 6, 7], to: [-2, 6, 7], radius: 1}, side: both",
     "a.yaml:3:29: bodies.0.capsule: got a capsule that does not reach into the box, expected one that does"},
    {"cylinder: {point: [5, 6, 7], axis: [1, 0, 0], radius: 50}, side: both",
     "a.yaml:3:30: bodies.0.cylinder: got a cylinder that does not reach into the box, expected one that "
     "does"},
    {"capsule: {from: [-5, 6, 7], to: [-2, 6, 7], radius: 1}",
     "a.yaml:3:29: bodies.0.capsule: got a capsule that does not reach into the box, expected one that does"},
    {"capsule: {from: [-5, 6, 7], to: [20, 6, 7], radius: 10}",
     "a.yaml:3:29: bodies.0.capsule: got a capsule that fills the box, expected one that leaves room"},
    {"cylinder: {point: [5, 6, -2], axis: [1, 0, 0], radius: 1}",
     "a.yaml:3:30: bodies.0.cylinder: got a cylinder that does not reach into the box, expected one that "
     "does"},
    {"cylinder: {point: [50, 0, 7], axis: [1, -1, 0], radius: 1}",
     "a.yaml:3:30: bodies.0.cylinder: got a cylinder that does not reach into the box, expected one that "
     "does"},
    {"box: {low: [-1, 0, 0], high: [10, 12, 14]}",
     "a.yaml:3:25: bodies.0.box: got a box that fills the box, expected one that leaves room"},
    {"box: {low: [-1, 0, 0], high: [-0.5, 12, 14]}",
     "a.yaml:3:25: bodies.0.box: got a box that does not reach into the box, expected one that does"},
    {"plane: {point: [5, 6, -1], normal: [0, 0, 1]}",
     "a.yaml:3:27: bodies.0.plane: got a plane that does not reach into the box, expected one that does"},
    {"plane: {point: [5, 6, 15], normal: [0, 0, 1]}, side: both",
     "a.yaml:3:27: bodies.0.plane: got a plane that does not reach into the box, expected one that does"},
};

const std::vector<BadBody> bad_insides = {
    {"sphere: {centre: [5, 6, 7], radius: 5.1}, side: inside",
     "a.yaml:3:28: bodies.0.sphere: got -0.09999999999999964 to 10.1 along x, expected an inside within the "
     "box, from "
     "0 to 10"},
    {"sphere: {centre: [5, 6, 7], radius: 0.5}, side: inside",
     "a.yaml:3:28: bodies.0.sphere: got a width of 1 inside along x, expected more than 1, the largest "
     "diameter of a "
     "particle"},
    {"capsule: {from: [4, 5, 6], to: [6, 7, 8], radius: 0.4}, side: inside",
     "a.yaml:3:29: bodies.0.capsule: got an inside that is 0.8 wide, expected more than 1, the largest "
     "diameter "
     "of a particle"},
    {"box: {low: [5, 6, 7], high: [7, 8, 7.5]}, side: inside",
     "a.yaml:3:25: bodies.0.box: got a width of 0.5 inside along z, expected more than 1, the largest "
     "diameter of a "
     "particle"},
    {"cylinder: {point: [5, 6, 7], axis: [1, 1, 0], radius: 2}, side: inside",
     "a.yaml:3:55: bodies.0.cylinder.axis: got an oblique axis with side inside, expected one along an axis "
     "of "
     "the box (an endless cylinder would lead out of it; a capsule has ends)"},
    {"cylinder: {point: [5, 1, 7], axis: [1, 0, 0], radius: 2}, side: inside",
     "a.yaml:3:30: bodies.0.cylinder: got -1 to 3 along y, expected an inside within the box, from 0 to 12"},
    {"sphere: {centre: [3, 6, 7], radius: 2}, side: inside}, {name: d, sphere: {centre: [7, 6, 7], radius: "
     "2.5}, "
     "side: inside",
     "a.yaml:3:9: bodies: got several with side: inside that have no room in common along x, expected one, "
     "or some "
     "within each other"},
};

TEST(BadInput, ShapesOfBodiesAreChecked) {
    expect_messages(bad_shapes);
    expect_messages(bad_flat_shapes, true);
    expect_messages(bad_spheres);
}
TEST(BadInput, SidesOfBodiesAreChecked) { expect_messages(bad_sides); }
TEST(BadInput, PlacesOfBodiesAreChecked) {
    expect_messages(bad_places);
    expect_messages(bad_insides);
}

const std::string oblique_cylinder = "cylinder: {point: [5, 6, 7], axis: [1, 1, 0], radius: 1}";
const std::string oblique_plane = "plane: {point: [5, 6, 7], normal: [1, 1, 0]}";
const std::string lid = "plane: {point: [5, 6, 7], normal: [0, 0, 1]}";

// A body must meet its images, or stay away from them.
TEST(BadInput, BodiesAcrossPeriodicAxesAreChecked) {
    const std::string x_periodic = "periodic, reflecting, reflecting",
                      y_periodic = "reflecting, periodic, reflecting",
                      z_periodic = "reflecting, reflecting, periodic";
    EXPECT_EQ(messages_of(with_body(oblique_cylinder)), "no error");
    EXPECT_EQ(messages_of(periodic(with_body(oblique_cylinder), z_periodic)), "no error");
    EXPECT_EQ(messages_of(periodic(with_body(oblique_cylinder), y_periodic)),
              "a.yaml:3:55: bodies.0.cylinder.axis: got a direction oblique to y, which is periodic, "
              "expected one along "
              "an axis of the box (images of the cylinder would cross it)");
    EXPECT_EQ(messages_of(with_body(oblique_plane)), "no error");
    EXPECT_EQ(messages_of(periodic(with_body(oblique_plane), z_periodic)), "no error");
    for (const std::string side : {", side: both", ""})
        EXPECT_EQ(messages_of(periodic(with_body(oblique_plane + side), x_periodic)),
                  "a.yaml:3:54: bodies.0.plane.normal: got a direction oblique to x, which is periodic, "
                  "expected one "
                  "along an axis of the box (images of the plane would cross it)");
    EXPECT_EQ(messages_of(periodic(with_body(lid), x_periodic)), "no error");
    EXPECT_EQ(messages_of(periodic(with_body(lid + ", side: both"), z_periodic)), "no error");
    EXPECT_EQ(messages_of(periodic(with_body(lid), z_periodic)),
              "a.yaml:3:54: bodies.0.plane.normal: got a normal along z, which is periodic, expected side: "
              "both, or "
              "walls along z (images of the plane have no outside in common)");
    EXPECT_EQ(messages_of(periodic(
                  with_body("cylinder: {point: [50, 6, 7], axis: [1, 0, 0], radius: 4}, side: inside"),
                  x_periodic)),
              "no error");
}

TEST(BadInput, ImagesOfBodiesMayNotOverlap) {
    const std::string x_periodic = "periodic, reflecting, reflecting";
    const auto message = [&](const std::string& body) {
        return messages_of(periodic(with_body(body), x_periodic));
    };
    EXPECT_EQ(message("box: {low: [0, 1, 1], high: [10, 2, 2]}"),
              "a.yaml:3:25: bodies.0.box: got a width of 10 along x, expected less than the periodic edge 10 "
              "(its images "
              "would overlap)");
    EXPECT_EQ(message("spheres: [[5, 6, 7, 1], [5, 6, 7, 6]]"),
              "a.yaml:3:29: bodies.0.spheres: got a width of 12 along x, expected less than the periodic "
              "edge 10 (its "
              "images would overlap)");
    EXPECT_EQ(message("box: {low: [0, 1, 1], high: [10, 4, 4]}, side: inside"), "no error");
    EXPECT_EQ(message("box: {low: [0, 1, 1], high: [9.99, 2, 2]}"), "no error");
}

TEST(BadInput, NamesOfBodiesAreChecked) {
    const auto messages = [](const std::string& name) {
        return messages_of(changed(with_body(cell), "name: c,", "name: " + name + ","));
    };
    EXPECT_EQ(messages("wall"),
              "a.yaml:3:17: bodies.0.name: got wall, expected another name (walls have this one)");
    EXPECT_EQ(messages("a"), "a.yaml:3:17: bodies.0.name: got a, which is a species, expected another name");
    EXPECT_EQ(messages("c.pore"), "a.yaml:3:17: bodies.0.name: got c.pore, expected a name without a dot");
    EXPECT_EQ(messages_of(with_body(cell + "}, {name: c, " + cell)),
              "a.yaml:3:82: bodies.1.name: got c twice, expected names that differ");
    EXPECT_EQ(messages_of(changed(good_input, "title: test", "bodies: []")),
              "a.yaml:1:9: bodies: got 0 entries, expected 1 to 60000 (bodies at rest that particles touch, "
              "beside the "
              "walls of the box)");
    EXPECT_EQ(messages_of(changed(good_input, "title: test", "obstacles: []")),
              "a.yaml:1:1: obstacles: unknown key, did you mean bodies?");
}

std::string message_of_file(const std::string& body, const std::string& file) {
    try {
        parse_config(with_body(body), "a.yaml", {}, [&](const std::string& path) -> std::string {
            if (file.empty()) throw InputError(path + ": cannot be read: there is no such file");
            return file;
        });
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(BadInput, FilesOfSpheresAreChecked) {
    const auto message = [](const std::string& file) { return message_of_file("spheres: p.csv", file); };
    const std::string place = "a.yaml:3:29: bodies.0.spheres: ";
    EXPECT_EQ(message("x,y,z,radius\n1,2,3,1\n"), "no error");
    EXPECT_EQ(message(""), place + "p.csv: cannot be read: there is no such file");
    EXPECT_EQ(message("\n"),
              place + "p.csv: got no spheres, expected a header x,y,z,radius and a line for each");
    EXPECT_EQ(message("x,y,radius\n"),
              place + "p.csv:1: got no column z, expected a first line that names x, y, z and radius");
    EXPECT_EQ(message("x,y,z,radius\n\n1,2,3\n"),
              place + "p.csv:3: got 3 values, expected 4 as in the header");
    EXPECT_EQ(message("x,y,z,radius\n1,2,c,1\n"), place + "p.csv:2: got \"c\" for z, expected a number");
    EXPECT_EQ(message("x,y,z,radius\n1,2,1e300,1\n"),
              place + "p.csv:2: got \"1e300\" for z, expected a number");
    EXPECT_EQ(message("x,y,z,radius\n1,2,3,0\n"), place + "p.csv:2: got the radius 0, expected a number > 0");
    EXPECT_EQ(message("x,y,z,radius\n1,2,30,1\n"),
              place + "got a sphere 1 of 1 that does not reach into the box, expected spheres that do");
    EXPECT_EQ(message_of_file("spheres: {file: p.csv, hash: abc}", "x,y,z,radius\n1,2,3,1\n"),
              "a.yaml:3:49: bodies.0.spheres.hash: got abc, but the spheres of p.csv have 3c14e27878e87470: "
              "the file has "
              "changed");
}

// --- contacts ------------------------------------------------------------------------------------------------

std::string message_of_rules(const std::string& body, const std::string& contacts, bool is_brownian = false) {
    const std::string text = changed(with_body(body), "{restitution: 1}", "{" + contacts + "}");
    return messages_of(is_brownian ? changed(text, "ballistic", "brownian") : text);
}

const std::string outcomes_at_body[] = {
    "a.yaml:9:44: contacts.pairs.0.pass: got pass with c, which has particles on one side, expected a body "
    "with side: both",
    "a.yaml:9:48: contacts.pairs.0.coalesce: got coalesce with c, expected two species (react: {to: []} lets "
    "a body "
    "absorb)",
    "a.yaml:9:45: contacts.pairs.0.stick: got stick with c, expected two species (bodies have no tethers)",
};

TEST(BadInput, RulesOfBodiesAreChecked) {
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, c], pass: {}}]"), outcomes_at_body[0]);
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, c], coalesce: {}}]"), outcomes_at_body[1]);
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, c], stick: {length: 2}}]"), outcomes_at_body[2]);
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, d], restitution: 1}]"),
              "a.yaml:9:34: contacts.pairs.0.between: got d, expected the name of a species, wall or body");
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [c, wall], restitution: 1}]"),
              "a.yaml:9:30: contacts.pairs.0.between: got c and wall, expected at least one species");
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [c, c], restitution: 1}]"),
              "a.yaml:9:30: contacts.pairs.0.between: got c twice, expected at least one species");
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, c], faces: [x-], restitution: 1}]"),
              "a.yaml:9:45: contacts.pairs.0.faces: got faces without wall, expected wall in between");
    EXPECT_EQ(message_of_rules(cell, "pairs: [{between: [a, c], react: {to: [a, b]}}]"),
              "a.yaml:9:50: contacts.pairs.0.react.to: got 2 products, expected at most 1 at a body");
    EXPECT_EQ(message_of_rules(
                  cell,
                  "pairs: [{between: [a, c], react: {to: [b]}}, {between: [a, wall], react: {to: [b]}}, "
                  "{between: [c, a], react: {to: []}}]"),
              "a.yaml:9:107: contacts.pairs.2.between: got a pair that has a rule already, first in line 9");
    for (const std::string rate : {"3", ".inf"})
        EXPECT_EQ(
            message_of_rules(cell, "pairs: [{between: [a, c], react: {to: [b], rate: " + rate + "}}]", true),
            "no error");
    EXPECT_EQ(messages_of(changed(with_body(cell), "collisions: all", "collisions: [[a, c]]")),
              "a.yaml:11:27: output.collisions: got c, a body, expected the name of a species, or wall, "
              "which stands "
              "for walls and bodies alike");
}

// Particles on a curved inside would touch ever again and ever sooner.
TEST(BadInput, RestitutionInsideCurvesIsChecked) {
    const std::string why =
        "expected 1 at c, or contacts.collapse, such as {duration: 0.001} (within a curve a nearly "
        "tangential "
        "particle would touch infinitely often)";
    const std::string capsule = "capsule: {from: [5, 6, 7], to: [5, 6, 8], radius: 3}";
    const std::string cylinder = "cylinder: {point: [5, 6, 7], axis: [1, 0, 0], radius: 3}";
    const std::string bubble = "sphere: {centre: [5, 6, 7], radius: 4}, side: both";
    for (const std::string& body : {cell, bubble, capsule + ", side: inside", capsule + ", side: both",
                                    cylinder + ", side: inside", cylinder + ", side: both"}) {
        EXPECT_EQ(message_of_rules(body, "restitution: 0.5"),
                  "a.yaml:9:25: contacts.restitution: got 0.5, " + why);
        EXPECT_EQ(message_of_rules(body, "restitution: 0.5, walls: {restitution: 0.75}"),
                  "a.yaml:9:51: contacts.walls.restitution: got 0.75, " + why);
        EXPECT_EQ(message_of_rules(body, "restitution: 0.5, walls: {restitution: 1}"), "no error");
        EXPECT_EQ(message_of_rules(body, "pairs: [{between: [a, c], restitution: 0.75}]"),
                  "a.yaml:9:51: contacts.pairs.0.restitution: got 0.75, " + why);
        EXPECT_EQ(
            message_of_rules(body,
                             "restitution: 0.5, pairs: [{between: [a, c], restitution: 1}, {between: [b, "
                             "c], react: {to: []}}]"),
            "no error");
        EXPECT_EQ(
            message_of_rules(body,
                             "restitution: 0.5, pairs: [{between: [a, c], restitution: 1}, {between: [b, "
                             "c], react: {to: [], probability: 0.5}}]"),
            "a.yaml:9:73: contacts.pairs.1: got 0.5, " + why);
    }
    for (const std::string& body : {capsule, cylinder, std::string("sphere: {centre: [5, 6, 7], radius: 4}"),
                                    std::string("box: {low: [1, 1, 1], high: [9, 9, 9]}, side: inside")})
        EXPECT_EQ(message_of_rules(body, "restitution: 0.5"), "no error");
}

TEST(BadInput, GrownStartsWithBodiesAreRefused) {
    EXPECT_EQ(messages_of(changed(with_body(cell), "{method: random}", "{method: grow, rate: 0.1}")),
              "a.yaml:7:21: placement.method: got grow with bodies, expected random, dense, lattice or file "
              "(bodies have no grown start yet)");
    for (const char* const method : {"dense", "lattice, type: sc"})
        EXPECT_EQ(messages_of(
                      changed(with_body(cell), "{method: random}", "{method: " + std::string(method) + "}")),
                  "no error");
}

}  // namespace
}  // namespace ricochet
