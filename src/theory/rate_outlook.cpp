// SPDX-License-Identifier: BSD-3-Clause
#include "theory/rate_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/size_distribution.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double longest_step = 0.5, longest_accepted = 3;  ///< relative steps, in contact distances

struct Typical {
    double radius = 0, diffusion = 0;
};

Typical typical(const Config& config, SpeciesIndex s) {
    Typical of;
    for (const auto& [radius, weight] : typical_radii(config, s)) {
        of.radius += weight * radius;
        of.diffusion += weight * diffusion_of(config.species[s], radius);
    }
    return of;
}

/// The relative step of two over a length, for a rule.
struct RelativeStep {
    std::string rule;
    double ratio = 0;
};

/// Steps over the length of each rule whose length is not 0.
template <class LengthOf>
std::vector<RelativeStep> steps_over(const Config& config, LengthOf&& length_of) {
    std::vector<RelativeStep> steps;
    if (config.dynamics.type != DynamicsType::brownian) return steps;
    const std::vector<std::string> names = names_of_rules(config);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const PairRule& rule = config.contacts.pairs[k];
        if (rule.b == wall_species) continue;
        const Typical a = typical(config, rule.a), b = typical(config, rule.b);
        const double length = length_of(rule, a.radius + b.radius);
        const double step = std::sqrt(2 * (a.diffusion + b.diffusion) * config.run.timestep);
        if (length > 0) steps.push_back({names[k], step / length});
    }
    return steps;
}

/// Over the contact distance, where two react, coalesce or stick.
std::vector<RelativeStep> relative_steps(const Config& config) {
    return steps_over(config, [](const PairRule& rule, double contact) {
        return rule.react || rule.coalesce || rule.stick ? contact : 0;
    });
}

/// Over the way that a tether leaves from contact to its full length.
std::vector<RelativeStep> steps_over_slack(const Config& config) {
    return steps_over(config, [](const PairRule& rule, double contact) {
        return rule.stick ? (rule.stick->length - 1) * contact : 0;
    });
}

bool passes_all(const Config& config, SpeciesIndex s) {
    const auto& rules = config.contacts.pairs;
    for (SpeciesIndex other = 0; other < config.species.size(); ++other)
        if (std::none_of(rules.begin(), rules.end(), [&](const PairRule& rule) {
                return rule.pass && ((rule.a == s && rule.b == other) || (rule.a == other && rule.b == s));
            }))
            return false;
    return true;
}

/// Whether products of the species' decays come to be also where they overlap others.
bool has_products_without_room(const Config& config, SpeciesIndex s) {
    return !passes_all(config, s) &&
           std::any_of(config.decays.begin(), config.decays.end(),
                       [s](const DecayRule& rule) { return rule.from == s && !rule.products.empty(); });
}

/// How many times too often two meet and react where the intrinsic rate is small beside diffusion. Measured at relative
/// steps of 2 and 6.3 contact distances, 1.17 and 1.70; nearly linear between.
double excess_of_slow_reactions(double relative_step) {
    return 1 + 0.122 * std::max(0.0, relative_step - 0.58);
}

}  // namespace

std::vector<std::string> describe_rates(const Config& config) {
    std::vector<std::string> sentences;
    double longest = 0;
    for (const RelativeStep& step : relative_steps(config)) {
        sentences.push_back(fmt::format(
            "{}: relative step {:.3g} of the contact distance (rms along an axis)", step.rule, step.ratio));
        longest = std::max(longest, step.ratio);
    }
    if (longest > longest_step)
        sentences.push_back(fmt::format(
            "run.timestep: steps of {:.4g} are long for these reactions: got {:.3g} of a contact distance, "
            "expected at most {}; reactions that are slow beside diffusion come about {:.2f} times too "
            "often; a "
            "quarter of the timestep halves the step",
            config.run.timestep, longest, longest_step, excess_of_slow_reactions(longest)));
    return sentences;
}

std::optional<std::string> refusal_of_steps(const Config& config) {
    if (config.run.reaction_steps == ReactionSteps::any) return std::nullopt;
    for (const RelativeStep& step : relative_steps(config)) {
        if (!(step.ratio > longest_accepted)) continue;
        const double shrunk = longest_step / step.ratio;
        return fmt::format(
            "{}: run.timestep: got {:.6g}, too long for {}: the relative step is {:.3g} contact distances, "
            "expected at most {}: reactions that are slow beside diffusion come about {:.2f} times too "
            "often; choose about {:.2g}, or run.reaction_steps: any",
            config.timestep_place.text, config.run.timestep, step.rule, step.ratio, longest_accepted,
            excess_of_slow_reactions(step.ratio), config.run.timestep * shrunk * shrunk);
    }
    return std::nullopt;
}

std::vector<std::string> describe_decays(const Config& config) {
    constexpr double most_likely = 0.1;
    std::vector<std::string> sentences;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s) {
        double rate = 0;
        for (const DecayRule& rule : config.decays) rate += rule.from == s ? rule.rate : 0;
        if (rate == 0) continue;
        const double expected = rate * config.run.timestep;
        sentences.push_back(fmt::format("decays of {}: mean life {:.4g} = {:.4g} steps",
                                        config.species[s].name, 1 / rate, 1 / expected));
        if (has_products_without_room(config, s))
            sentences.push_back(
                fmt::format("decays of {0}: products do not wait for room, because {0} does not pass all "
                            "species: they may overlap others, and an equilibrium constant is right only "
                            "where that is rare",
                            config.species[s].name));
        if (expected > most_likely)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for the decays of {}: got {:.3g} of a "
                            "mean life, expected "
                            "at most {} (a particle decays at most once in each half of a step)",
                            config.run.timestep, config.species[s].name, expected, most_likely));
    }
    return sentences;
}

std::vector<std::string> describe_tethers(const Config& config) {
    constexpr double most_likely = 0.1, longest_over_slack = 0.5;
    std::vector<std::string> sentences;
    for (const RelativeStep& step : steps_over_slack(config)) {
        sentences.push_back(
            fmt::format("{}: relative step {:.3g} of the slack of a tether", step.rule, step.ratio));
        if (step.ratio > longest_over_slack)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for the tethers of {}: got {:.3g} of the "
                            "slack, expected "
                            "at most {}; in each step partners go to and fro between contact and full length "
                            "(at 1.4 of the "
                            "slack 36 times the contacts, and the time for them)",
                            config.run.timestep, step.rule, step.ratio, longest_over_slack));
    }
    const std::vector<std::string> names = names_of_rules(config);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto& stick = config.contacts.pairs[k].stick;
        if (!stick || stick->break_rate == 0) continue;
        const double expected = stick->break_rate * config.run.timestep;
        sentences.push_back(fmt::format("{}: mean life of a tether {:.4g} = {:.4g} steps", names[k],
                                        1 / stick->break_rate, 1 / expected));
        if (expected > most_likely)
            sentences.push_back(fmt::format(
                "run.timestep: steps of {:.4g} are long for the tethers of {}: got {:.3g} of a mean "
                "life, expected at most {} (tethers break between steps)",
                config.run.timestep, names[k], expected, most_likely));
    }
    return sentences;
}

std::vector<std::string> describe_drive(const Config& config) {
    if (!is_driven(config)) return {};
    const DriveOptions& drive = *config.dynamics.drive;
    const double kick = drive.most_acceleration * config.run.timestep;
    return {fmt::format(
        "dynamics.drive: each step begins with a change of velocity of up to {:.4g}; energy and momentum "
        "are not conserved, kT is that of the start, and no theory of equilibrium applies",
        kick)};
}

}  // namespace ricochet
