// SPDX-License-Identifier: BSD-3-Clause
//
// Starts of spheres without order, beside bodies or without: at random, or dense where random placement ends.
//
// Random placement is tried where its fraction is within reach. It is known beforehand whether it succeeds only without
// bodies: these take more room from centres than from volumes. Where it ends without room the start is a dense one, and
// the notes say so.
#pragma once

#include "placement/placement.hpp"
#include "placement/population.hpp"
#include "placement/start_sizes.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Places the population at random, or densely. Collective. Throws InputError, the same on all ranks, where it cannot
/// be packed.
Placement random_or_dense(const World& world, const Population& population, const Sizes& sizes,
                          Exchange& exchange);

/// Places it densely. Collective. Throws as above.
Placement densely(const World& world, const Population& population, const Sizes& sizes, Exchange& exchange);

/// Predict what these do. They try where the sizes do not decide, unless there are very many. Collective. Throw
/// InputError where those do.
PlacementForecast foreseen_random(const World& world, const Population& population, const Sizes& sizes,
                                  Exchange& exchange);
PlacementForecast foreseen_dense(const World& world, const Population& population, const Sizes& sizes,
                                 Exchange& exchange);

/// Whether a dense start is equilibrated: in that all bounce, so that those which pass must not overlap.
bool may_equilibrate(const World& world, const Population& population);

/// What is placed is what was foreseen.
PlacementForecast forecast_of(const Placement& placement, double cpu_seconds);

/// A forecast tries no start of more particles.
constexpr std::uint64_t most_tried = 100'000;

}  // namespace ricochet
