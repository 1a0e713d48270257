// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity in inputs: what becomes of it, and what is refused beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/free_fall.hpp"
#include "tests/support/mpi/good_input.hpp"
#include "theory/contact_rate.hpp"
#include "theory/drive_outlook.hpp"

namespace ricochet {
namespace {

using test::good_input;
using test::messages_of;
using testing::HasSubstr;

const std::string walled = "box.boundary=reflecting", mutual = "self_gravity={constant: 2}";

Config config_of(const std::vector<std::string>& overrides) {
    return parse_config(good_input, "a.yaml", overrides);
}

TEST(ConfigSelfGravity, LawIsOfTheWorld) {
    const Config config = config_of({walled, mutual});
    const GravitySetting expected{{GravityForm::inverse_square, 2, 0}, GravityMethod::tree, 0.8};
    EXPECT_EQ(config.self_gravity, expected);
    EXPECT_EQ(world_of(config).self_gravity, expected.law);
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

TEST(ConfigSelfGravity, HasAllItsKeys) {
    const Config config = config_of(
        {walled, "self_gravity={constant: 1e-3, softening: 0.25, law: inverse, method: tree, opening: 0.5}"});
    EXPECT_EQ(config.self_gravity,
              (GravitySetting{{GravityForm::inverse, 1e-3, 0.25}, GravityMethod::tree, 0.5}));
    const Config direct = config_of({walled, "self_gravity={constant: 1, method: direct}"});
    EXPECT_EQ(direct.self_gravity->method, GravityMethod::direct);
    EXPECT_EQ(effective_yaml(direct).find("opening"), std::string::npos);
    EXPECT_EQ(parse_config(effective_yaml(direct), "a.yaml"), direct);
}

TEST(ConfigSelfGravity, IsNotWrittenWithoutIt) {
    EXPECT_EQ(effective_yaml(config_of({})).find("self_gravity"), std::string::npos);
    EXPECT_EQ(world_of(config_of({})).self_gravity, std::nullopt);
}

// A continued run has the forces with which it began.
TEST(ConfigSelfGravity, MayNotChange) {
    const std::string before = effective_yaml(config_of({walled, mutual}));
    for (const std::string other : {"self_gravity={constant: 3}", "self_gravity={constant: 2, opening: 0.7}",
                                    "self_gravity={constant: 2, method: direct}"})
        EXPECT_FALSE(forbidden_changes(before, effective_yaml(config_of({walled, other}))).empty()) << other;
}

TEST(ConfigSelfGravity, MayBeBesideAUniformField) {
    EXPECT_EQ(world_of(config_of({walled, mutual, "fields={gravity: [0, 0, -1]}"})).gravity,
              (Vec3{0, 0, -1}));
}

struct Refusal {
    std::vector<std::string> overrides;
    std::string message;
};

TEST(BadInput, SelfGravityHasGoodNumbers) {
    const std::vector<Refusal> refusals{
        {{"self_gravity={constant: 0}"}, "self_gravity.constant: got 0, expected a number > 0"},
        {{"self_gravity={constant: -1}"}, "self_gravity.constant: got -1, expected a number > 0"},
        {{"self_gravity={constant: .inf}"}, "self_gravity.constant: got .inf, expected a finite number > 0"},
        {{"self_gravity={constant: .nan}"}, "self_gravity.constant: got .nan, expected a finite number > 0"},
        {{"self_gravity={constant: 1e-300}"}, "expected a magnitude from 1e-100 to 1e100"},
        {{"self_gravity={}"}, "self_gravity.constant: missing, expected a number > 0"},
        {{"self_gravity=1"}, "self_gravity: got 1, expected a section with constant"},
        {{"self_gravity=[1]"}, "self_gravity: got a list of 1, expected a section"},
        {{"self_gravity={constant: 1, softening: -0.1}"},
         "self_gravity.softening: got -0.1, expected a number >= 0"},
        {{"self_gravity={constant: 1, opening: 0}"},
         "self_gravity.opening: got 0, expected a number > 0 and <= 1.5"},
        {{"self_gravity={constant: 1, opening: 2}"},
         "self_gravity.opening: got 2, expected a number > 0 and <= 1.5"},
        {{"self_gravity={constant: 1, method: direct, opening: 0.5}"},
         "self_gravity.opening: only has a meaning with self_gravity.method tree; direct opens all"},
        {{"self_gravity={constant: 1, method: treee}"},
         "self_gravity.method: got treee, expected one of direct, tree"},
        {{"self_gravity={constant: 1, law: inverse_cube}"},
         "self_gravity.law: got inverse_cube, expected one of"},
        {{"self_gravity={constant: 1, theta: 0.5}"}, "self_gravity.theta: unknown key"},
        {{"self_gravity={G: 1}"}, "self_gravity.G: unknown key"},
    };
    for (const Refusal& refusal : refusals) {
        std::vector<std::string> overrides{walled};
        overrides.insert(overrides.end(), refusal.overrides.begin(), refusal.overrides.end());
        EXPECT_THAT(messages_of(good_input, overrides), HasSubstr(refusal.message));
    }
}

TEST(ConfigSelfGravity, MayBePeriodic) {
    for (const std::string boundary :
         {"periodic", "[reflecting, periodic, reflecting]", "[periodic, periodic, reflecting]", "reflecting"})
        EXPECT_TRUE(config_of({mutual, "box.boundary=" + boundary}).self_gravity) << boundary;
    for (const std::string boundary : {"periodic", "[reflecting, periodic, reflecting]"})
        EXPECT_TRUE(
            config_of({"self_gravity={constant: 2, law: inverse}", "box.boundary=" + boundary}).self_gravity)
            << boundary;
    config_of({mutual, "box={size: [20, 20, 400], boundary: [periodic, periodic, reflecting]}"});
    config_of({walled, mutual, "box.size=[20, 20, 4000]"});
}

TEST(BadInput, SelfGravityHasLatticeSums) {
    EXPECT_THAT(messages_of(good_input, {"self_gravity={constant: 2, law: inverse}",
                                         "box.boundary=[periodic, reflecting, periodic]"}),
                HasSubstr("self_gravity.law: got inverse in a box with two periodic axes of three, expected "
                          "inverse_square, or one or three periodic axes"));
    EXPECT_THAT(
        messages_of(good_input, {mutual, "box={size: [20, 40, 400], boundary: periodic}"}),
        HasSubstr(
            "box.size: got a box of 40 cubes on its shortest periodic edge, 20, expected at most 32 with "
            "self_gravity, edges between walls included"));
}

TEST(BadInput, SelfGravityIsBallistic) {
    EXPECT_THAT(
        messages_of(good_input, {walled, mutual, "dynamics.type=brownian", "species.0.diffusion=1",
                                 "species.1.diffusion=1"}),
        HasSubstr("self_gravity: only has a meaning with dynamics.type ballistic; brownian particles have no "
                  "inertia"));
}

TEST(BadInput, SelfGravityCollapses) {
    EXPECT_THAT(
        messages_of(good_input, {walled, mutual, "contacts={restitution: 0.5}"}),
        HasSubstr(
            "contacts.restitution: got 0.5, expected 1 with self_gravity, or contacts.collapse, such as "
            "{duration: "));
    EXPECT_THAT(
        messages_of(good_input, {walled, mutual, "contacts={pairs: [{between: [a, b], restitution: 0}]}"}),
        HasSubstr("contacts.pairs.0.restitution: got 0, expected 1 with self_gravity"));
    const std::string collapse = "collapse: {duration: 1e-3}";
    EXPECT_EQ(config_of({walled, mutual, "contacts={restitution: 0, " + collapse + "}"}).contacts.restitution,
              0);
    // Slow contacts are elastic by such a law, and walls do not attract.
    config_of({walled, mutual, "contacts={restitution: {bridges: {scale: 0.3, exponent: 0.2, speed: 1}}}"});
    config_of({walled, mutual, "contacts={walls: {restitution: 0.5}}"});
}

// --- what `check` says ---------------------------------------------------------------------------------------

TEST(SelfGravityOutlook, FallIsThatOfDensity) {
    const GravityLaw square{GravityForm::inverse_square, 2, 0}, inverse{GravityForm::inverse, 2, 0};
    EXPECT_DOUBLE_EQ(free_fall_time(square, 4, 8), 2);
    EXPECT_DOUBLE_EQ(free_fall_time(square, 8, 64), 2);  // eight times as large, as dense
    EXPECT_DOUBLE_EQ(free_fall_time(inverse, 4, 8), 1);
    EXPECT_DOUBLE_EQ(free_fall_time({GravityForm::inverse, 1, 3}, 4, 25), 1);
}

TEST(SelfGravityOutlook, LongStepsHaveANote) {
    const double fall = free_fall_time({}, 0.5, 1);
    const auto notes = [&](double part, const std::string& more = "") {
        return describe_self_gravity(
            parse_config("box: {size: [9, 9, 9], boundary: reflecting}\n"
                         "species: [{name: a, radius: 0.5, mass: 1, count: 10}]\n"
                         "dynamics: {type: ballistic, kT: 1}\nself_gravity: {constant: 1" +
                             more + "}\nrun: {steps: 1, timestep: " + std::to_string(part * fall) + "}\n",
                         "a.yaml"));
    };
    EXPECT_TRUE(notes(0.019).empty());
    EXPECT_THAT(notes(0.021), testing::ElementsAre(HasSubstr("what touches a falls by its radius")));
    EXPECT_TRUE(notes(0.021, ", softening: 1").empty());
}

TEST(SelfGravityOutlook, CoarseTreesHaveANote) {
    const auto notes = [](const std::string& gravity, const std::string& boundary,
                          const std::string& count = "32") {
        return describe_self_gravity(config_of({"self_gravity={constant: 1e-6" + gravity + "}",
                                                "box.boundary=" + boundary, "species.0.count=" + count}));
    };
    EXPECT_THAT(notes("", "periodic"),
                testing::ElementsAre(HasSubstr("self_gravity.opening is 0.8, expected at most 0.5")));
    EXPECT_TRUE(notes("", "periodic", "1").empty());  // no more than a leaf has
    EXPECT_TRUE(notes(", opening: 0.5", "periodic").empty());
    EXPECT_TRUE(notes(", method: direct", "periodic").empty());
    EXPECT_TRUE(notes("", "[periodic, periodic, reflecting]").empty());
}

/// Mergers by the law `inverse` in three dimensions are faster than their parts.
TEST(SelfGravityOutlook, MergedBodiesMayFallFaster) {
    const std::string input =
        "box: {size: [90, 90, 90], boundary: reflecting}\n"
        "species: [{name: a, radius: 0.5, mass: 1, count: 1000}]\n"
        "dynamics: {type: ballistic, kT: 1}\nself_gravity: {constant: 1, law: inverse}\n"
        "contacts: {pairs: [{between: [a, a], coalesce: {}}]}\nrun: {steps: 1, timestep: 0.009}\n";
    EXPECT_THAT(describe_self_gravity(parse_config(input, "a.yaml")),
                testing::ElementsAre(HasSubstr("all particles merged into one")));
}

TEST(SelfGravityOutlook, HasNoTheoryOfGases) {
    EXPECT_FALSE(is_thermal_fluid(config_of({walled, mutual})));
    EXPECT_EQ(estimated_contact_rate(config_of({walled, mutual}), 1), std::nullopt);
}

}  // namespace
}  // namespace ricochet
