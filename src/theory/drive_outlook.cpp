// SPDX-License-Identifier: BSD-3-Clause
#include "theory/drive_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "model/free_fall.hpp"
#include "model/restitution.hpp"
#include "model/rounding.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "theory/contact_rate.hpp"

namespace ricochet {

std::vector<std::string> describe_drive(const Config& config) {
    if (!is_driven(config)) return {};
    const DriveOptions& drive = *config.dynamics.drive;
    const double kick = drive.most_acceleration * config.run.timestep;
    return {fmt::format(
        "dynamics.drive: each step begins with a change of velocity of up to {:.4g}; energy and momentum "
        "are not conserved, kT is that of the start, and no theory of equilibrium applies",
        kick)};
}

namespace {

/// One sphere of all particles.
struct MergedBody {
    double radius = 0, mass = 0;
};

MergedBody merged_body(const Config& config) {
    MergedBody all;
    double content = 0;
    for (const Species& species : config.species) {
        const double radius =
            species.radius_distribution ? species.radius_distribution->median : species.radius;
        const auto count = static_cast<double>(species.count);
        content += count * std::pow(radius, config.box.dimension);
        all.mass += count * species.mass;
    }
    all.radius = std::pow(content, 1.0 / config.box.dimension);
    return all;
}

std::optional<std::string> long_gravity_steps(const Config& config) {
    constexpr double fine_part = 0.02;
    const GravityLaw& law = config.self_gravity->law;
    double fall = std::numeric_limits<double>::infinity();
    std::string whose;
    const auto consider = [&](double radius, double mass, const std::string& name) {
        if (!(radius > 0 && mass > 0) || free_fall_time(law, radius, mass) >= fall) return;
        fall = free_fall_time(law, radius, mass);
        whose = name;
    };
    for (const Species& species : config.species)
        consider(species.radius_distribution ? species.radius_distribution->minimum : species.radius,
                 species.mass, species.name);
    const auto& rules = config.contacts.pairs;
    if (std::any_of(rules.begin(), rules.end(),
                    [](const PairRule& rule) { return rule.coalesce.has_value(); }))
        consider(merged_body(config).radius, merged_body(config).mass, "all particles merged into one");
    if (!(config.run.timestep > fine_part * fall)) return std::nullopt;
    return fmt::format(
        "self_gravity: steps are long, run.timestep is {:.3g}, expected at most {:.2g}, {} of "
        "the time in which what "
        "touches {} falls by its radius: orbits close to bodies lose or gain energy",
        config.run.timestep, fine_part * fall, fine_part, whose);
}

std::optional<std::string> coarse_opening(const Config& config) {
    constexpr double fine_opening = 0.5;
    for (int axis = 0; axis < config.box.dimension; ++axis)
        if (!config.box.is_periodic(axis)) return std::nullopt;
    const GravitySetting& setting = *config.self_gravity;
    if (setting.method == GravityMethod::direct || setting.opening <= fine_opening) return std::nullopt;
    // They are one leaf of the tree, whose images are wholes only if all are close together (gravity/tree.hpp). A file
    // may have more than the input says.
    constexpr std::uint64_t always_direct = 32;
    std::uint64_t count = 0;
    for (const Species& species : config.species) count += species.count;
    if (count <= always_direct && config.placement.method != PlacementMethod::file) return std::nullopt;
    return fmt::format(
        "self_gravity: where the density is nearly uniform, forces in a periodic box almost cancel, and the "
        "errors of the tree do not: self_gravity.opening is {:.3g}, expected at most {} unless masses are in "
        "clusters",
        setting.opening, fine_opening);
}

}  // namespace

std::vector<std::string> describe_self_gravity(const Config& config) {
    std::vector<std::string> sentences;
    if (!config.self_gravity) return sentences;
    for (const auto& sentence : {long_gravity_steps(config), coarse_opening(config)})
        if (sentence) sentences.push_back(*sentence);
    return sentences;
}

std::vector<std::string> describe_walls(const Config& config) {
    constexpr double longest = 0.1;
    std::vector<std::string> sentences;
    for (const WallOptions& wall : config.walls) {
        if (!wall.vibrating) continue;
        const double part = 2 * std::numbers::pi * wall.vibrating->frequency * config.run.timestep;
        if (part <= longest) continue;
        sentences.push_back(
            fmt::format("run.timestep: steps are long for the wall {}, 2 pi frequency timestep is {:.3g}, "
                        "expected at most {}: "
                        "it moves on parabolas, whose velocity is off by up to {:.2g} of its largest",
                        to_word(wall.face), part, longest, part * part * part / 12));
    }
    return sentences;
}

std::vector<std::string> describe_thermal_walls(const Config& config) {
    std::vector<std::string> sentences;
    double num_particles = 0;
    for (const Species& species : config.species) num_particles += static_cast<double>(species.count);
    for (std::size_t k = 0; k < config.contacts.pairs.size(); ++k) {
        const auto& thermal = config.contacts.pairs[k].thermal;
        if (!thermal || thermal->kT <= config.dynamics.kT) continue;
        const double pairs = estimated_contact_rate(config, thermal->kT).value_or(0) * config.run.timestep;
        const double contacts = 2 * pairs / std::max(1.0, num_particles);
        if (!(contacts > many_contacts_per_particle)) continue;
        sentences.push_back(
            fmt::format("contacts.pairs.{}.thermal.kT: got {:.4g}, at which each particle has about {:.2g} "
                        "collisions in a step; choose a timestep of about {:.2g}, with one: a signal to stop "
                        "is heeded at "
                        "the end of a step",
                        k, thermal->kT, contacts, config.run.timestep / contacts));
    }
    return sentences;
}

namespace {

std::string in_words(Vec3 drift, int dimension) {
    std::string text;
    for (int axis = 0; axis < dimension; ++axis)
        text += fmt::format("{}{:.4g}", axis == 0 ? "" : ", ", drift[axis]);
    return "[" + text + "]";
}

/// The drift is that of the relation of Einstein at dynamics.kT. None where the species states no other temperature.
std::optional<std::string> note_on_solvent(const Config& config, std::size_t k, Vec3 drift) {
    const auto& solvent = config.species[k].stokes_einstein;
    if (!solvent || solvent->temperature == config.dynamics.kT || norm(drift) == 0) return std::nullopt;
    return fmt::format(
        "species.{}.diffusion.stokes_einstein.temperature: got {:.6g}, expected dynamics.kT = {:.6g}: {} "
        "drifts at D F/kT, which is {:.4g} times the drift in a solvent of this viscosity",
        k, solvent->temperature, config.dynamics.kT, config.species[k].name,
        solvent->temperature / config.dynamics.kT);
}

/// Whether there is something across the way of what falls.
bool has_floor(const World& world) {
    bool has_one = !world.bodies.empty();
    for (int axis = 0; axis < world.box.dimension; ++axis)
        has_one = has_one || (world.box.has_walls(axis) && world.gravity[axis] != 0);
    return has_one;
}

/// The law by speed with the lowest v*; none without such laws.
std::optional<PairRestitution> law_of_slowest_rest(const World& world) {
    std::optional<PairRestitution> slowest;
    for (const PairRestitution& pair : restitution_of_pairs(world))
        if (!pair.restitution.is_constant() &&
            (!slowest || elastic_speed(pair.restitution) < elastic_speed(slowest->restitution)))
            slowest = pair;
    return slowest;
}

}  // namespace

std::vector<std::string> describe_rest(const Config& config) {
    constexpr double many_in_a_step = 100;
    const World world = world_of(config);
    const double fall = norm(world.gravity);
    const auto slowest = law_of_slowest_rest(world);
    if (!slowest || fall == 0 || !has_floor(world)) return {};
    const double speed = std::max(elastic_speed(slowest->restitution), world.collapse_duration * fall / 2);
    if (speed * speed <= 2 * fall * separation_slack(world.box)) return {};  // it hops: contact_applier.cpp
    const double contacts = fall * world.timestep / (2 * speed);
    if (!(contacts > many_in_a_step)) return {};
    const auto cap = static_cast<double>(config.run.contact_cap);
    const std::string surface =
        slowest->b == wall_species ? "walls or bodies" : world.species[slowest->b].name;
    std::string text = fmt::format(
        "contacts: those of {} and {} are elastic up to v* = {:.3g}: what comes to rest under gravity "
        "bounces on at that speed, with about {:.3g} contacts per particle in a step",
        world.species[slowest->a].name, surface, speed, contacts);
    if (contacts >= cap)
        text += fmt::format(", and run.contact_cap, {}, ends the run; choose a run.timestep below {:.2g}",
                            config.run.contact_cap, world.timestep * cap / contacts);
    return {text + "; contacts.collapse makes them fewer"};
}

std::vector<std::string> describe_forces(const Config& config) {
    constexpr double worth_a_word = 0.01, bias_of_step = 0.42;  // measured: physics BrownianDrift
    std::vector<std::string> sentences;
    const Vec3 common = common_drift(config);
    const std::vector<Vec3> drifts = drifts_of_species(config);
    for (std::size_t k = 0; k < config.species.size(); ++k) {
        const Species& species = config.species[k];
        if (!has_fields(config) || config.fields || species.frozen_axes == all_axes) continue;
        const double diffusion = typical_diffusion(species);
        const double step = std::sqrt(2 * diffusion * config.run.timestep);
        const double beside = norm(without_axes(drifts[k], species.frozen_axes) - common);
        const double ratio = step * beside / diffusion;
        std::string text =
            fmt::format("forces: {} drifts at {}", species.name, in_words(drifts[k], config.box.dimension));
        if (ratio > worth_a_word)
            text += fmt::format(
                "; steps bend with the mean of all species, {} (0 along axes along which some do not move), "
                "the rest is straight, {:.3g} of kT over its force in a step: at a wall across it the "
                "density "
                "of {} is off by about {:.2g} % (half that with a quarter of run.timestep)",
                in_words(common, config.box.dimension), ratio, species.name, 100 * bias_of_step * ratio);
        sentences.push_back(text);
        if (auto note = note_on_solvent(config, k, drifts[k])) sentences.push_back(std::move(*note));
    }
    return sentences;
}

}  // namespace ricochet
