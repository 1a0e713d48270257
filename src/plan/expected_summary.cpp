// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <vector>

#include "model/world_facts.hpp"
#include "plan/plan.hpp"
#include "plan/step_fit.hpp"
#include "theory/contact_rate.hpp"
#include "theory/hard_sphere_theory.hpp"
#include "theory/reaction_reach.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

double thermal_step(const Config& config, const SizeClass& c) {
    return std::sqrt(config.dynamics.kT / c.mass) * config.run.timestep;
}

/// The value that `number` particles are expected to exceed; count(value) decreases.
template <class Count>
double value_exceeded_by(double number, double upper, Count&& count) {
    double low = 0;
    double high = upper;
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2;
        (count(middle) > number ? low : high) = middle;
    }
    return low;
}

/// The expected number of particles with x > value. Here x is `radius_weight` times the radius plus the
/// displacement in a step.
double count_beyond(const Config& config, const std::vector<SizeClass>& classes, double radius_weight,
                    double value) {
    double sum = 0;
    for (const SizeClass& c : classes) {
        const double step = thermal_step(config, c), beyond = value - radius_weight * c.radius;
        const double share =
            step > 0 ? share_faster_than(config.box.dimension, beyond / step) : (beyond < 0 ? 1 : 0);
        sum += c.number_density * share;
    }
    return sum * room_volume(config);
}

/// Calls add() once or twice, for the one or two particles that represent a kind with that many.
template <class Add>
void for_two_of(double count, Add&& add) {
    if (count >= 0.5) add();
    if (count >= 1.5) add();
}

void add_largest(const Config& config, const std::vector<SizeClass>& classes, ParticleSummary& summary) {
    std::vector<BrownianReach> radii, reaches;
    for (const Species& species : config.species)
        for_two_of(static_cast<double>(species.count), [&] {
            radii.push_back({largest_radius(species), 0});
        });
    for (const BrownianReach& one : radii)
        summary.largest_radius = std::max(summary.largest_radius, one.radius);
    summary.two_largest_radii = two_widest(radii).radius;
    if (config.dynamics.type != DynamicsType::brownian) return;
    for (const SizeClass& c : classes)
        for_two_of(c.number_density * room_volume(config), [&] {
            reaches.push_back({c.radius, thermal_step(config, c)});
        });
    summary.two_widest = two_widest(reaches);
}

ParticleSummary summary_of_classes(const Config& config, const std::vector<SizeClass>& classes) {
    ParticleSummary summary;
    summary.num_particles = num_particles(world_of(config));
    add_largest(config, classes, summary);
    double longest_step = 0;
    for (const SizeClass& c : classes) {
        longest_step = std::max(longest_step, thermal_step(config, c));
        const double share =
            c.number_density * room_volume(config) / static_cast<double>(summary.num_particles);
        summary.mean_radius += share * c.radius;
        summary.mean_reach +=
            share * (c.radius + mean_thermal_speed(config.box.dimension) * thermal_step(config, c) / 2);
    }
    const double upper = summary.largest_radius + 40 * longest_step;
    const auto exceeded_by = [&](double number, double radius_weight) {
        return value_exceeded_by(
            number, upper, [&](double value) { return count_beyond(config, classes, radius_weight, value); });
    };
    summary.largest_displacement = exceeded_by(0.5, 0);
    summary.two_largest_extents = exceeded_by(0.5, 1) + (summary.num_particles > 1 ? exceeded_by(1.5, 1) : 0);
    return summary;
}

}  // namespace

ParticleSummary expected_summary(const Config& config) {
    const World world = world_of(config);
    ParticleSummary summary = summary_of_classes(config, size_classes(world));
    summary.fraction = volume_fraction(world);
    if (const auto rate = estimated_contact_rate(config, config.dynamics.kT))
        summary.contacts_per_step = *rate * config.run.timestep;
    summary.reach = largest_reaction_reach(world);
    divide_long_steps(config, summary);
    return summary;
}

}  // namespace ricochet
