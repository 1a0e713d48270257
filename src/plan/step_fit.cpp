// SPDX-License-Identifier: BSD-3-Clause
#include "plan/step_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/box_fit.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/step_limits.hpp"
#include "slabs/step_part.hpp"

namespace ricochet {
namespace {

/// `extent`: of two particles, with the reach of their reactions.
std::string of_reactions(const ParticleSummary& particles, double extent) {
    if (particles.reach == 0) return "";
    return fmt::format(" and {:.6g} with what reactions and tethers reach beyond surfaces", extent);
}

void require_short_brownian_steps(const Config& config, const ParticleSummary& particles) {
    const BrownianReach& two = particles.two_widest;
    const double extent = two.extent() + 2 * particles.reach;
    for (int axis = 0; axis < config.box.dimension; ++axis) {
        const double half = 0.5 * config.box.size[axis];
        if (!config.box.is_periodic(axis) || half > extent) continue;
        const double shrunk = (half - two.radius) / (extent - two.radius);
        throw InputError(fmt::format(
            "{}: run.timestep: got {:.6g}, too long for the box: half of its length along {} is {:.6g}, but "
            "two particles take up {:.6g} with 6 standard deviations of their Brownian steps{}; choose less "
            "than {:.3g}, or a larger box",
            config.timestep_place.text, config.run.timestep, "xyz"[axis], half, two.extent(),
            of_reactions(particles, extent), config.run.timestep * shrunk * shrunk));
    }
}

/// A part costs almost as much as a whole step.
void require_few_parts(const Config& config, const ParticleSummary& particles) {
    constexpr std::uint64_t most_parts = 1 << 20;
    if (particles.num_parts <= most_parts) return;
    throw InputError(
        fmt::format("{}: run.timestep: got {:.6g}, so long that particles cross the box millions of times in "
                    "a step; choose "
                    "at most {:.3g}, which takes no more than half of it",
                    config.timestep_place.text, config.run.timestep,
                    config.run.timestep / static_cast<double>(particles.num_parts)));
}

}  // namespace

BrownianReach two_widest(std::span<const BrownianReach> particles) {
    BrownianReach first, second;
    for (const BrownianReach& one : particles) {
        if (one.extent() > second.extent()) second = one;
        if (second.extent() > first.extent()) std::swap(first, second);
    }
    return {first.radius + second.radius, first.deviation + second.deviation};
}

void divide_long_steps(const Config& config, ParticleSummary& summary) {
    const double radii = std::min(summary.two_largest_radii, summary.two_largest_extents) + 2 * summary.reach;
    const auto in_part = [](double whole, double at_rest, double parts) {
        return at_rest + (whole - at_rest) / parts;
    };
    double parts = 1, extent = summary.two_largest_extents + 2 * summary.reach;
    const double whole_step = extent;
    while (!has_nearest_images(config.box, {extent, extent, extent}) &&
           summary.num_parts < std::uint64_t{1} << StepPart::most_halvings) {
        summary.num_parts *= 2;
        parts = static_cast<double>(summary.num_parts);
        extent = in_part(whole_step, radii, parts);
    }
    summary.two_largest_extents = extent - 2 * summary.reach;
    summary.largest_displacement /= parts;
    summary.mean_reach = in_part(summary.mean_reach, summary.mean_radius, parts);
}

void require_unique_images(const Config& config, const ParticleSummary& particles) {
    const double second = particles.two_largest_radii - particles.largest_radius;
    const auto problems = size_problems(config.box, particles.largest_radius, second);
    const char* const where =
        config.placement.until_pressure
            ? "; this is the box of placement.until_pressure, which more particles, or edges "
              "less unequal, make larger"
            : "";
    if (!problems.empty()) throw InputError(config.box_size_place.text + ": " + problems.front() + where);
    if (particles.two_widest.deviation > 0) require_short_brownian_steps(config, particles);
    require_few_parts(config, particles);
}

}  // namespace ricochet
