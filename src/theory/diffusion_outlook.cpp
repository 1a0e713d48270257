// SPDX-License-Identifier: BSD-3-Clause
#include "theory/diffusion_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double remarkable_bias = 0.01;

bool do_pass(const World& world, SpeciesIndex a, SpeciesIndex b) {
    for (const SpeciesRule& of : world.rules)
        if ((of.a == a && of.b == b) || (of.a == b && of.b == a))
            return std::holds_alternative<Pass>(of.rule);
    return std::holds_alternative<Pass>(world.pair_rule);
}

/// The classes of all species that a species does not pass.
std::vector<SizeClass> classes_in_the_way(const World& world, const ClassesBySpecies& classes,
                                          SpeciesIndex species) {
    std::vector<SizeClass> in_the_way;
    for (SpeciesIndex other = 0; other < world.species.size(); ++other)
        if (!do_pass(world, species, other))
            in_the_way.insert(in_the_way.end(), classes[other].begin(), classes[other].end());
    return in_the_way;
}

ClassesBySpecies classes_by_species(const World& world) {
    ClassesBySpecies classes;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) classes.push_back(size_classes(world, s));
    return classes;
}

SpeciesDiffusion outlook_of(const World& world, SpeciesIndex s, const ClassesBySpecies& classes,
                            double time) {
    const Species& species = world.species[s];
    SpeciesDiffusion outlook;
    outlook.name = species.name;
    outlook.rests = species.frozen_axes == all_axes;
    double diffusion_time = 0;
    for (const auto& [radius, weight] : typical_radii(world, s)) {
        const double diffusion = diffusion_of(species, radius);
        outlook.diffusion += weight * diffusion;
        outlook.step_over_radius += weight * std::sqrt(2 * diffusion * world.timestep) / radius;
        diffusion_time += weight * 2 * radius * radius / (world.box.dimension * diffusion);
    }
    outlook.fraction =
        static_cast<double>(species.count) * mean_content(species, world.box.dimension) / room_volume(world);
    outlook.diffusion_times = time / diffusion_time;
    outlook.bias = diffusion_bias_of(world, classes, s);
    return outlook;
}

std::string with_unit(double value, const std::string& unit) {
    return unit.empty() || unit == "unstated" ? fmt::format("{:.4g}", value)
                                              : fmt::format("{:.4g} {}", value, unit);
}

std::string sentence_on(const SpeciesDiffusion& of, const Config& config) {
    const bool has_units = config.units.length != "unstated" && config.units.time != "unstated";
    if (of.rests)
        return of.name + ": rests" +
               (of.fraction > 0 ? fmt::format(", {} fraction {:.3g}",
                                              config.box.dimension == 2 ? "area" : "volume", of.fraction)
                                : "");
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
    if (of.bias && *of.bias > 0)
        text += fmt::format(", long-time diffusion about {:.2g} % too low", 100 * *of.bias);
    return text;
}

}  // namespace

std::optional<double> diffusion_bias_of(const World& world, const ClassesBySpecies& classes,
                                        SpeciesIndex species) {
    if (has_frozen_axes(world) || has_shapes(world)) return std::nullopt;
    const std::vector<SizeClass> others = classes_in_the_way(world, classes, species);
    double sum = 0;
    double number = 0;
    for (const SizeClass& c : classes[species]) {
        sum += c.number_density *
               diffusion_bias(world.box.dimension, others, c, world.bath_energy.value(), world.timestep);
        number += c.number_density;
    }
    if (number == 0) return std::nullopt;
    return sum / number;
}

std::vector<SpeciesDiffusion> diffusion_outlook(const Config& config) {
    std::vector<SpeciesDiffusion> outlooks;
    const World world = world_of(config);
    if (!world.bath_energy) return outlooks;
    const ClassesBySpecies classes = classes_by_species(world);
    const double time = static_cast<double>(config.run.num_steps) * world.timestep;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        outlooks.push_back(outlook_of(world, s, classes, time));
    return outlooks;
}

std::vector<std::string> describe_diffusion(const Config& config) {
    std::vector<std::string> sentences;
    double largest = 0;
    for (const SpeciesDiffusion& outlook : diffusion_outlook(config)) {
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
