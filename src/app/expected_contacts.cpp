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

/// Classes that stand for a distribution of radii, equally wide in ln(radius).
constexpr int num_classes = 48;
constexpr double widest = 5;  ///< standard deviations on either side of the median

struct WeightedRadius {
    double radius = 0;
    double weight = 0;  ///< share of the particles
};

std::vector<WeightedRadius> typical_radii(const Species& species) {
    if (!species.radius_distribution) return {{species.radius, 1}};
    const LogNormalRadius& law = *species.radius_distribution;
    const double low = std::max(std::log(law.minimum / law.median) / law.sigma, -widest);
    const double high = std::max(std::min(std::log(law.maximum / law.median) / law.sigma, widest), low);
    std::vector<WeightedRadius> radii;
    double sum = 0;
    for (int k = 0; k < num_classes; ++k) {
        const double y = low + (high - low) * (k + 0.5) / num_classes;
        radii.push_back({law.median * std::exp(law.sigma * y), std::exp(-y * y / 2)});
        sum += radii.back().weight;
    }
    for (WeightedRadius& r : radii) r.weight /= sum;
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
        const double density = static_cast<double>(species.count) / config.box.volume();
        for (const auto& [radius, weight] : typical_radii(species))
            classes.push_back({density * weight, radius, response_mass(config, species, radius)});
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
    // A class that hardly holds a particle does not decide how far particles go.
    const double least_count = std::min(0.5, 0.01 * static_cast<double>(summary.num_particles));
    std::vector<double> extents;
    for (const SizeClass& c : classes) {
        const double count = c.number_density * config.box.volume();
        if (count < least_count) continue;
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

std::optional<double> expected_contact_rate(const Config& config, double thermal_energy) {
    const bool is_known = config.placement.method != PlacementMethod::file && is_elastic(config);
    if (!is_known || num_particles(config) < 2) return std::nullopt;
    if (volume_fraction(config) > freezing_fraction(config.box.dimension)) return std::nullopt;
    const auto classes = size_classes(config);
    return contact_rate_density(config.box.dimension, classes, thermal_energy) * config.box.volume();
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
