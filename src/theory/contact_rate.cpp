// SPDX-License-Identifier: BSD-3-Clause
#include "theory/contact_rate.hpp"

#include <algorithm>

#include "theory/hard_sphere_theory.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

/// Whether the formulas for an equilibrium fluid hold, apart from walls.
bool is_known_fluid(const Config& config) {
    return is_thermal_fluid(config) && is_elastic(config) && !has_changing_particles(config);
}

}  // namespace

double freezing_fraction(int dimension) { return dimension == 2 ? 0.70 : 0.494; }

double melting_fraction(int dimension) { return dimension == 2 ? 0.72 : 0.545; }

bool is_thermal_fluid(const Config& config) {
    return config.placement.method != PlacementMethod::file && !is_driven(config) &&
           num_particles(config) >= 2 && volume_fraction(config) <= freezing_fraction(config.box.dimension);
}

bool is_elastic(const Config& config) {
    const auto rules = restitution_of_pairs(config);
    return std::all_of(rules.begin(), rules.end(), [](const auto& rule) { return rule.restitution == 1; });
}

std::optional<double> expected_contact_rate(const Config& config, double thermal_energy) {
    if (!is_periodic(config)) return std::nullopt;
    return estimated_contact_rate(config, thermal_energy);
}

std::optional<double> estimated_contact_rate(const Config& config, double thermal_energy) {
    if (!is_known_fluid(config)) return std::nullopt;
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
