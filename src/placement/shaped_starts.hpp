// SPDX-License-Identifier: BSD-3-Clause
//
// Starts of particles of which some are no spheres: at random, densely and on lattices, as close as the gaps between
// shapes allow. On lattices they may touch, but not on all sides.
//
// How dense random placement gets depends on the shapes. So it is tried, but where even cubes would be too dense, and
// where it ends the start is a dense one.
#pragma once

#include <cstdint>
#include <string>

#include "placement/lattice.hpp"
#include "placement/placement.hpp"
#include "placement/population.hpp"
#include "placement/start_sizes.hpp"

namespace ricochet {

struct NotedLattice {
    Lattice lattice;
    std::string note;
};

/// Places the population at random, or densely. Throws InputError, the same on all ranks, where it cannot be packed.
/// Collective. Requires: has_shapes(world).
Placement shapes_at_random(const World& world, const Population& population, const Sizes& sizes,
                           Exchange& exchange);

/// Places it densely. Throws as above. Collective. Requires: has_shapes(world).
Placement shapes_densely(const World& world, const Population& population, const Sizes& sizes,
                         Exchange& exchange);

/// Predict what these do. They try, unless there are very many. Collective. Throw InputError where those do.
PlacementForecast foreseen_shapes_at_random(const World& world, const Population& population,
                                            const Sizes& sizes, Exchange& exchange);
PlacementForecast foreseen_shapes_densely(const World& world, const Population& population,
                                          const Sizes& sizes, Exchange& exchange);

/// The lattice for this many particles. Throws InputError where two of them overlap on it. O(species^2 neighbours).
/// Requires: has_shapes(world).
NotedLattice lattice_of_shapes(LatticeKind kind, const World& world, std::uint64_t count, const Sizes& sizes);

}  // namespace ricochet
