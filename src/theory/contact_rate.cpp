// SPDX-License-Identifier: BSD-3-Clause
#include "theory/contact_rate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/world_facts.hpp"
#include "theory/hard_sphere_theory.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

/// Whether the formulas for an equilibrium fluid hold, apart from walls.
bool is_known_fluid(const Config& config, const World& world) {
    return is_thermal_fluid(config) && is_elastic(world) && !has_changing_particles(world);
}

}  // namespace

double freezing_fraction(int dimension) { return dimension == 2 ? 0.70 : 0.494; }

double melting_fraction(int dimension) { return dimension == 2 ? 0.72 : 0.545; }

bool is_thermal_fluid(const Config& config) {
    const World world = world_of(config);
    return config.placement.method != PlacementMethod::file && !is_driven(config) && !config.self_gravity &&
           !has_frozen_axes(world) && !has_shapes(world) && num_particles(world) >= 2 &&
           volume_fraction(world) <= freezing_fraction(world.box.dimension);
}

bool is_elastic(const World& world) {
    const auto rules = restitution_of_pairs(world);
    return std::all_of(rules.begin(), rules.end(),
                       [](const auto& rule) { return rule.restitution.is_elastic(); });
}

std::optional<double> expected_contact_rate(const Config& config, double thermal_energy) {
    if (!is_bulk(world_of(config))) return std::nullopt;
    return estimated_contact_rate(config, thermal_energy);
}

std::optional<double> estimated_contact_rate(const Config& config, double thermal_energy) {
    const World world = world_of(config);
    if (!is_known_fluid(config, world)) return std::nullopt;
    const auto classes = size_classes(world);
    return contact_rate_density(world.box.dimension, classes, thermal_energy) * room_volume(world);
}

/// A contact of a pair of reduced mass m/2 at distance s adds s sqrt(pi m kT) to the virial, in the mean.
double contact_rate_at_pressure(const Config& config, double pressure, double thermal_energy) {
    const World world = world_of(config);
    double count = 0, radii = 0, masses = 0;
    for (const SizeClass& of : size_classes(world)) {
        count += of.number_density;
        radii += of.number_density * of.radius;
        masses += of.number_density * of.mass;
    }
    const double mean_virial =
        2 * radii / count * std::sqrt(std::numbers::pi * masses / count * thermal_energy);
    return (pressure - 1) * world.box.dimension * static_cast<double>(num_particles(world)) * thermal_energy /
           mean_virial;
}

bool is_equal_particle_system(const World& world) {
    const auto has_particles = [](const Species& s) { return s.count > 0; };
    return std::count_if(world.species.begin(), world.species.end(), has_particles) == 1 &&
           std::none_of(world.species.begin(), world.species.end(),
                        [](const Species& s) { return s.radius_distribution.has_value(); });
}

bool is_bulk(const World& world) {
    if (!world.bodies.empty() || !(world.gravity == Vec3{}) || world.self_gravity) return false;
    for (int axis = 0; axis < world.box.dimension; ++axis)
        if (!world.box.is_periodic(axis)) return false;
    return true;
}

}  // namespace ricochet
