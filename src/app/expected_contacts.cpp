// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/app/hard_sphere_theory.hpp"
#include "ricochet/app/plan.hpp"
#include "ricochet/core/size_distribution.hpp"
#include "ricochet/dynamics/brownian.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t num_draws = 64;

/// Equally likely radii that stand for the species.
std::vector<double> typical_radii(const Species& species, std::uint64_t seed) {
    if (!species.radius_distribution) return {species.radius};
    std::vector<double> radii;
    for (std::uint64_t k = 0; k < num_draws; ++k) radii.push_back(radius_of(species, seed, k));
    return radii;
}

double response_mass(const Config& config, const Species& species, double radius) {
    if (config.dynamics.type == DynamicsType::ballistic) return species.mass;
    return effective_mass(config.dynamics.kT, config.run.timestep, diffusion_of(species, radius));
}

std::vector<SizeClass> size_classes(const Config& config) {
    std::vector<SizeClass> classes;
    for (const Species& species : config.species) {
        if (species.count == 0) continue;
        const auto radii = typical_radii(species, config.run.seed);
        const double density = static_cast<double>(species.count) / config.box.volume();
        for (const double radius : radii)
            classes.push_back({density / static_cast<double>(radii.size()), radius,
                               response_mass(config, species, radius)});
    }
    return classes;
}

bool is_elastic(const Config& config) {
    const auto rules = restitution_of_pairs(config);
    return std::all_of(rules.begin(), rules.end(), [](const auto& rule) { return rule.restitution == 1; });
}

/// Beyond these the fluid freezes or jams, and the formulas of the fluid do not hold.
double freezing_fraction(int dimension) { return dimension == 2 ? 0.69 : 0.49; }

ParticleSummary summary_of_classes(const Config& config, const std::vector<SizeClass>& classes) {
    ParticleSummary summary;
    summary.num_particles = num_particles(config);
    for (const Species& species : config.species)
        if (species.count > 0)
            summary.largest_radius = std::max(summary.largest_radius, largest_radius(species));
    std::vector<double> extents;
    for (const SizeClass& c : classes) {
        const double count = c.number_density * config.box.volume();
        const double displacement = std::sqrt(config.dynamics.kT / c.mass) *
                                    largest_thermal_speed(config.box.dimension, count) * config.run.timestep;
        summary.largest_displacement = std::max(summary.largest_displacement, displacement);
        extents.insert(extents.end(), count > 1.5 ? 2 : 1, c.radius + displacement);
    }
    std::sort(extents.rbegin(), extents.rend());
    for (std::size_t k = 0; k < std::min<std::size_t>(2, extents.size()); ++k)
        summary.two_largest_extents += extents[k];
    return summary;
}

}  // namespace

ParticleSummary expected_summary(const Config& config) {
    ParticleSummary summary = summary_of_classes(config, size_classes(config));
    summary.fraction = volume_fraction(config);
    if (const auto rate = expected_contact_rate(config, config.dynamics.kT))
        summary.contacts_per_step = *rate * config.run.timestep;
    return summary;
}

std::optional<double> expected_contact_rate(const Config& config, double kT) {
    const bool is_known = config.placement.method != PlacementMethod::file && is_elastic(config);
    if (!is_known || num_particles(config) < 2) return std::nullopt;
    if (volume_fraction(config) > freezing_fraction(config.box.dimension)) return std::nullopt;
    const auto classes = size_classes(config);
    return contact_rate_density(config.box.dimension, classes, kT) * config.box.volume();
}

bool is_equal_particle_system(const Config& config) {
    const auto has_particles = [](const Species& s) { return s.count > 0; };
    return std::count_if(config.species.begin(), config.species.end(), has_particles) == 1 &&
           std::none_of(config.species.begin(), config.species.end(),
                        [](const Species& s) { return s.radius_distribution.has_value(); });
}

bool is_periodic(const Config& config) {
    for (int axis = 0; axis < config.box.dimension; ++axis)
        if (!config.box.is_periodic(axis)) return false;
    return true;
}

}  // namespace ricochet
