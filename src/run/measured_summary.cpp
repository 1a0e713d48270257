// SPDX-License-Identifier: BSD-3-Clause
#include "run/measured_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "parallel/collectives.hpp"
#include "plan/step_fit.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/step_limits.hpp"
#include "theory/reaction_reach.hpp"

namespace ricochet {
namespace {

/// Adds count, fraction, mean radius and mean reach. Sums over the ranks are taken of integers, in billionths
/// of the box. This is accurate enough for a plan, and depends on the number of ranks in the last digit only.
void add_means(Exchange& exchange, const World& world, const Particles& particles, ParticleSummary& summary) {
    double filled = 0;
    double radii = 0;
    double reach = 0;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const double radius = particles.attributes[k].radius;
        const Species& species = world.species[particles.attributes[k].species];
        const bool is_sphere = species.corners.empty();
        filled += is_sphere ? content(radius, world.box.dimension) : species.content;
        radii += radius;
        reach += radius + norm(particles.motion[k].velocity) * world.timestep / 2;
    }
    std::array<std::int64_t, 4> sums{
        static_cast<std::int64_t>(particles.size()), std::llround(1e9 * filled / room_volume(world)),
        std::llround(1e9 * reach / world.box.size.x), std::llround(1e9 * radii / world.box.size.x)};
    exchange.sum(sums);
    summary.num_particles = static_cast<std::uint64_t>(sums[0]);
    summary.fraction = 1e-9 * static_cast<double>(sums[1]);
    if (sums[0] == 0) return;
    const double unit = 1e-9 * world.box.size.x / static_cast<double>(sums[0]);
    summary.mean_reach = unit * static_cast<double>(sums[2]);
    summary.mean_radius = unit * static_cast<double>(sums[3]);
}

/// Adds the two largest particles of all ranks, and the two with the largest extent in a Brownian step.
void add_largest(Exchange& exchange, const World& world, const Particles& particles,
                 ParticleSummary& summary) {
    std::vector<BrownianReach> radii, reaches;
    const auto keep_two = [](std::vector<BrownianReach>& kept, const BrownianReach& another) {
        kept.push_back(another);
        std::sort(kept.begin(), kept.end(),
                  [](const auto& a, const auto& b) { return b.extent() < a.extent(); });
        if (kept.size() > 2) kept.pop_back();
    };
    for (const Attributes& matter : particles.attributes) {
        keep_two(radii, {matter.radius, 0});
        const double speed = matter.rests() ? 0 : std::sqrt(world.bath_energy.value_or(0) / matter.mass);
        if (world.bath_energy) keep_two(reaches, {matter.radius, speed * world.timestep});
    }
    summary.two_largest_radii = two_widest(all_gather_records<BrownianReach>(exchange, radii)).radius;
    summary.two_widest = two_widest(all_gather_records<BrownianReach>(exchange, reaches));
}

void add_reach(Exchange& exchange, const World& world, const Particles& particles, ParticleSummary& summary) {
    double reach = largest_reaction_reach(world);
    if (reach > 0)
        for (const Attributes& of : particles.attributes)
            reach = std::max(reach, reaction_reach(world, of.species, of.radius, of.mass));
    exchange.max(std::span(&reach, 1));
    summary.reach = reach;
}

}  // namespace

ParticleSummary measured_summary(Exchange& exchange, const Config& config, const Particles& particles) {
    const World world = world_of(config);
    ParticleSummary summary;
    try {
        const PathBounds path_bounds = bounds_of_paths(particles, world.timestep, world.box);
        const StepLimits limits = agree_on_limits(exchange, path_bounds, world.box, false);
        summary.largest_radius = limits.max_radius;
        summary.largest_displacement = limits.max_displacement;
        summary.two_largest_extents = limits.two_largest_extents;
    } catch (const RunError& error) {
        throw InputError(config.input_name + ": " + error.what());
    }
    add_largest(exchange, world, particles, summary);
    add_means(exchange, world, particles, summary);
    add_reach(exchange, world, particles, summary);
    divide_long_steps(config, summary);
    return summary;
}

}  // namespace ricochet
