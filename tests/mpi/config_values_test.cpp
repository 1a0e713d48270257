// SPDX-License-Identifier: BSD-3-Clause
//
// What an input becomes: counts, names and defaults are what they should be, and what --set changes. (Errors:
// config_errors_test.cpp.)
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "model/world_facts.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {
namespace {

using Overrides = std::vector<std::string>;

const std::string ballistic_input =
    "box: {size: [20, 20, 20]}\n"
    "species:\n"
    "  - {name: a, radius: 0.5, mass: 1, count: 10}\n"
    "  - {name: b, radius: 0.25, mass: 2, count: 20}\n"
    "dynamics: {type: ballistic, kT: 2}\n"
    "run: {timestep: 0.1, steps: 10}\n";

Config parse(const Overrides& overrides = {}) {
    return parse_config(ballistic_input, "folder/gas.yaml", overrides);
}

std::string error_of(const Overrides& overrides) {
    try {
        parse(overrides);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

const Overrides brownian_and_reacting{"dynamics.type=brownian", "species.0.diffusion=1",
                                      "species.1.diffusion=1",
                                      "contacts.pairs=[{between: [b, b], react: {to: [b]}}]"};
const std::string decaying = "decays=[{from: b, to: [b, b], rate: 1}]";

TEST(Config, FillsInDefaults) {
    const Config config = parse();
    EXPECT_EQ(config.title, "");
    EXPECT_EQ(config.box.dimension, 3);
    EXPECT_TRUE(config.box.is_periodic(0) && config.box.is_periodic(1) && config.box.is_periodic(2));
    EXPECT_EQ(config.placement.method, PlacementMethod::random);
    EXPECT_EQ(config.dynamics.velocities, StartVelocities::maxwell);
    EXPECT_EQ(config.contacts.restitution, 1);
    EXPECT_EQ(config.contacts.wall_restitution, 1);
    EXPECT_EQ(config.search, SearchMethod::automatic);
    EXPECT_EQ(config.run.seed, 1u);
    EXPECT_EQ(config.run.equilibrate, std::nullopt);
    EXPECT_EQ(config.output.file, "gas.h5md");
    EXPECT_EQ(config.output.collisions, CollisionChoice::all);
    EXPECT_EQ(config.output.precision, OutputPrecision::float64);
}

TEST(Config, TuningDefaultsAreThoseOfTheLayersBelow) {
    const Config config = parse();
    EXPECT_EQ(config.run.sub_window, SlabStepOptions{}.contacts_per_window);
    EXPECT_EQ(config.run.halo_margin, SlabStepOptions{}.excursion_factor);
    EXPECT_EQ(config.run.contact_cap, EngineOptions{}.contact_cap);
}

TEST(Config, ReadsIntegersOfAnyFormExactly) {
    EXPECT_EQ(parse({"run.steps=1e6"}).run.num_steps, 1000000u);
    EXPECT_EQ(parse({"run.steps=2.5e1"}).run.num_steps, 25u);
    EXPECT_EQ(parse({"run.steps=+7"}).run.num_steps, 7u);
    EXPECT_EQ(parse({"run.steps=0"}).run.num_steps, 0u);
    EXPECT_EQ(parse({"run.seed=9007199254740993"}).run.seed, 9007199254740993u);
}

TEST(Config, TwoNumbersMakeDiscs) {
    const Config config = parse({"box.size=[20, 30]", "box.boundary=reflecting"});
    EXPECT_EQ(config.box.dimension, 2);
    EXPECT_EQ(config.box.size, (Vec3{20, 30, 0}));
    EXPECT_TRUE(config.box.has_walls(0) && config.box.has_walls(1) && !config.box.has_walls(2));
}

TEST(Config, DerivesCountsToTheNearestInteger) {
    EXPECT_EQ(parse({"species.0.count=", "species.0.number_density=0.0125624"}).species[0].count, 100u);
    EXPECT_EQ(parse({"species.0.count=", "species.0.number_density=0.0125626"}).species[0].count, 101u);
    const Config filled = parse({"species.0.count=", "species.0.volume_fraction=0.3", "species.1.count=0"});
    EXPECT_EQ(filled.species[0].count,
              static_cast<std::uint64_t>(std::lround(0.3 * 8000 * 6 / std::numbers::pi)));
    EXPECT_NEAR(volume_fraction(world_of(filled)), 0.3, 1e-4);
    EXPECT_EQ(num_particles(world_of(filled)), filled.species[0].count);
    const Config discs = parse({"species.0.count=", "species.0.volume_fraction=0.5", "box.size=[100, 100]"});
    EXPECT_EQ(discs.species[0].count,
              static_cast<std::uint64_t>(std::lround(0.5 * 1e4 * 4 / std::numbers::pi)));
}

/// The count of a log-normal species goes by the mean volume of its particles.
TEST(Config, LogNormalCountsByMeanVolume) {
    // 3.03 nm, sigma 0.324, cut at 1 and 10 nm: mean volume 186.34 nm^3 (by numerical integration elsewhere).
    const Config config =
        parse({"box.size=[430, 215, 215]", "species.0.count=", "species.0.volume_fraction=0.2",
               "species.0.radius={lognormal: {median: 3.03, sigma: 0.324, min: 1, max: 10}}"});
    EXPECT_EQ(config.species[0].count, 21334u);
    EXPECT_EQ(largest_radius(config.species[0]), 10);
    EXPECT_EQ(largest_radius(config.species[1]), 0.25);
}

/// Stokes and Einstein's coefficient takes the temperature of the dynamics.
TEST(Config, StokesEinsteinTemperature) {
    const Config config = parse({"species.0.diffusion={stokes_einstein: {viscosity: 0.7}}"});
    EXPECT_EQ(config.species[0].stokes_einstein, (StokesEinstein{0.7, 2}));
    EXPECT_FALSE(config.species[1].stokes_einstein.has_value());
}

TEST(Config, RulesOfPairsComeBeforeDefaults) {
    const Config config =
        parse({"box.boundary=reflecting",
               "contacts={restitution: 0.9, walls: {restitution: 0.8}, pairs: [{between: [b, a], "
               "restitution: 0.5}, {between: [wall, a], restitution: 0.25}]}"});
    const std::vector<PairRestitution> expected = {
        {0, 0, 0.9}, {0, 1, 0.5}, {0, wall_species, 0.25}, {1, 1, 0.9}, {1, wall_species, 0.8}};
    EXPECT_EQ(restitution_of_pairs(world_of(config)), expected);
    EXPECT_EQ(parse({"contacts.restitution=0.7"}).contacts.wall_restitution, 0.7);
}

/// The contacts that never bounce lose no energy. Of walls that differ the worst counts.
TEST(Config, RestitutionOfRulesThatDoMore) {
    const Config config =
        parse({"box.boundary=reflecting",
               "contacts={restitution: 0.9, walls: {restitution: 0.8}, pairs: [{between: [b, a], pass: {}}, "
               "{between: [a, a], coalesce: {}}, {between: [b, b], react: {to: [a], probability: 0.5}}, "
               "{between: [a, wall], faces: [x-], restitution: 0.95}, {between: [b, wall], faces: [x-], "
               "restitution: "
               "0.5}, {between: [b, wall], faces: [x+], restitution: 0.7}]}"});
    const std::vector<PairRestitution> expected = {
        {0, 0, 1}, {0, 1, 1}, {0, wall_species, 0.8}, {1, 1, 0.9}, {1, wall_species, 0.5}};
    EXPECT_EQ(restitution_of_pairs(world_of(config)), expected);
}

TEST(Config, ReactingPairsKeepTheOrderOfTheirNames) {
    const Config config =
        parse({"box.boundary=reflecting",
               "contacts.pairs=[{between: [b, a], react: {to: [a, b], probability: 0.25}, restitution: 0.5}, "
               "{between: [wall, a], react: {to: []}}]"});
    PairRule swap{.a = 1, .b = 0, .restitution = 0.5};
    swap.react = ReactOptions{.products = {0, 1}, .probability = 0.25};
    PairRule absorb{.a = 0, .b = wall_species};
    absorb.react.emplace();
    EXPECT_EQ(config.contacts.pairs, (std::vector{swap, absorb}));
}

TEST(Config, OtherPairsAndFacesAreOrdered) {
    const Config config =
        parse({"box.boundary=reflecting",
               "contacts.pairs=[{between: [b, a], coalesce: {}}, {between: [a, a], pass: {}}, "
               "{between: [wall, a], faces: [z+, x-], restitution: 0.5}]"});
    PairRule merge{.a = 0, .b = 1}, pass{.a = 0, .b = 0};
    merge.coalesce.emplace();
    pass.pass.emplace();
    const PairRule walls{
        .a = 0, .b = wall_species, .faces = {WallFace::x_low, WallFace::z_high}, .restitution = 0.5};
    EXPECT_EQ(config.contacts.pairs, (std::vector{merge, pass, walls}));
}

/// Pairs that do not react bounce as without the rule.
TEST(Config, RestitutionBesideReactions) {
    const Config config = parse(
        {"box.boundary=reflecting",
         "contacts={restitution: 0.9, walls: {restitution: 0.8}, pairs: [{between: [a, b], react: {to: "
         "[a], probability: 0.5}}, {between: [a, wall], react: {to: [b], probability: 0}}, {between: [a, "
         "a], react: {to: [a]}}]}"});
    EXPECT_EQ(config.contacts.pairs[0].restitution, 0.9);
    EXPECT_EQ(config.contacts.pairs[1].restitution, 0.8);
    EXPECT_EQ(config.contacts.pairs[2].restitution, std::nullopt);
}

TEST(Config, RatesOfBrownianReactions) {
    Overrides overrides = brownian_and_reacting;
    EXPECT_EQ(parse(overrides).contacts.pairs[0].react->rate, std::nullopt);
    overrides.emplace_back("contacts.pairs.0.react.rate=85");
    EXPECT_EQ(parse(overrides).contacts.pairs[0].react->rate, 85);
    EXPECT_EQ(parse(overrides).contacts.pairs[0].restitution, 1);
    overrides.emplace_back("contacts.pairs.0.react.rate=.inf");
    EXPECT_EQ(parse(overrides), parse(brownian_and_reacting));
}

/// Every form comes back out of the effective input.
TEST(Config, ContactRulesComeBackFromEffectiveInput) {
    const std::string rules =
        "contacts.pairs=[{between: [b, a], react: {to: [a]}}, {between: [wall, a], faces: [z+, x-], react: "
        "{to: []}}, {between: [wall, a], faces: [x+, y-, y+], restitution: 0.5}, {between: [a, a], coalesce: "
        "{}}, {between: [b, b], pass: {}}, {between: [wall, b], react: {to: [a], probability: 0.5}}]";
    const Config config = parse({"box.boundary=reflecting", rules});
    EXPECT_EQ(parse_config(effective_yaml(config), config.input_name), config) << effective_yaml(config);
    Overrides overrides = brownian_and_reacting;
    overrides.emplace_back("contacts.pairs.0.react.rate=1.5e3");
    const Config with_rate = parse(overrides);
    EXPECT_EQ(parse_config(effective_yaml(with_rate), with_rate.input_name), with_rate);
    overrides.back() = "contacts.pairs.0={between: [a, b], coalesce: {rate: 2}}";
    const Config merging = parse(overrides);
    EXPECT_EQ(merging.contacts.pairs[0].coalesce->rate, 2);
    EXPECT_EQ(merging.contacts.pairs[0].restitution, 1);
    EXPECT_EQ(parse_config(effective_yaml(merging), merging.input_name), merging);
}

/// Each particle that was ever born keeps its row in frames.
TEST(Config, PacksFramesWhereParticlesAreBorn) {
    using enum OutputCompression;
    EXPECT_EQ(parse().output.compression, none);
    EXPECT_EQ(parse({"decays=[{from: b, to: [a], rate: 1}]"}).output.compression, none);
    EXPECT_EQ(parse({decaying}).output.compression, gzip);
    EXPECT_EQ(parse({decaying, "output.compression=none"}).output.compression, none);
    EXPECT_NE(effective_yaml(parse({decaying})).find("compression: gzip"), std::string::npos);
}

TEST(Config, CollisionPairsAreOrdered) {
    const Config config = parse({"output.collisions=[[b, a], [wall, b]]"});
    EXPECT_EQ(config.output.collisions, CollisionChoice::pairs);
    const std::vector<std::pair<SpeciesIndex, SpeciesIndex>> expected = {{0, 1}, {1, wall_species}};
    EXPECT_EQ(config.output.collision_pairs, expected);
}

TEST(Config, PlacementFilesAreFoundFromTheInput) {
    const Overrides from_file = {"species.0.count=", "species.1.count=", "placement.method=file"};
    const auto with_path = [&](const std::string& path) {
        Overrides overrides = from_file;
        overrides.push_back("placement.path=" + path);
        return parse(overrides);
    };
    EXPECT_EQ(placement_path(with_path("start.csv")), "folder/start.csv");
    EXPECT_EQ(placement_path(with_path("/data/start.csv")), "/data/start.csv");
    EXPECT_EQ(with_path("start.csv").dynamics.velocities, StartVelocities::given_or_maxwell);
    EXPECT_EQ(placement_path(parse()), "");
}

TEST(Overrides, SetReplaceMakeAndRemove) {
    EXPECT_EQ(parse({"run.steps=7", "run.steps=8"}).run.num_steps, 8u);
    EXPECT_EQ(parse({"species.1.radius=0.125"}).species[1].radius, 0.125);
    EXPECT_EQ(parse({"run.equilibrate.collisions_per_particle=4"}).run.equilibrate, 4);
    EXPECT_EQ(parse({"run.equilibrate.collisions_per_particle=0"}).run.equilibrate, 0);
    EXPECT_EQ(parse({"run={timestep: 1, steps: 2}"}).run.timestep, 1);
    EXPECT_EQ(parse({"title=a=b"}).title, "a=b");
    EXPECT_EQ(parse({"run.seed=5", "run.seed="}).run.seed, 1u);
}

TEST(Overrides, AreNamedInErrors) {
    EXPECT_EQ(error_of({"run.timestep=-1"}),
              "--set run.timestep=-1: run.timestep: got -1, expected a number > 0 (time between exchanges)");
    EXPECT_EQ(error_of({"run.timstep=1"}),
              "--set run.timstep=1: run.timstep: unknown key, did you mean timestep?");
    EXPECT_EQ(error_of({"species.2.count=1"}),
              "--set species.2.count=1: species.2: expected a position from 0 to 1");
    EXPECT_EQ(error_of({"run.steps.more=1"}),
              "--set run.steps.more=1: run.steps.more: is under 10, expected a section there");
    EXPECT_EQ(error_of({"run.nothing="}), "--set run.nothing=: run.nothing: there is none to remove");
    EXPECT_EQ(error_of({"run={a: [}"}),
              "--set run={a: [}: malformed YAML: illegal flow end; is a bracket missing, or a blank after a "
              "colon?");
    for (const std::string bad : {"run.steps", "=1", "run..steps=1", ".run=1", "run.=1", ""})
        EXPECT_EQ(error_of({bad}), "--set " + bad + ": expected key=value, e.g. run.steps=100");
}

TEST(Overrides, MayMakeAGoodInputOfABadOne) {
    const Overrides overrides = {"dynamics.type=brownian", "species.0.diffusion=1", "species.1.diffusion=2"};
    EXPECT_EQ(parse(overrides).dynamics.type, DynamicsType::brownian);
}

}  // namespace
}  // namespace ricochet
