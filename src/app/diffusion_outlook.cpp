// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/app/diffusion_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ricochet/app/size_classes.hpp"
#include "ricochet/core/size_distribution.hpp"

namespace ricochet {
namespace {

constexpr double growth_with_step = 0.55;
/// Long-time D/D0 at volume fractions in steps of 0.1.
constexpr std::array<double, 5> long_time{1, 0.80, 0.66, 0.494, 0.29};
constexpr double remarkable_bias = 0.01;

double long_time_diffusion(double volume_fraction) {
    const double place = std::max(10 * volume_fraction, 0.0);
    const auto k = std::min(static_cast<std::size_t>(place), long_time.size() - 2);
    return std::lerp(long_time.at(k), long_time.at(k + 1), place - static_cast<double>(k));
}

SpeciesDiffusion outlook_of(const Config& config, SpeciesIndex s, double fraction) {
    const Species& species = config.species[s];
    SpeciesDiffusion outlook;
    outlook.name = species.name;
    double diffusion_time = 0;
    for (const auto& [radius, weight] : typical_radii(config, s)) {
        const double diffusion = diffusion_of(species, radius);
        outlook.diffusion += weight * diffusion;
        outlook.step_over_radius += weight * std::sqrt(2 * diffusion * config.run.timestep) / radius;
        diffusion_time += weight * 2 * radius * radius / (config.box.dimension * diffusion);
    }
    outlook.fraction = static_cast<double>(species.count) * mean_content(species, config.box.dimension) /
                       config.box.volume();
    outlook.diffusion_times =
        static_cast<double>(config.run.num_steps) * config.run.timestep / diffusion_time;
    if (config.box.dimension == 3) outlook.bias = bias_of_diffusion(fraction, outlook.step_over_radius / 2);
    return outlook;
}

std::string with_unit(double value, const std::string& unit) {
    return unit.empty() || unit == "unstated" ? fmt::format("{:.4g}", value)
                                              : fmt::format("{:.4g} {}", value, unit);
}

std::string sentence_on(const SpeciesDiffusion& of, const Config& config) {
    const bool has_units = config.units.length != "unstated" && config.units.time != "unstated";
    std::string text =
        fmt::format("{}: D {} when free, step {:.3g} radii (rms along an axis)", of.name,
                    with_unit(of.diffusion, has_units ? config.units.length + "^2/" + config.units.time : ""),
                    of.step_over_radius);
    if (of.fraction > 0)
        text +=
            fmt::format(", {} fraction {:.3g}", config.box.dimension == 2 ? "area" : "volume", of.fraction);
    text += fmt::format(
        ", time simulated {}, {:.3g} times that to diffuse a diameter",
        with_unit(static_cast<double>(config.run.num_steps) * config.run.timestep, config.units.time),
        of.diffusion_times);
    if (of.bias) text += fmt::format(", long-time diffusion about {:.2g} % too low", 100 * *of.bias);
    return text;
}

}  // namespace

std::optional<double> bias_of_diffusion(double volume_fraction, double step_over_diameter) {
    constexpr double largest_fraction = 0.1 * (long_time.size() - 1);
    if (volume_fraction > largest_fraction) return std::nullopt;
    const double remaining = long_time_diffusion(volume_fraction);
    return std::min(growth_with_step * step_over_diameter * (1 - remaining) / remaining, 1.0);
}

std::vector<SpeciesDiffusion> diffusion_outlook(const Config& config, double fraction) {
    std::vector<SpeciesDiffusion> outlooks;
    if (config.dynamics.type == DynamicsType::ballistic) return outlooks;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s)
        outlooks.push_back(outlook_of(config, s, fraction));
    return outlooks;
}

std::vector<std::string> describe_diffusion(const Config& config, double fraction) {
    std::vector<std::string> sentences;
    double largest = 0;
    for (const SpeciesDiffusion& outlook : diffusion_outlook(config, fraction)) {
        sentences.push_back(sentence_on(outlook, config));
        largest = std::max(largest, outlook.bias.value_or(0));
    }
    if (largest > remarkable_bias)
        sentences.push_back(fmt::format(
            "run.timestep: steps of {:.4g} make long-time diffusion up to about {:.2g} % too low; a "
            "quarter of it halves that",
            config.run.timestep, 100 * largest));
    return sentences;
}

}  // namespace ricochet
