// SPDX-License-Identifier: BSD-3-Clause
//
// Starts of particles of which some are no spheres: at random and on lattices, as close as the gaps between shapes
// allow. They may touch, but not on all sides. There is no dense start: soft repulsion knows spheres only.
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

/// Throws InputError, the same on all ranks, where random placement ends without room. Collective.
/// Requires: has_shapes(world).
Placement shapes_at_random(const World& world, const Population& population, const Sizes& sizes,
                           Exchange& exchange);

/// What the log says of such a start.
std::string note_of_shapes(const World& world, const Sizes& sizes, std::uint64_t count);

/// The lattice for this many particles. Throws InputError where two of them overlap on it. O(species^2 neighbours).
/// Requires: has_shapes(world).
NotedLattice lattice_of_shapes(LatticeKind kind, const World& world, std::uint64_t count, const Sizes& sizes);

}  // namespace ricochet
