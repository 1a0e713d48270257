// SPDX-License-Identifier: BSD-3-Clause
//
// Drops that flow together: radius by volume (discs: by area), mass by the sum. A Brownian drop diffuses as its
// species says, by its new radius where the species follows Stokes and Einstein. A drop that rests continues whatever
// it weighs.
#include <cmath>
#include <stdexcept>

#include "contact/encounter.hpp"
#include "core/math.hpp"
#include "model/size_distribution.hpp"

namespace ricochet {
namespace {

double radius_of_both(double low, double high, int dimension) {
    if (dimension == 2) return std::sqrt(low * low + high * high);
    return fixed::cube_root(low * low * low + high * high * high);
}

}  // namespace

ContactOutcome outcome(const Coalesce& /*rule*/, const PairContact& contact) {
    if (contact.rated && !contact.rated->reacts) return outcome(Bounce{}, contact);
    const ContactRules& rules = *contact.setting.rules;
    const Attributes& low = contact.attributes_low;
    const Attributes& high = contact.attributes_high;
    const bool low_continues = low.rests() || (!high.rests() && low.mass >= high.mass);
    const SpeciesIndex species = low_continues ? low.species : high.species;
    const double radius = radius_of_both(low.radius, high.radius, rules.dimension());
    const double diffusion = diffusion_of(rules.species(species), radius);
    ContactOutcome outcome = merged(contact, low_continues,
                                    {.radius = radius,
                                     .mass = mass_with(rules, diffusion, low.mass + high.mass),
                                     .diffusion = diffusion,
                                     .species = species,
                                     .frozen_axes = (low_continues ? low : high).frozen_axes});
    outcome.effect = ContactEffect::coalesce;
    return outcome;
}

ContactOutcome outcome(const Coalesce& /*rule*/, const ObstacleContact& /*contact*/) {
    throw std::logic_error("a wall does not coalesce");
}

}  // namespace ricochet
