// SPDX-License-Identifier: BSD-3-Clause
//
// The world that an input describes.
#include <algorithm>
#include <limits>
#include <optional>

#include "config/body_shape.hpp"
#include "model/world_facts.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {
namespace {

double rate_of(const std::optional<double>& rate) {
    return rate.value_or(std::numeric_limits<double>::infinity());
}

RestitutionLaw law_of(double constant, const std::optional<RestitutionLaw>& bridges) {
    return bridges.value_or(constant);
}

RestitutionLaw law_of(const PairRule& rule) { return law_of(rule.restitution.value_or(1), rule.bridges); }

React react_rule(const PairRule& rule) {
    React react{.first = rule.a,
                .probability = rule.react->probability,
                .restitution = law_of(rule),
                .rate = rate_of(rule.react->rate)};
    std::copy(rule.react->products.begin(), rule.react->products.end(), react.products.begin());
    return react;
}

Stick stick_rule(const PairRule& rule) {
    const StickOptions& options = *rule.stick;
    const auto [of_a, of_b] = options.valence;
    return {.length = options.length,
            .first = rule.a,
            .valence = {static_cast<std::uint32_t>(of_a), static_cast<std::uint32_t>(of_b)},
            .break_rate = options.break_rate,
            .probability = options.probability,
            .restitution = law_of(rule),
            .rate = rate_of(options.rate)};
}

ContactRule contact_rule(const PairRule& rule) {
    if (rule.pass) return Pass{rule.pass->probability.value_or(1), rate_of(rule.pass->rate)};
    if (rule.coalesce) return Coalesce{rate_of(rule.coalesce->rate)};
    if (rule.react) return react_rule(rule);
    if (rule.stick) return stick_rule(rule);
    if (rule.thermal) return Thermal{rule.thermal->kT};
    return Bounce{law_of(rule)};
}

BodyNumber number_of_part(const std::vector<Body>& bodies, const PairRule& rule) {
    const std::size_t part = rule.patch ? first_patch_of(bodies, *rule.body) + *rule.patch : *rule.body;
    return static_cast<BodyNumber>(first_body + part);
}

std::vector<SpeciesRule> species_rules(const std::vector<PairRule>& pairs, const std::vector<Body>& bodies) {
    std::vector<SpeciesRule> rules;
    rules.reserve(pairs.size());
    for (const PairRule& pair : pairs) {
        const auto number = static_cast<RuleNumber>(rules.size());
        SpeciesRule& rule = rules.emplace_back(SpeciesRule{pair.a, pair.b, contact_rule(pair), number});
        for (const WallFace face : pair.faces) rule.bodies.push_back(static_cast<BodyNumber>(face));
        if (pair.body) rule.bodies.push_back(number_of_part(bodies, pair));
    }
    return rules;
}

std::vector<Body> bodies_of(const std::vector<BodyOptions>& options) {
    std::vector<Body> bodies;
    bodies.reserve(options.size());
    for (const BodyOptions& each : options) bodies.push_back(detail::body_of(each));
    return bodies;
}

std::vector<DecayChannel> decay_channels(const std::vector<DecayRule>& decays) {
    std::vector<DecayChannel> channels;
    channels.reserve(decays.size());
    for (const DecayRule& decay : decays) {
        DecayChannel& channel = channels.emplace_back(DecayChannel{.from = decay.from, .rate = decay.rate});
        std::copy(decay.products.begin(), decay.products.end(), channel.products.begin());
    }
    return channels;
}

}  // namespace

World world_of(const Config& config) {
    World world{.box = config.box,
                .bodies = bodies_of(config.bodies),
                .free_volume = config.free_volume.value,
                .species = config.species,
                .pair_rule = Bounce{law_of(config.contacts.restitution, config.contacts.bridges)},
                .wall_rule = Bounce{law_of(config.contacts.wall_restitution, config.contacts.wall_bridges)},
                .rules = {},
                .decays = decay_channels(config.decays),
                .timestep = config.run.timestep,
                .thermal_energy = config.dynamics.kT,
                .seed = config.run.seed};
    for (const WallOptions& wall : config.walls)
        world.walls[static_cast<std::size_t>(wall.face)] = wall_motion(wall);
    world.rules = species_rules(config.contacts.pairs, world.bodies);
    if (config.contacts.collapse) world.collapse_duration = config.contacts.collapse->duration;
    world.gravity = field_acceleration(config);
    if (config.self_gravity) world.self_gravity = config.self_gravity->law;
    if (config.dynamics.type == DynamicsType::brownian) world.bath_energy = config.dynamics.kT;
    return world;
}

}  // namespace ricochet
