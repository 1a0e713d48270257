// SPDX-License-Identifier: BSD-3-Clause
#include "theory/reaction_reach.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/brownian.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

/// Brownian reactions without a rate have an infinite one.
bool is_rated(const ContactRule& rule) {
    return std::holds_alternative<React>(rule) || std::holds_alternative<Coalesce>(rule) ||
           std::holds_alternative<Stick>(rule);
}

/// visit(rule) for all by which the species meets others.
template <class Visit>
void for_each_rule_of(const World& world, SpeciesIndex species, Visit&& visit) {
    visit(world.pair_rule);
    for (const SpeciesRule& of : world.rules)
        if (of.b != wall_species && (of.a == species || of.b == species)) visit(of.rule);
}

double reach_of_rates(const World& world, SpeciesIndex species, double mass) {
    constexpr double spreads = 2.27;  // of the step along an axis (contact/rules.cpp)
    if (!world.bath_energy || world.species[species].frozen_axes == all_axes) return 0;
    bool reacts = false;
    for_each_rule_of(world, species, [&](const ContactRule& rule) { reacts = reacts || is_rated(rule); });
    return reacts ? spreads * std::sqrt(*world.bath_energy / mass) * world.timestep : 0;
}

double reach_of_tethers(const World& world, SpeciesIndex species, double radius) {
    double longest = 1;
    for_each_rule_of(world, species, [&](const ContactRule& rule) {
        if (const Stick* const stick = std::get_if<Stick>(&rule)) longest = std::max(longest, stick->length);
    });
    return (longest - 1) * radius;
}

}  // namespace

double reaction_reach(const World& world, SpeciesIndex species, double radius, double mass) {
    return std::max(reach_of_rates(world, species, mass), reach_of_tethers(world, species, radius));
}

double largest_reaction_reach(const World& world) {
    double largest = 0;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
        const Species& species = world.species[s];
        largest = std::max(largest, reach_of_tethers(world, s, largest_radius(species)));
        const bool is_of_no_size =
            species.count == 0 && species.radius_distribution;  // products take none of it
        if (!world.bath_energy || is_of_no_size) continue;
        for (const auto& [radius, weight] : typical_radii(world, s)) {
            const double mass =
                effective_mass(*world.bath_energy, world.timestep, diffusion_of(species, radius));
            largest = std::max(largest, reach_of_rates(world, s, mass));
        }
    }
    return largest;
}

}  // namespace ricochet
