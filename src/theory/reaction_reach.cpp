// SPDX-License-Identifier: BSD-3-Clause
#include "theory/reaction_reach.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/brownian.hpp"
#include "model/size_distribution.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

bool is_partner(const PairRule& rule, SpeciesIndex species) {
    return rule.b != wall_species && (rule.a == species || rule.b == species);
}

/// Brownian reactions without a rate have an infinite one.
bool is_rated(const PairRule& rule) { return rule.react || rule.coalesce || rule.stick; }

double reach_of_rates(const Config& config, SpeciesIndex species, double mass) {
    constexpr double spreads = 2.27;  // of the step along an axis (contact/rules.cpp)
    if (config.dynamics.type != DynamicsType::brownian) return 0;
    for (const PairRule& rule : config.contacts.pairs)
        if (is_partner(rule, species) && is_rated(rule))
            return spreads * std::sqrt(config.dynamics.kT / mass) * config.run.timestep;
    return 0;
}

double reach_of_tethers(const Config& config, SpeciesIndex species, double radius) {
    double longest = 1;
    for (const PairRule& rule : config.contacts.pairs)
        if (is_partner(rule, species) && rule.stick) longest = std::max(longest, rule.stick->length);
    return (longest - 1) * radius;
}

}  // namespace

double reaction_reach(const Config& config, SpeciesIndex species, double radius, double mass) {
    return std::max(reach_of_rates(config, species, mass), reach_of_tethers(config, species, radius));
}

double largest_reaction_reach(const Config& config) {
    double largest = 0;
    for (SpeciesIndex s = 0; s < config.species.size(); ++s) {
        const Species& species = config.species[s];
        largest = std::max(largest, reach_of_tethers(config, s, largest_radius(species)));
        const bool is_of_no_size =
            species.count == 0 && species.radius_distribution;  // products take none of it
        if (config.dynamics.type != DynamicsType::brownian || is_of_no_size) continue;
        for (const auto& [radius, weight] : typical_radii(config, s)) {
            const double mass =
                effective_mass(config.dynamics.kT, config.run.timestep, diffusion_of(species, radius));
            largest = std::max(largest, reach_of_rates(config, s, mass));
        }
    }
    return largest;
}

}  // namespace ricochet
