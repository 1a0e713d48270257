// SPDX-License-Identifier: BSD-3-Clause
//
// Walls that move or have a temperature, in inputs: what becomes of them, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "model/wall_path.hpp"
#include "tests/support/mpi/good_input.hpp"

namespace ricochet {
namespace {

using test::good_input;
using test::messages_of;

const std::string closed = "box.boundary=reflecting";

Config config_of(const std::vector<std::string>& overrides) {
    return parse_config(good_input, "a.yaml", overrides);
}
std::string message_of(std::vector<std::string> overrides) {
    overrides.insert(overrides.begin(), closed);
    return messages_of(good_input, overrides);
}

TEST(ConfigWalls, MoveInTheWorld) {
    const Config config =
        config_of({closed,
                   "walls=[{face: z-, vibrating: {amplitude: 0.5, frequency: 0.25, phase: 0.75}}, "
                   "{face: y+, velocity: 0.5}]"});
    const World world = world_of(config);
    EXPECT_EQ(world.walls[4], (WallMotion{0, 0.5, 0.25, 0.75}));
    EXPECT_EQ(world.walls[3], (WallMotion{.velocity = 0.5}));
    EXPECT_EQ(wall_depth(world.walls[4], 0.1, 0), 0);
    EXPECT_EQ(wall_depth(world.walls[4], 0.1, 20), 1);
    EXPECT_EQ(config.free_volume.value, config.box.volume());
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

TEST(ConfigWalls, HaveATemperature) {
    const Config config =
        config_of({closed, "contacts.pairs=[{between: [a, wall], faces: [x-], thermal: {kT: 2}}]"});
    const SpeciesRule rule = world_of(config).rules.at(0);
    EXPECT_EQ(std::get<Thermal>(rule.rule).energy, 2);
    EXPECT_EQ(rule.bodies, (std::vector<BodyNumber>{0}));
    EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << effective_yaml(config);
}

/// What is between the walls at the start.
TEST(ConfigWalls, FreeVolumeIsThatAtTheStart) {
    const Config config = config_of({closed,
                                     "walls=[{face: x-, vibrating: {amplitude: 0.5, frequency: 0.25}}, "
                                     "{face: x+, vibrating: {amplitude: 0.5, frequency: 0.25}}]"});
    EXPECT_NEAR(*config.free_volume.value, 9 * 12 * 14, 1e-10);
}

/// Overrides, and a part of the sentence.
const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
    {{"walls=[{face: x-}]"}, "got a wall that rests, expected velocity or vibrating"},
    {{"walls=[{face: x-, velocity: 0.1}, {face: x-, velocity: 0.2}]"}, "got x- twice"},
    {{"box.boundary=[periodic, reflecting, reflecting]", "walls=[{face: x-, velocity: 0.1}]"},
     "expected faces along axes with walls"},
    {{"walls=[{face: x-, velocity: -0.1}]"}, "expected a number >= 0"},
    {{"walls=[{face: x-, velocity: 1e9}]"},
     "from step 0 on walls leave no room along x for the largest particle, expected fewer steps (run.steps "
     "is 10) "
     "or a slower wall"},
    {{"walls=[{face: x-, velocity: 1e9}, {face: x+, vibrating: {amplitude: 0.1, frequency: 0.1}}]"},
     "walls.0.velocity: got 1000000000: from step 0 on walls leave no room along x"},
    {{"walls=[{face: x-, velocity: 5}, {face: x+, velocity: 5}]"},
     "from step 9 on walls leave no room along x"},
    {{"walls=[{face: z+, vibrating: {amplitude: 20, frequency: 0.1}}]"},
     "got walls that leave a room of -26 along z, expected more than the largest diameter, 1"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 2}}]"},
     "got 2, expected at most 1.592 = 1/(2 pi run.timestep)"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0}}]"}, "expected a number > 0"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0.2}}]", "contacts.restitution=0.9"},
     "expected either contacts.walls: {restitution: 1}, or a restitution above 0 together with"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0.2}}]",
      "contacts.pairs=[{between: [a, wall], faces: [z+], restitution: 0.5}]"},
     "got 0.5 at a vibrating wall, expected 1"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0.2}}]", "contacts.walls.restitution=0",
      "contacts.collapse.duration=0.01"},
     "got 0 at a vibrating wall, expected 1, or above 0 with contacts.collapse"},
    {{"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0.2}}]",
      "placement={method: grow, rate: 0.1}"},
     "got grow with vibrating walls, expected random, dense, lattice or file"},
    {{"walls=[{face: z+, velocity: 0.1}]", "species.0.moves=[x, y]"}, "the wall would pass over it"},
    {{"walls=[{face: z+, velocity: 0.1}]", "decays=[{from: a, to: [a, b], rate: 1}]"},
     "got 2 products with walls that move"},
    {{"walls=[{face: z+, velocity: 0.1}]", "dynamics.type=brownian"}, "walls rest beside brownian particles"},
    {{"walls=[{face: x+, velocity: 8.5}]", "species.0.count=400"},
     "got walls that compress particles to a volume fraction of"},
    {{"contacts.pairs=[{between: [a, b], thermal: {kT: 2}}]"}, "got thermal for two species"},
    {{"contacts.pairs=[{between: [a, wall], thermal: {kT: 0}}]"}, "expected a number > 0"},
    {{"contacts.pairs=[{between: [a, wall], thermal: {kT: 1}, restitution: 0.5}]"},
     "has no meaning beside thermal"},
    {{"contacts.pairs=[{between: [a, wall], thermal: {kT: 1}}]", "dynamics.type=brownian"},
     "with brownian all particles are at dynamics.kT"},
};

TEST(ConfigWalls, RefusalsSayWhy) {
    for (const auto& [overrides, sentence] : refused) {
        const std::string message = message_of(overrides);
        EXPECT_NE(message.find(sentence), std::string::npos) << overrides[0] << "\n" << message;
    }
}

/// A value that is wrong is no wall that rests.
TEST(ConfigWalls, OneSentencePerMistake) {
    for (const char* wall : {"velocity: fast", "vibrating: 0.1"})
        EXPECT_EQ(message_of({"walls=[{face: x-, " + std::string(wall) + "}]"}).find("that rests"),
                  std::string::npos)
            << wall;
}

TEST(ConfigWalls, MayLoseEnergyWithADuration) {
    EXPECT_EQ(message_of({"walls=[{face: z+, vibrating: {amplitude: 0.1, frequency: 0.2}}]",
                          "contacts.restitution=0.9", "contacts.collapse.duration=0.01"}),
              "no error");
}

}  // namespace
}  // namespace ricochet
