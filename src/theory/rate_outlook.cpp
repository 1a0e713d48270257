// SPDX-License-Identifier: BSD-3-Clause
#include "theory/rate_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double longest_step = 0.5, longest_accepted = 3;  ///< relative steps, in contact distances

struct Typical {
    double radius = 0, diffusion = 0;
};

Typical typical(const World& world, SpeciesIndex s) {
    Typical of;
    for (const auto& [radius, weight] : typical_radii(world, s)) {
        of.radius += weight * radius;
        if (world.species[s].frozen_axes != all_axes)
            of.diffusion += weight * diffusion_of(world.species[s], radius);
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
std::vector<RelativeStep> steps_over(const World& world, LengthOf&& length_of) {
    std::vector<RelativeStep> steps;
    if (!world.bath_energy) return steps;
    const std::vector<std::string> names = names_of_rules(world);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const SpeciesRule& rule = world.rules[k];
        if (rule.b == wall_species) continue;
        const Typical a = typical(world, rule.a), b = typical(world, rule.b);
        const double length = length_of(rule.rule, a.radius + b.radius);
        const double step = std::sqrt(2 * (a.diffusion + b.diffusion) * world.timestep);
        if (length > 0) steps.push_back({names[k], step / length});
    }
    return steps;
}

/// Over the contact distance, where two react, coalesce or stick.
std::vector<RelativeStep> relative_steps(const World& world) {
    return steps_over(world, [](const ContactRule& rule, double contact) {
        return std::holds_alternative<Bounce>(rule) || std::holds_alternative<Pass>(rule) ? 0 : contact;
    });
}

/// The least radius of the surface on which centres of this radius touch the body, or which they cross; none where it
/// is flat. Edges of boxes are too small a part to count.
std::optional<double> bend_at_contact(const Body& body, double radius, bool passes) {
    const double shift = passes ? 0 : body.side == BodySide::inside ? -radius : radius;
    struct LeastRadius {
        std::optional<double> operator()(const BodySphere& of) const { return of.radius; }
        std::optional<double> operator()(const BodyCapsule& of) const { return of.radius; }
        std::optional<double> operator()(const BodyCylinder& of) const { return of.radius; }
        std::optional<double> operator()(const BodyBox&) const { return std::nullopt; }
        std::optional<double> operator()(const BodyPlane&) const { return std::nullopt; }
        std::optional<double> operator()(const BodySpheres& of) const {
            return std::min_element(
                       of.spheres.begin(), of.spheres.end(),
                       [](const BodySphere& a, const BodySphere& b) { return a.radius < b.radius; })
                ->radius;
        }
    };
    std::optional<double> least = std::visit(LeastRadius{}, body.shape);
    if (least) *least += shift;
    return least;
}

double rate_of(const ContactRule& rule) {
    if (const React* const react = std::get_if<React>(&rule)) return react->rate;
    if (const Pass* const pass = std::get_if<Pass>(&rule)) return pass->rate;
    return std::numeric_limits<double>::infinity();
}

/// Over the radius of the bent surfaces at which particles react or pass at finite rates.
std::vector<RelativeStep> steps_over_bends(const World& world) {
    std::vector<RelativeStep> steps;
    if (!world.bath_energy || !world.has_rates) return steps;
    const std::vector<std::string> names = names_of_rules(world);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const SpeciesRule& rule = world.rules[k];
        if (!std::isfinite(rate_of(rule.rule))) continue;
        const Typical a = typical(world, rule.a);
        std::optional<double> least;
        for (const BodyNumber number : rule.bodies) {
            if (number < first_body) continue;
            const Body& body = world.bodies[body_of_part(world.bodies, number - first_body)];
            const auto bend = bend_at_contact(body, a.radius, std::holds_alternative<Pass>(rule.rule));
            if (bend && *bend > 0) least = std::min(least.value_or(*bend), *bend);
        }
        if (least) steps.push_back({names[k], std::sqrt(2 * a.diffusion * world.timestep) / *least});
    }
    return steps;
}

/// Over the way that a tether leaves from contact to its full length.
std::vector<RelativeStep> steps_over_slack(const World& world) {
    return steps_over(world, [](const ContactRule& rule, double contact) {
        const Stick* const stick = std::get_if<Stick>(&rule);
        return stick != nullptr ? (stick->length - 1) * contact : 0;
    });
}

bool passes_all(const World& world, SpeciesIndex s) {
    for (SpeciesIndex other = 0; other < world.species.size(); ++other)
        if (std::none_of(world.rules.begin(), world.rules.end(), [&](const SpeciesRule& of) {
                return std::holds_alternative<Pass>(of.rule) &&
                       ((of.a == s && of.b == other) || (of.a == other && of.b == s));
            }))
            return false;
    return true;
}

/// Whether products of the species' decays come to be also where they overlap others.
bool has_products_without_room(const World& world, SpeciesIndex s) {
    return !passes_all(world, s) &&
           std::any_of(world.decays.begin(), world.decays.end(), [s](const DecayChannel& decay) {
               return decay.from == s && decay.products[0] != absent_species;
           });
}

/// Whether two of these species react for certain at their first contact.
bool react_for_certain(const World& world, SpeciesIndex a, SpeciesIndex b) {
    bool is_certain = false;
    for (const SpeciesRule& of : world.rules) {
        if (std::minmax(of.a, of.b) != std::minmax(a, b)) continue;
        const React* const react = std::get_if<React>(&of.rule);
        const Coalesce* const coalesce = std::get_if<Coalesce>(&of.rule);
        is_certain =
            (react != nullptr && react->is_certain()) || (coalesce != nullptr && coalesce->is_certain());
    }
    return is_certain;
}

/// One sentence for each decay into two Brownian particles that touch and react for certain.
std::vector<std::string> describe_undone_decays(const World& world, SpeciesIndex s) {
    std::vector<std::string> sentences;
    for (const DecayChannel& decay : world.decays) {
        const auto [a, b] = decay.products;
        if (decay.from != s || !decay.is_birth() || !react_for_certain(world, a, b)) continue;
        sentences.push_back(fmt::format(
            "decays of {0}: its products {1} and {2} touch, and react in their first step because "
            "the rate of {1} + {2} is infinite; expected the intrinsic rate, with which some part",
            world.species[s].name, world.species[a].name, world.species[b].name));
    }
    return sentences;
}

/// How many times too often two meet and react where the intrinsic rate is small beside diffusion. Measured at relative
/// steps of 2 and 6.3 contact distances, 1.17 and 1.70; nearly linear between.
double excess_of_slow_reactions(double relative_step) {
    return 1 + 0.122 * std::max(0.0, relative_step - 0.58);
}

}  // namespace

std::vector<std::string> describe_rates(const World& world) {
    std::vector<std::string> sentences;
    double longest = 0;
    for (const RelativeStep& step : relative_steps(world)) {
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
            world.timestep, longest, longest_step, excess_of_slow_reactions(longest)));
    for (const RelativeStep& step : steps_over_bends(world)) {
        sentences.push_back(fmt::format(
            "{}: relative step {:.3g} of the radius at contact (rms along an axis)", step.rule, step.ratio));
        if (step.ratio > longest_step)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for {}: got {:.3g} of the radius at "
                            "contact, expected at most "
                            "{}: rates at bent surfaces are off by some per cent there, and more beyond; "
                            "choose about {:.2g}",
                            world.timestep, step.rule, step.ratio, longest_step,
                            world.timestep * (longest_step / step.ratio) * (longest_step / step.ratio)));
    }
    return sentences;
}

std::optional<std::string> refusal_of_steps(const Config& config) {
    if (config.run.reaction_steps == ReactionSteps::any) return std::nullopt;
    for (const RelativeStep& step : relative_steps(world_of(config))) {
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

std::vector<std::string> describe_decays(const World& world) {
    constexpr double most_likely = 0.1;
    std::vector<std::string> sentences;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
        double rate = 0;
        for (const DecayChannel& decay : world.decays) rate += decay.from == s ? decay.rate : 0;
        if (rate == 0) continue;
        const double expected = rate * world.timestep;
        sentences.push_back(fmt::format("decays of {}: mean life {:.4g} = {:.4g} steps",
                                        world.species[s].name, 1 / rate, 1 / expected));
        if (has_products_without_room(world, s))
            sentences.push_back(fmt::format(
                "decays of {0}: products do not wait for room among particles, because {0} does not pass "
                "all species: they may overlap others, and an equilibrium constant is right only "
                "where that is rare",
                world.species[s].name));
        if (world.bath_energy)
            for (std::string& sentence : describe_undone_decays(world, s))
                sentences.push_back(std::move(sentence));
        if (expected > most_likely)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for the decays of {}: got {:.3g} of a "
                            "mean life, expected "
                            "at most {} (a particle decays at most once in each half of a step)",
                            world.timestep, world.species[s].name, expected, most_likely));
    }
    return sentences;
}

std::vector<std::string> describe_tethers(const World& world) {
    constexpr double most_likely = 0.1, longest_over_slack = 0.5;
    std::vector<std::string> sentences;
    for (const RelativeStep& step : steps_over_slack(world)) {
        sentences.push_back(
            fmt::format("{}: relative step {:.3g} of the slack of a tether", step.rule, step.ratio));
        if (step.ratio > longest_over_slack)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for the tethers of {}: got {:.3g} of the "
                            "slack, expected "
                            "at most {}; in each step partners go to and fro between contact and full length "
                            "(at 1.4 of the "
                            "slack 36 times the contacts, and the time for them)",
                            world.timestep, step.rule, step.ratio, longest_over_slack));
    }
    const std::vector<std::string> names = names_of_rules(world);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Stick* const stick = std::get_if<Stick>(&world.rules[k].rule);
        if (stick == nullptr || stick->break_rate == 0) continue;
        const double expected = stick->break_rate * world.timestep;
        sentences.push_back(fmt::format("{}: mean life of a tether {:.4g} = {:.4g} steps", names[k],
                                        1 / stick->break_rate, 1 / expected));
        if (expected > most_likely)
            sentences.push_back(fmt::format(
                "run.timestep: steps of {:.4g} are long for the tethers of {}: got {:.3g} of a mean "
                "life, expected at most {} (tethers break between steps)",
                world.timestep, names[k], expected, most_likely));
    }
    return sentences;
}

}  // namespace ricochet
