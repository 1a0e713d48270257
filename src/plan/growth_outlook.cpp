// SPDX-License-Identifier: BSD-3-Clause
#include "plan/growth_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/readable.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "plan/mean_numbers.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

double largest_product(const World& world) {
    double largest = 0;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        if (is_product(world, s)) largest = std::max(largest, largest_radius(world.species[s]));
    return largest;
}

/// Mean of radius^power over a species.
double mean_power(const Species& species, int power) {
    return species.radius_distribution ? mean_power_of_radius(*species.radius_distribution, power)
                                       : std::pow(species.radius, power);
}

double radius_of_merged(const World& world) {
    const int dimension = world.box.dimension;
    std::vector<bool> coalesces(world.species.size());
    for (const SpeciesRule& of : world.rules)
        if (std::holds_alternative<Coalesce>(of.rule)) coalesces[of.a] = coalesces[of.b] = true;
    double sum = 0;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        if (coalesces[s])
            sum += static_cast<double>(world.species[s].count) * mean_power(world.species[s], dimension);
    return std::pow(sum, 1.0 / dimension);
}

/// Rows of frames that no particle is in any more, or yet, are packed to next to nothing.
std::string text_on_frames(const Config& config, const RunPlan& plan, const MeanNumbers& means) {
    if (plan.num_frames == 0) return "";
    const double first = static_cast<double>(num_particles(world_of(config)));
    const double bytes_per_row = static_cast<double>(frame_bytes(config, 1));
    const bool is_packed = config.output.compression == OutputCompression::gzip;
    const double rows = is_packed ? means.over_run : first + means.births_so_far;
    return fmt::format(", and frames of about {} in all ({})",
                       in_bytes(static_cast<double>(plan.num_frames) * rows * bytes_per_row),
                       is_packed
                           ? "gzip packs rows of particles that have ended or are to come"
                           : "a particle that has ended keeps its row; output.compression: gzip packs it");
}

std::string sentence_on_births(const Config& config, const ParticleSummary& particles, const RunPlan& plan,
                               const MeanNumbers& means) {
    if (means.births >= most_births)
        return fmt::format("decays would make more than {:.0e} new particles", most_births);
    std::string text = fmt::format(
        "decays make about {:.4g} new particles by the end of the run, by the mean rates of decays and "
        "reactions",
        means.births);
    if (means.full_at)
        text += fmt::format("; at time {:.4g} the box is full, and the run ends in contacts without end",
                            *means.full_at);
    ParticleSummary grown = particles;
    grown.num_particles = static_cast<std::uint64_t>(
        std::llround(std::max(means.at_end, static_cast<double>(particles.num_particles))));
    try {
        const RunPlan at_end = make_plan(config, grown, plan.num_ranks);
        text += fmt::format(": then about {} of memory per rank", in_bytes(at_end.bytes_per_rank));
        text += text_on_frames(config, plan, means);
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
BrownianReach two_widest_products(const World& world) {
    BrownianReach widest;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
        if (!is_product(world, s)) continue;
        const double radius = largest_radius(world.species[s]);
        const double deviation = std::sqrt(2 * diffusion_of(world.species[s], radius) * world.timestep);
        const BrownianReach two{2 * radius, 2 * deviation};
        if (two.extent() > widest.extent()) widest = two;
    }
    return widest;
}

/// Where Brownian steps of products do not fit into the box; those of the start do. None where all fit.
std::optional<std::string> sentence_on_steps(const World& world) {
    if (!world.bath_energy) return std::nullopt;
    const BrownianReach two = two_widest_products(world);
    for (int axis = 0; axis < world.box.dimension; ++axis) {
        const double half = 0.5 * world.box.size[axis];
        if (!world.box.is_periodic(axis) || half > two.extent()) continue;
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
    const World world = world_of(config);
    return {.births = has_births(world) ? mean_numbers(config).births : 0,
            .largest_radius = largest_product(world),
            .radius_of_all = radius_of_merged(world)};
}

std::vector<std::string> describe_growth(const Config& config, const ParticleSummary& particles,
                                         const RunPlan& plan) {
    const GrowthOutlook outlook = growth_outlook(config);
    std::vector<std::string> sentences;
    if (outlook.births > 0)
        sentences.push_back(sentence_on_births(config, particles, plan, mean_numbers(config)));
    if (outlook.largest_radius > particles.largest_radius)
        sentences.push_back(fmt::format("products have radii up to {:.4g}, more than any at the start: {}",
                                        outlook.largest_radius,
                                        room_for(config, particles, outlook.largest_radius)));
    if (outlook.radius_of_all > particles.largest_radius)
        sentences.push_back(
            fmt::format("all that coalesce, merged into one, have a radius of about {:.4g}: {}",
                        outlook.radius_of_all, room_for(config, particles, outlook.radius_of_all)));
    if (const auto steps = sentence_on_steps(world_of(config))) sentences.push_back(*steps);
    return sentences;
}

}  // namespace ricochet
