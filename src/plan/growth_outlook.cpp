// SPDX-License-Identifier: BSD-3-Clause
#include "plan/growth_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/readable.hpp"
#include "model/size_distribution.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr double most_births = 1e15;  ///< more are not counted

double decay_rate(const Config& config, SpeciesIndex from) {
    double sum = 0;
    for (const DecayRule& rule : config.decays) sum += rule.from == from ? rule.rate : 0;
    return sum;
}

/// How many of its particles decay in a time, in the mean.
std::vector<double> decays_of(const Config& config, const std::vector<double>& counts, double time) {
    std::vector<double> decays(counts.size());
    for (SpeciesIndex s = 0; s < counts.size(); ++s)
        decays[s] = counts[s] * -std::expm1(-decay_rate(config, s) * time);
    return decays;
}

/// Moves the decayed ones to their products. Returns the births.
double move_to_products(const Config& config, const std::vector<double>& decays,
                        std::vector<double>& counts) {
    double births = 0;
    for (SpeciesIndex s = 0; s < counts.size(); ++s) counts[s] -= decays[s];
    for (const DecayRule& rule : config.decays) {
        if (rule.rate == 0) continue;
        const double number = decays[rule.from] * (rule.rate / decay_rate(config, rule.from));
        for (const SpeciesIndex product : rule.products) counts[product] += number;
        if (rule.products.size() == 2) births += number;
    }
    return births;
}

double expected_births(const Config& config) {
    constexpr std::uint64_t most_intervals = 10'000;
    if (!has_births(config)) return 0;
    const std::uint64_t num_intervals = std::min(config.run.num_steps, most_intervals);
    const double time = static_cast<double>(config.run.num_steps) * config.run.timestep /
                        static_cast<double>(std::max<std::uint64_t>(1, num_intervals));
    std::vector<double> counts;
    for (const Species& species : config.species) counts.push_back(static_cast<double>(species.count));
    double births = 0;
    for (std::uint64_t k = 0; k < num_intervals && births < most_births; ++k)
        births += move_to_products(config, decays_of(config, counts, time), counts);
    return std::min(births, most_births);
}

double largest_product(const Config& config) {
    double largest = 0;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s)
        if (is_product(config, s)) largest = std::max(largest, largest_radius(config.species[s]));
    return largest;
}

/// Mean of radius^power over a species.
double mean_power(const Species& species, int power) {
    return species.radius_distribution ? mean_power_of_radius(*species.radius_distribution, power)
                                       : std::pow(species.radius, power);
}

double radius_of_merged(const Config& config) {
    const int dimension = config.box.dimension;
    std::vector<bool> coalesces(config.species.size());
    for (const PairRule& rule : config.contacts.pairs)
        if (rule.coalesce) coalesces[rule.a] = coalesces[rule.b] = true;
    double sum = 0;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s)
        if (coalesces[s])
            sum += static_cast<double>(config.species[s].count) * mean_power(config.species[s], dimension);
    return std::pow(sum, 1.0 / dimension);
}

std::string sentence_on_births(const Config& config, const ParticleSummary& particles, const RunPlan& plan,
                               double births) {
    if (births >= most_births)
        return fmt::format("decays alone would make more than {:.0e} new particles", most_births);
    ParticleSummary grown = particles;
    grown.num_particles += static_cast<std::uint64_t>(std::llround(births));
    std::string text =
        fmt::format("decays alone make about {:.4g} new particles by the end of the run", births);
    try {
        const RunPlan at_end = make_plan(config, grown, plan.num_ranks);
        text += fmt::format(": then about {} of memory per rank", in_bytes(at_end.bytes_per_rank));
        if (plan.num_frames > 0)
            text += fmt::format(", and a frame of {} (who has ended keeps its row)",
                                in_bytes(static_cast<double>(at_end.bytes_per_frame)));
    } catch (const InputError&) {
        text += fmt::format(": too many for {} ranks", plan.num_ranks);
    }
    return text;
}

/// The most ranks for particles of this radius; none if not even one.
std::optional<int> most_ranks_with(const Config& config, const ParticleSummary& particles, double radius) {
    ParticleSummary grown = particles;
    grown.two_largest_extents += 2 * (radius - particles.largest_radius);
    grown.two_largest_radii = 2 * radius;
    grown.largest_radius = radius;
    try {
        return make_plan(config, grown, 1).slabs.largest_rank_count;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Two of the product that takes up most in a Brownian step.
BrownianReach two_widest_products(const Config& config) {
    BrownianReach widest;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s) {
        if (!is_product(config, s)) continue;
        const double radius = largest_radius(config.species[s]);
        const double deviation = std::sqrt(2 * diffusion_of(config.species[s], radius) * config.run.timestep);
        const BrownianReach two{2 * radius, 2 * deviation};
        if (two.extent() > widest.extent()) widest = two;
    }
    return widest;
}

/// Where Brownian steps of products do not fit into the box; those of the start do. None where all fit.
std::optional<std::string> sentence_on_steps(const Config& config) {
    if (config.dynamics.type != DynamicsType::brownian) return std::nullopt;
    const BrownianReach two = two_widest_products(config);
    for (int axis = 0; axis < config.box.dimension; ++axis) {
        const double half = 0.5 * config.box.size[axis];
        if (!config.box.is_periodic(axis) || half > two.extent()) continue;
        return fmt::format(
            "two products take up {:.4g} with 6 standard deviations of their Brownian steps, but half of the "
            "box along {} is {:.4g}: the run may end there; choose a smaller timestep, or a larger box",
            two.extent(), "xyz"[axis], half);
    }
    return std::nullopt;
}

std::string room_for(const Config& config, const ParticleSummary& particles, double radius) {
    const std::optional<int> most_ranks = most_ranks_with(config, particles, radius);
    if (!most_ranks) return "too large for the box: the run would end there";
    return fmt::format("with one, at most {} rank{} can go on", *most_ranks, *most_ranks == 1 ? "" : "s");
}

}  // namespace

GrowthOutlook growth_outlook(const Config& config) {
    return {.births = expected_births(config),
            .largest_radius = largest_product(config),
            .radius_of_all = radius_of_merged(config)};
}

std::vector<std::string> describe_growth(const Config& config, const ParticleSummary& particles,
                                         const RunPlan& plan) {
    const GrowthOutlook outlook = growth_outlook(config);
    std::vector<std::string> sentences;
    if (outlook.births > 0) sentences.push_back(sentence_on_births(config, particles, plan, outlook.births));
    if (outlook.largest_radius > particles.largest_radius)
        sentences.push_back(fmt::format("products have radii up to {:.4g}, more than any at the start: {}",
                                        outlook.largest_radius,
                                        room_for(config, particles, outlook.largest_radius)));
    if (outlook.radius_of_all > particles.largest_radius)
        sentences.push_back(
            fmt::format("all that coalesce, merged into one, have a radius of about {:.4g}: {}",
                        outlook.radius_of_all, room_for(config, particles, outlook.radius_of_all)));
    if (const auto steps = sentence_on_steps(config)) sentences.push_back(*steps);
    return sentences;
}

}  // namespace ricochet
