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

}  // namespace
}  // namespace ricochet
