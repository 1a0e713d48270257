// SPDX-License-Identifier: BSD-3-Clause
#include "theory/rate_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/size_distribution.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double longest_step = 0.5;

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

}  // namespace

std::vector<std::string> describe_rates(const Config& config) {
    std::vector<std::string> sentences;
    if (config.dynamics.type != DynamicsType::brownian) return sentences;
    const std::vector<std::string> names = names_of_rules(config);
    double longest = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const PairRule& rule = config.contacts.pairs[k];
        if (rule.b == wall_species || !(rule.react || rule.coalesce || rule.stick)) continue;
        const Typical a = typical(config, rule.a), b = typical(config, rule.b);
        const double step = std::sqrt(2 * (a.diffusion + b.diffusion) * config.run.timestep);
        const double ratio = step / (a.radius + b.radius);
        sentences.push_back(fmt::format(
            "{}: relative step {:.3g} of the contact distance (rms along an axis)", names[k], ratio));
        longest = std::max(longest, ratio);
    }
    if (longest > longest_step)
        sentences.push_back(
            fmt::format("run.timestep: steps of {:.4g} are long for these reactions: got {:.3g} of a contact "
                        "distance, expected at "
                        "most {}; a quarter of the timestep halves that",
                        config.run.timestep, longest, longest_step));
    return sentences;
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
        if (expected > most_likely)
            sentences.push_back(
                fmt::format("run.timestep: steps of {:.4g} are long for the decays of {}: got {:.3g} of a "
                            "mean life, expected "
                            "at most {} (a particle decays at most once in a step, and its products meet "
                            "nobody before it)",
                            config.run.timestep, config.species[s].name, expected, most_likely));
    }
    return sentences;
}

std::vector<std::string> describe_tethers(const Config& config) {
    constexpr double most_likely = 0.1;
    std::vector<std::string> sentences;
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
