// SPDX-License-Identifier: BSD-3-Clause
//
// A start that grows (run/growth.hpp): whether it is possible, what it says of itself, and what it costs.
#pragma once

#include "placement/placement.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// How a start grows.
struct GrowthOptions {
    double rate = 0;  ///< speed at which the largest diameter grows, in units of the thermal speed sqrt(kT/m)
    double from = 0;  ///< the volume (area) fraction at which growth begins; random placement goes so far
};

/// Places the particles of all species at random at a small size, and lets them grow. Species that pass through each
/// other bounce meanwhile. Collective. Throws InputError, the same on all ranks, when particles jam before they have
/// grown. Likewise when they are too large for the box or for unique nearest images.
/// Requires: rate and from are positive.
Placement place_by_growth(const World& world, const GrowthOptions& options, Exchange& exchange);

/// Predicts what place_by_growth will do, without trying it. Where equal particles may jam, the notes say so.
/// Collective. Throws InputError where the sizes or fractions make it useless.
PlacementForecast foresee_growth(const World& world, const GrowthOptions& options, Exchange& exchange);

}  // namespace ricochet
