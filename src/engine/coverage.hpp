// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine must know of the slab that it works on, and what it says of the paths in it.
#pragma once

#include <optional>
#include <span>

#include "engine/holders.hpp"
#include "engine/path_reach.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// The part of the box that the local set covers, in midpoint space (geometry/path.hpp).
struct Coverage {
    bool is_whole_box = true;  ///< one rank: no faces, no halo
    double lower = 0;          ///< slab [lower, upper) along x; -infinity where there is no neighbour below
    double upper = 0;          ///< +infinity where there is no neighbour above
    double halo_width = 0;     ///< copies have their midpoint within this distance above the slab
    NeighbourMask lower_ranks = 0;  ///< the neighbours with smaller rank numbers than this one
    PathReach straight;             ///< of the owned particles' paths without contacts
};

/// How far the owned particles' paths of a step lead, by which the halo is verified. Only what the engine has
/// seen so far, also in runs that did not stand.
struct SweptPaths {
    const PathReach& reach;  ///< beyond the faces of the slab
    /// Spheres that hold the whole paths, by slot. None where the engine keeps no such spheres, as when it
    /// has searched the step in several intervals.
    std::optional<std::span<const BoundingSphere>> spheres;
};

}  // namespace ricochet
