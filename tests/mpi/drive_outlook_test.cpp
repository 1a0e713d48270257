// SPDX-License-Identifier: BSD-3-Clause
//
// Notes on what drives, forces and walls do to the results of a run.
#include "theory/drive_outlook.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Config sedimenting(const std::string& force_of_b) {
    return parse_config(
        "box: {size: [20, 20, 20], boundary: [periodic, periodic, reflecting]}\n"
        "species: [{name: A, radius: 0.5, diffusion: 1, count: 10, force: [0, 0, -2]}, "
        "{name: B, radius: 0.5, diffusion: 2, count: 10" +
            force_of_b + "}]\ndynamics: {type: brownian, kT: 1}\nrun: {timestep: 0.02, steps: 10}\n",
        "input.yaml");
}

TEST(DriveOutlook, TellsDriftsBesideTheirMean) {
    EXPECT_THAT(describe_forces(sedimenting(", force: [0, 0, -1]")),
                ElementsAre("forces: A drifts at [0, 0, -2]", "forces: B drifts at [0, 0, -2]"));
    EXPECT_THAT(
        describe_forces(sedimenting("")),
        ElementsAre(
            HasSubstr("forces: A drifts at [0, 0, -2]; steps bend with the mean of all species, [0, 0, -1] "),
            HasSubstr("forces: B drifts at [0, 0, 0]")));
    EXPECT_THAT(describe_forces(sedimenting(", moves: []")),
                ElementsAre(AllOf(HasSubstr("species, [0, 0, 0] "), HasSubstr("about 17 %"))));
}

std::vector<std::string> forced_at(const std::string& kT, const std::string& force) {
    return describe_forces(
        parse_config("box: {size: [20, 20, 20], boundary: [periodic, periodic, reflecting]}\n"
                     "species: [{name: A, radius: 0.5, count: 10, force: " +
                         force + ", diffusion: {stokes_einstein: {viscosity: 1, temperature: 3}}}]\n" +
                         "dynamics: {type: brownian, kT: " + kT + "}\nrun: {timestep: 0.02, steps: 10}\n",
                     "input.yaml"));
}

TEST(DriveOutlook, TellsOfSolventsOfAnotherkT) {
    EXPECT_THAT(forced_at("3", "[0, 0, -1]"), ElementsAre(HasSubstr("A drifts at")));
    EXPECT_THAT(forced_at("2", "[0, 0, 0]"), ElementsAre(HasSubstr("A drifts at")));
    EXPECT_THAT(
        forced_at("2", "[0, 0, -1]"),
        ElementsAre(
            HasSubstr("A drifts at"),
            HasSubstr("species.0.diffusion.stokes_einstein.temperature: got 3, expected dynamics.kT = 2: A "
                      "drifts at D F/kT, which is 1.5 times")));
}

std::vector<std::string> of_wall_at(const std::string& temperature) {
    return describe_thermal_walls(parse_config(
        "box: {size: [10, 10, 10], boundary: reflecting}\n"
        "species: [{name: A, radius: 0.5, mass: 1, count: 100}]\ndynamics: {type: ballistic, kT: 1}\n"
        "contacts: {pairs: [{between: [A, wall], thermal: {kT: " +
            temperature + "}}]}\nrun: {timestep: 0.1, steps: 10}\n",
        "input.yaml"));
}

TEST(DriveOutlook, TellsOfWallsTooHotForTheStep) {
    EXPECT_THAT(of_wall_at("4"), IsEmpty());
    EXPECT_THAT(of_wall_at("1e8"),
                ElementsAre(HasSubstr("contacts.pairs.0.thermal.kT: got 1e+08, at which")));
}

/// v* = 0.01 0.32^(1/0.234) = 7.68e-5.
std::vector<std::string> of_grains(const std::string& more, const std::string& boundary = "reflecting",
                                   const std::string& exponent = "0.234") {
    return describe_rest(parse_config(
        "box: {size: [10, 10, 10], boundary: " + boundary + "}\n" +
            "species: [{name: A, radius: 0.5, mass: 1, count: 100}]\ndynamics: {type: ballistic, kT: 1}\n" +
            "fields: {gravity: [0, 0, -9.81]}\ncontacts: {restitution: {bridges: {scale: 0.32, exponent: " +
            exponent + ", speed: 0.01}}" + more + "}\n",
        "input.yaml"));
}

TEST(DriveOutlook, TellsOfManyContactsAtRest) {
    const std::string coarse = "}\nrun: {timestep: 0.01, steps: 10";
    EXPECT_THAT(of_grains(coarse), ElementsAre(AllOf(HasSubstr("v* = 7.68e-05: what"),
                                                     HasSubstr("about 639 contacts per particle in a step; "
                                                               "contacts.collapse"))));
    EXPECT_THAT(
        of_grains(coarse + ", contact_cap: 500"),
        ElementsAre(HasSubstr("run.contact_cap, 500, ends the run; choose a run.timestep below 0.0078;")));
    EXPECT_THAT(of_grains("}\nrun: {timestep: 0.001, steps: 10"), IsEmpty());
    EXPECT_THAT(of_grains(coarse, "periodic"), IsEmpty());
    EXPECT_THAT(of_grains(coarse, "reflecting", "0.1"), IsEmpty());  // v* = 1.13e-7
    EXPECT_THAT(of_grains(", collapse: {duration: 1e-4}" + coarse), IsEmpty());
    EXPECT_THAT(of_grains(", walls: {restitution: 1}" + coarse),
                ElementsAre(HasSubstr("those of A and A are")));
}

}  // namespace
}  // namespace ricochet
