// SPDX-License-Identifier: BSD-3-Clause
//
// How far beyond its surface a particle reacts or is tethered, as the engine will find it (ContactRules::reach). The
// halo and the least size of the box grow by it. A test holds it against the rules of contacts.
#pragma once

#include "ricochet/model/world.hpp"

namespace ricochet {

/// The reach of a particle of this species, radius and mass, a length. The mass is the effective one where particles
/// are Brownian. 0 for a species without rates and tethers.
double reaction_reach(const World& world, SpeciesIndex species, double radius, double mass);

/// The largest reach of all species, those included that the start does not have.
double largest_reaction_reach(const World& world);

}  // namespace ricochet
