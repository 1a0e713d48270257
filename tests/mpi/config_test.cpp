// SPDX-License-Identifier: BSD-3-Clause
//
// What an input becomes: every key of the table reaches the configuration and comes back out of the effective
// input. (What it then is: config_values_test.cpp; errors: config_errors_test.cpp.)
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/config_table.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"

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

const std::string reacting = "contacts.pairs=[{between: [b, b], react: {to: [b]}}]";
const std::string sticking = "contacts.pairs=[{between: [b, b], stick: {length: 2}}]";
const std::string heated = "contacts.pairs=[{between: [b, wall], thermal: {kT: 1}}]";
const std::string swinging = "walls=[{face: x-, vibrating: {amplitude: 0.2, frequency: 0.1}}]";
const std::string by_speed = "{bridges: {scale: 0.3, exponent: 0.25, speed: 0.02}}";
const std::string pair_by_speed = "contacts.pairs=[{between: [b, b], restitution: " + by_speed + "}]";
const std::string decaying = "decays=[{from: b, to: [b, b], rate: 1}]";
const std::string driving =
    "dynamics.drive={type: random_accelerations, min_acceleration: 1, max_acceleration: 2, redirect_every: "
    "0.1}";
const std::string attracting = "self_gravity={constant: 1}";
const std::string fielding =
    "dynamics.drive={type: velocity_field, min_acceleration: 1, max_acceleration: 2, flow_speed: 3}";
const std::string without_radius = "species.0.radius=";  // of a sphere
std::string with_body(const std::string& shape) { return "bodies=[{name: body, " + shape + "}]"; }
const std::string ball = with_body("sphere: {centre: [5, 5, 6], radius: 2.5}");
const std::string rod = with_body("cylinder: {point: [5, 5, 6], axis: [0, 0, 2], radius: 2.5}");
const std::string floor_plane = with_body("plane: {point: [5, 5, 6], normal: [1, 0, 0]}");
const std::string flat = "box.size=[20, 20]";
const Overrides brownian{"dynamics.type=brownian", "species.0.diffusion=1", "species.1.diffusion=1"};
const std::string membrane = with_body("sphere: {centre: [5, 5, 5], radius: 2}, side: both");
const std::string passing = "contacts.pairs=[{between: [b, body], pass: {}}]";
const std::string patched = with_body(
    "sphere: {centre: [5, 5, 5], radius: 2}, patches: [{name: p, direction: [1, 0, 0], radius: 1}]");
const Overrides brownian_and_reacting{brownian[0], brownian[1], brownian[2], reacting};

/// For every key that has a value: overrides under which it may be given, and a value that is not the
/// default.
const std::map<std::string_view, std::pair<Overrides, std::string>> probes = {
    {"title", {{}, "other"}},
    {"units.length", {{}, "nm"}},
    {"units.time", {{}, "ns"}},
    {"units.energy", {{}, "\"zJ: \\\"quoted\\\" \\\\ \\u00b5\""}},
    {"box.size", {{}, "[20, 21.5, 22]"}},
    {"box.boundary", {{}, "[periodic, reflecting, periodic]"}},
    {"bodies[].name", {{ball}, "cell-1"}},
    {"bodies[].sphere.centre", {{ball}, "[4, 5, 6]"}},
    {"bodies[].sphere.radius", {{ball}, "3"}},
    {"bodies[].disc.centre", {{flat, with_body("disc: {centre: [5, 5], radius: 2}")}, "[4, 5]"}},
    {"bodies[].disc.radius", {{flat, with_body("disc: {centre: [5, 5], radius: 2.5}")}, "3"}},
    {"bodies[].capsule.from",
     {{with_body("capsule: {from: [3, 6, 5], to: [7, 5, 5], radius: 2}")}, "[2, 5, 5]"}},
    {"bodies[].capsule.to",
     {{with_body("capsule: {from: [3, 5, 5], to: [7, 6, 5], radius: 2}")}, "[8, 5, 5]"}},
    {"bodies[].capsule.radius", {{with_body("capsule: {from: [3, 5, 5], to: [7, 5, 5], radius: 2.5}")}, "1"}},
    {"bodies[].stadium.from",
     {{flat, with_body("stadium: {from: [3, 6], to: [7, 5], radius: 2}")}, "[2, 5]"}},
    {"bodies[].stadium.to", {{flat, with_body("stadium: {from: [3, 5], to: [7, 6], radius: 2}")}, "[8, 5]"}},
    {"bodies[].stadium.radius", {{flat, with_body("stadium: {from: [3, 5], to: [7, 5], radius: 2.5}")}, "1"}},
    {"bodies[].cylinder.point", {{rod}, "[1, 5, 6]"}},
    {"bodies[].cylinder.axis", {{rod}, "[0, 0, 5]"}},
    {"bodies[].cylinder.radius", {{rod}, "3"}},
    {"bodies[].box.low", {{with_body("box: {low: [1, 2, 2], high: [4, 4, 4]}")}, "[1, 1, 1]"}},
    {"bodies[].box.high", {{with_body("box: {low: [1, 2, 2], high: [4, 4, 5]}")}, "[5, 5, 5]"}},
    {"bodies[].rectangle.low", {{flat, with_body("rectangle: {low: [1, 2], high: [4, 4]}")}, "[1, 1]"}},
    {"bodies[].rectangle.high", {{flat, with_body("rectangle: {low: [1, 2], high: [4, 5]}")}, "[5, 5]"}},
    {"bodies[].plane.point", {{floor_plane, "box.boundary=reflecting"}, "[1, 2, 4]"}},
    {"bodies[].plane.normal", {{floor_plane, "box.boundary=reflecting"}, "[0, 1, 0]"}},
    {"bodies[].line.point",
     {{flat, "box.boundary=reflecting", with_body("line: {point: [5, 6], normal: [1, 0]}")}, "[1, 2]"}},
    {"bodies[].line.normal",
     {{flat, "box.boundary=reflecting", with_body("line: {point: [5, 6], normal: [1, 0]}")}, "[0, 3]"}},
    {"bodies[].spheres", {{with_body("spheres: [[1, 2, 3, 1]]")}, "[[5, 5, 5, 1], [6, 5, 5, 0.1]]"}},
    {"bodies[].spheres.file", {{with_body("spheres: {file: b.csv}")}, "c.csv"}},
    {"bodies[].spheres.hash", {{with_body("spheres: {file: b.csv}")}, "\"0123\""}},
    {"bodies[].side", {{ball}, "inside"}},
    {"bodies[].patches[].name", {{patched}, "q"}},
    {"bodies[].patches[].direction", {{patched}, "[0, 1, 0]"}},
    {"bodies[].patches[].centre",
     {{with_body(
          "sphere: {centre: [5, 5, 5], radius: 2}, patches: [{name: p, centre: [3, 5, 5], radius: 1}]")},
      "[7, 5, 5]"}},
    {"bodies[].patches[].radius", {{patched}, "0.5"}},
    {"species[].name", {{}, "c-1.x"}},
    {"species[].radius", {{}, "0.1"}},
    {"species[].radius.lognormal.median",
     {{"species.0.radius={lognormal: {median: 1, sigma: 0.1, min: 0.5, max: 2}}"}, "1.1"}},
    {"species[].radius.lognormal.sigma",
     {{"species.0.radius={lognormal: {median: 1, sigma: 0.1, min: 0.5, max: 2}}"}, "0.2"}},
    {"species[].radius.lognormal.min",
     {{"species.0.radius={lognormal: {median: 1, sigma: 0.1, min: 0.5, max: 2}}"}, "0.4"}},
    {"species[].radius.lognormal.max",
     {{"species.0.radius={lognormal: {median: 1, sigma: 0.1, min: 0.5, max: 2}}"}, "3"}},
    {"species[].shape.cube", {{without_radius, "species.0.shape={cube: 0.5}"}, "1.5"}},
    {"species[].shape.square", {{flat, without_radius, "species.0.shape={square: 0.5}"}, "1.5"}},
    {"species[].shape.pyramid", {{without_radius, "species.0.shape={pyramid: [0.5, 0.5]}"}, "[1.5, 2]"}},
    {"species[].shape.triangle",
     {{flat, without_radius, "species.0.shape={triangle: [0.5, 0.5]}"}, "[1.5, 2]"}},
    {"species[].shape.points",
     {{without_radius, "species.0.shape={points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]]}"},
      "[[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 1], [1, 1, 1]]"}},
    {"species[].mass", {{}, "7"}},
    {"species[].diffusion", {{}, "0.3"}},
    {"species[].diffusion.stokes_einstein.viscosity",
     {{"species.0.diffusion={stokes_einstein: {viscosity: 1}}"}, "2"}},
    {"species[].diffusion.stokes_einstein.temperature",
     {{"species.0.diffusion={stokes_einstein: {viscosity: 1}}"}, "2.5"}},
    {"species[].count", {{}, "1.1e1"}},
    {"species[].number_density", {{"species.0.count="}, "0.01"}},
    {"species[].volume_fraction", {{"species.0.count="}, "0.01"}},
    {"species[].moves", {{}, "[x]"}},
    {"species[].force", {{brownian[0], brownian[1], brownian[2], "species.0.force=[1, 0, 0]"}, "[0, 0, -2]"}},
    {"placement.method", {{"placement.type=sc"}, "lattice"}},
    {"placement.rate", {{"placement={method: grow, rate: 0.1}"}, "0.2"}},
    {"placement.from", {{"placement={method: grow, rate: 0.1}"}, "0.2"}},
    {"placement.until_pressure", {{"placement={method: grow, rate: 0.1, until_pressure: 10}"}, "20"}},
    {"placement.type", {{"placement={method: lattice, type: sc}"}, "fcc"}},
    {"placement.path",
     {{"placement={method: file, path: a.csv}", "species.0.count=", "species.1.count="}, "b.h5md"}},
    {"placement.frame",
     {{"placement={method: file, path: a.h5md}", "species.0.count=", "species.1.count="}, "3"}},
    {"placement.group",
     {{"placement={method: file, path: a.h5md}", "species.0.count=", "species.1.count="}, "fluid"}},
    {"dynamics.type", {{"species.0.diffusion=1", "species.1.diffusion=1"}, "brownian"}},
    {"dynamics.kT", {{}, "1.5"}},
    {"dynamics.velocities", {{}, "equal_speed"}},
    {"dynamics.drive.type",
     {{fielding, "dynamics.drive.flow_speed=", "dynamics.drive.redirect_every=0.1"}, "random_accelerations"}},
    {"dynamics.drive.min_acceleration", {{driving}, "0.5"}},
    {"dynamics.drive.max_acceleration", {{driving}, "5"}},
    {"dynamics.drive.speed_limit", {{driving}, "7"}},
    {"dynamics.drive.redirect_every", {{driving}, "0.2"}},
    {"dynamics.drive.flow_speed", {{fielding}, "4"}},
    {"fields.drift", {{brownian[0], brownian[1], brownian[2], "fields={drift: [1, 0, 0]}"}, "[0, 0, -2]"}},
    {"fields.gravity", {{"fields={gravity: [1, 0, 0]}"}, "[0, 0, -2]"}},
    {"self_gravity.constant", {{"box.boundary=reflecting", attracting}, "2.5"}},
    {"self_gravity.softening", {{"box.boundary=reflecting", attracting}, "0.25"}},
    {"self_gravity.law", {{"box.boundary=reflecting", attracting}, "inverse"}},
    {"self_gravity.method", {{"box.boundary=reflecting", attracting}, "direct"}},
    {"self_gravity.opening", {{"box.boundary=reflecting", attracting}, "0.5"}},
    {"contacts.restitution", {{}, "0.9"}},
    {"contacts.restitution.bridges.scale", {{"contacts={restitution: " + by_speed + "}"}, "0.5"}},
    {"contacts.restitution.bridges.exponent", {{"contacts={restitution: " + by_speed + "}"}, "1"}},
    {"contacts.restitution.bridges.speed", {{"contacts={restitution: " + by_speed + "}"}, "2e-3"}},
    {"contacts.walls.restitution", {{}, "0.8"}},
    {"contacts.walls.restitution.bridges.scale", {{"contacts.walls={restitution: " + by_speed + "}"}, "0.5"}},
    {"contacts.walls.restitution.bridges.exponent",
     {{"contacts.walls={restitution: " + by_speed + "}"}, "1"}},
    {"contacts.walls.restitution.bridges.speed",
     {{"contacts.walls={restitution: " + by_speed + "}"}, "2e-3"}},
    {"contacts.collapse.duration", {{"contacts.collapse={duration: 0.1}"}, "0.2"}},
    {"contacts.pairs[].between",
     {{"box.boundary=reflecting", "contacts.pairs=[{between: [a, b], restitution: 0.5}]"}, "[wall, b]"}},
    {"contacts.pairs[].faces",
     {{"box.boundary=reflecting", "contacts.pairs=[{between: [b, wall], restitution: 0.5}]"}, "[y+, x-]"}},
    {"contacts.pairs[].restitution", {{"contacts.pairs=[{between: [a, b], restitution: 0.5}]"}, "0.6"}},
    {"contacts.pairs[].restitution.bridges.scale", {{pair_by_speed}, "0.5"}},
    {"contacts.pairs[].restitution.bridges.exponent", {{pair_by_speed}, "1"}},
    {"contacts.pairs[].restitution.bridges.speed", {{pair_by_speed}, "2e-3"}},
    {"contacts.pairs[].react.to", {{reacting}, "[]"}},
    {"contacts.pairs[].react.probability", {{reacting}, "0.5"}},
    {"contacts.pairs[].react.rate", {brownian_and_reacting, "2"}},
    {"contacts.pairs[].coalesce.rate",
     {{brownian[0], brownian[1], brownian[2], "contacts.pairs=[{between: [b, b], coalesce: {}}]"}, "2"}},
    {"contacts.pairs[].pass.probability", {{membrane, passing}, "0.25"}},
    {"contacts.pairs[].pass.rate", {{membrane, passing, brownian[0], brownian[1], brownian[2]}, "2"}},
    {"contacts.pairs[].stick.length", {{sticking}, "1.5"}},
    {"contacts.pairs[].stick.probability", {{sticking}, "0.5"}},
    {"contacts.pairs[].stick.rate", {{brownian[0], brownian[1], brownian[2], sticking}, "2"}},
    {"contacts.pairs[].stick.valence", {{sticking}, "3"}},
    {"contacts.pairs[].stick.break_rate", {{sticking}, "2"}},
    {"contacts.pairs[].thermal.kT", {{"box.boundary=reflecting", heated}, "3"}},
    {"walls[].face", {{"box.boundary=reflecting", swinging}, "z+"}},
    {"walls[].velocity", {{"box.boundary=reflecting", swinging}, "0.125"}},
    {"walls[].vibrating.amplitude", {{"box.boundary=reflecting", swinging}, "0.125"}},
    {"walls[].vibrating.frequency", {{"box.boundary=reflecting", swinging}, "0.125"}},
    {"walls[].vibrating.phase", {{"box.boundary=reflecting", swinging}, "0.125"}},
    {"decays[].from", {{decaying}, "a"}},
    {"decays[].to", {{decaying}, "[a]"}},
    {"decays[].rate", {{decaying}, "2"}},
    {"search.method", {{}, "slices"}},
    {"search.boxes", {{}, "12"}},
    {"search.octree.max_count", {{}, "5"}},
    {"search.octree.depth", {{}, "7"}},
    {"search.time_bounds.side", {{}, "3"}},
    {"search.loop", {{"search.method=all_pairs"}, "queue"}},
    {"run.timestep", {{}, "0.3"}},
    {"run.steps", {{}, "1e6"}},
    {"run.seed", {{}, "9007199254740993"}},
    {"run.equilibrate.collisions_per_particle", {{}, "2.5"}},
    {"run.contact_cap", {{}, "77"}},
    {"run.sub_window", {{}, "0.1"}},
    {"run.halo_margin", {{}, "1"}},
    {"run.balance", {{}, "even"}},
    {"run.reaction_steps", {{}, "any"}},
    {"run.watchdog", {{}, "0.5"}},
    {"output.file", {{}, "other.h5md"}},
    {"output.trajectory_every", {{}, "0"}},
    {"output.observables_every", {{}, "3"}},
    {"output.collisions", {{}, "[[b, a], [b, wall]]"}},
    {"output.collision_byte_budget", {{}, "12"}},
    {"output.author", {{}, "somebody"}},
    {"output.precision", {{}, "float32"}},
    {"output.compression", {{}, "gzip"}},
    {"output.survives", {{}, "power_loss"}},
    {"output.flush_every_seconds", {{}, "2.5"}},
    {"output.sync_every_seconds", {{}, "2.5"}},
    {"output.checkpoint.every_steps", {{}, "50"}},
    {"output.checkpoint.every_minutes", {{}, "1.5"}},
    {"output.checkpoint.keep", {{}, "3"}},
};

bool has_value(const Option& option) {
    return option.kind != OptionKind::section && option.kind != OptionKind::sections;
}

std::string as_node_path(std::string_view pattern) {
    std::string path(pattern);
    for (std::size_t at; (at = path.find("[]")) != std::string::npos;) path.replace(at, 2, ".0");
    return path;
}

/// Some overrides are only valid together with the key that they prepare for.
Config parse_or_default(const Overrides& overrides) {
    return error_of(overrides) == "no error" ? parse(overrides) : parse();
}

/// Each key does.
TEST(ConfigTable, ReachesConfigAndEffectiveInput) {
    for (const Option& option : config_table()) {
        if (!has_value(option)) continue;
        ASSERT_TRUE(probes.contains(option.path)) << "no probe for " << option.path;
        auto [overrides, value] = probes.at(option.path);
        const Config before = parse_or_default(overrides);
        overrides.push_back(as_node_path(option.path) + "=" + value);
        const Config after = parse(overrides);
        EXPECT_NE(before, after) << option.path;
        EXPECT_EQ(parse_config(effective_yaml(after), after.input_name), after) << effective_yaml(after);
    }
}

TEST(ConfigTable, EveryDefaultIsAValidValueOfItsKey) {
    for (const Option& option : config_table()) {
        if (option.fallback.empty() || option.path.starts_with("placement.")) continue;
        Overrides overrides = probes.at(option.path).first;
        const Config before = parse(overrides);
        overrides.push_back(as_node_path(option.path) + "=" + std::string(option.fallback));
        EXPECT_EQ(parse(overrides), before) << option.path;
    }
}

TEST(ConfigTable, EveryExampleIsAValidValueOfItsKey) {
    for (const Option& option : config_table()) {
        if (!has_value(option)) continue;
        EXPECT_FALSE(option.example.empty()) << option.path;
        Overrides overrides = probes.at(option.path).first;
        if (option.path == "placement.method") overrides.clear();
        overrides.push_back("species.0.name=sphere");
        if (option.path == "contacts.pairs[].between" || option.path == "contacts.pairs[].restitution")
            overrides.push_back("contacts.pairs.0={between: [sphere, b], restitution: 1}");
        overrides.push_back(as_node_path(option.path) + "=" + std::string(option.example));
        EXPECT_NO_THROW(parse(overrides)) << option.path;
    }
}

TEST(ConfigTable, EveryKeyHasHelpAndASectionAboveIt) {
    for (const Option& option : config_table()) {
        EXPECT_FALSE(option.what.empty()) << option.path;
        std::string_view above = option.path.substr(0, std::min(option.path.rfind('.'), option.path.size()));
        if (above.ends_with("[]")) above.remove_suffix(2);
        EXPECT_TRUE(above == option.path || find_option(above) != nullptr) << option.path;
    }
}

TEST(ConfigTable, EveryWordHasAValueOfItsOwn) {
    for (const Option& option : config_table()) {
        std::set<std::string_view> words;
        std::set<int> values;
        for (const Word& each : option.words) {
            words.insert(each.word);
            values.insert(each.value);
        }
        EXPECT_EQ(words.size(), option.words.size()) << option.path;
        EXPECT_EQ(values.size(), option.words.size()) << option.path;
    }
}

}  // namespace
}  // namespace ricochet
