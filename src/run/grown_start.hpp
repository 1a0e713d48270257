// SPDX-License-Identifier: BSD-3-Clause
//
// A start that grows (run/growth.hpp): whether it is possible, what it says of itself, and what it costs.
#pragma once

#include <optional>
#include <string>

#include "placement/placement.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// How a start grows.
struct GrowthOptions {
    double rate = 0;  ///< speed at which the largest diameter grows, in units of the thermal speed sqrt(kT/m)
    double from = 0;  ///< the volume (area) fraction at which growth begins; random placement goes so far
    /// Growth ends at this reduced pressure p V/(N kT), in a box of the size that this takes. None: at the sizes of
    /// the input, in its box.
    std::optional<double> until_pressure{};
};

/// Places the particles of all species at random at a small size, and lets them grow. Species that pass through each
/// other bounce meanwhile. Collective. Throws InputError, the same on all ranks, when particles jam before they have
/// grown. Likewise when they are too large for the box or for unique nearest images.
/// Requires: rate and from are positive, until_pressure is none.
Placement place_by_growth(const World& world, const GrowthOptions& options, Exchange& exchange);

/// The box whose edges are these times `scale`.
Box scaled_box(const Box& box, double scale);
/// The edge of a cube (square) of this volume (area).
double edge_of(int dimension, double content);
/// "9.5 x 9.5 x 12"
std::string edges_text(const Box& box);

struct FoundPlacement {
    Placement placement;  ///< in this box; particles have the sizes of the input
    FoundBox found;
};

/// The same until the particles have the reduced pressure until_pressure, to two percent, while they rest. The box of
/// the world gives a shape, and how large it becomes is found. Collective. Throws InputError, the same on all ranks,
/// when the pressure is too high for doubles, or is not reached.
/// Requires: rate and from are positive, until_pressure is above 1; bodies are none.
FoundPlacement place_until_pressure(const World& world, const GrowthOptions& options, Exchange& exchange);

/// Predicts what place_by_growth or place_until_pressure will do, without trying it. Where equal particles may jam, the
/// notes say so. Collective. Throws InputError where the sizes or fractions make it useless.
PlacementForecast foresee_growth(const World& world, const GrowthOptions& options, Exchange& exchange);

}  // namespace ricochet
