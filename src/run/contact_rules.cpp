// SPDX-License-Identifier: BSD-3-Clause
#include "run/contact_rules.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

double rate_of(const std::optional<double>& rate) {
    return rate.value_or(std::numeric_limits<double>::infinity());
}

React react_rule(const PairRule& rule) {
    React react{.first = rule.a,
                .probability = rule.react->probability,
                .restitution = rule.restitution.value_or(1),
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
            .restitution = rule.restitution.value_or(1),
            .rate = rate_of(options.rate)};
}

ContactRule contact_rule(const PairRule& rule) {
    if (rule.pass) return Pass{};
    if (rule.coalesce) return Coalesce{rate_of(rule.coalesce->rate)};
    if (rule.react) return react_rule(rule);
    if (rule.stick) return stick_rule(rule);
    return Bounce{rule.restitution.value_or(1)};
}

void set_rule(ContactRules& rules, const PairRule& rule, RuleNumber number) {
    const ContactRule value = contact_rule(rule);
    if (rule.b != wall_species) return rules.set_pair(rule.a, rule.b, value, number);
    if (rule.faces.empty()) return rules.set_wall(rule.a, value, number);
    for (const WallFace face : rule.faces)
        rules.set_wall_face(rule.a, static_cast<std::size_t>(face), value, number);
}

std::vector<DecayChannel> channels_of(const Config& config) {
    std::vector<DecayChannel> channels;
    for (const DecayRule& rule : config.decays) {
        DecayChannel& channel = channels.emplace_back(DecayChannel{.from = rule.from, .rate = rule.rate});
        std::copy(rule.products.begin(), rule.products.end(), channel.products.begin());
    }
    return channels;
}

}  // namespace

ContactRules contact_rules(const Config& config) {
    ContactRules rules(config.species.size(), Bounce{config.contacts.restitution});
    for (SpeciesIndex s = 0; s < config.species.size(); ++s)
        rules.set_wall(s, Bounce{config.contacts.wall_restitution});
    for (std::size_t k = 0; k < config.contacts.pairs.size(); ++k)
        set_rule(rules, config.contacts.pairs[k], static_cast<RuleNumber>(k));
    rules.set_species(config.species);
    rules.set_dimension(config.box.dimension);
    rules.set_seed(config.run.seed);
    rules.set_remember_absorbed(has_births(config));
    rules.set_have_decays(!config.decays.empty());
    if (config.dynamics.type == DynamicsType::brownian) {
        rules.set_energy_time(config.dynamics.kT * config.run.timestep);
        rules.set_timestep(config.run.timestep);
    }
    return rules;
}

DecayRules decay_rules(const Config& config) {
    return {config.box, contact_rules(config), channels_of(config), config.run.timestep};
}

}  // namespace ricochet
