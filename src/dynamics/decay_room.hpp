// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the products of decays have room: places that particles of any rank would overlap.
//
// A place is occupied if its product would overlap a particle that it does not pass. The same holds for a product that
// another decay of this half wants. If two such decays conflict, the parent with the lower id keeps its places. It does
// so even if its own decay then has no room. So one round decides all, and nothing depends on an order.
//
// Algorithm: a rank sends each place to the ranks whose particles, or wanted places, it may overlap. These ranks test
// it and name it to its rank if it is occupied. On each rank the places are in a grid, and the particles search it:
// places are few, particles many.
//
// Invariant: nothing is assumed of where the particles of a rank are. Each rank says which stretch of the x axis they
// occupy. After a drift, and after a start, particles lie beyond the faces of their slabs.
//
// Cost: two passes over the particles, and four collectives, where some decay of any rank asks for room; else one sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/sphere_grid.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Where a product would be.
struct WantedPlace {
    Sphere sphere;             ///< id: the parent's
    SpeciesIndex species = 0;  ///< of the product
    bool asks = false;         ///< false: the decay happens whether or not there is room
};

/// result[k]: whether places[k] asks for room and is occupied; empty where none of any rank asks. Collective.
std::vector<bool> find_occupied(Exchange& exchange, const Box& box, const ContactRules& rules,
                                std::span<const WantedPlace> places, const Particles& owned);

}  // namespace ricochet
