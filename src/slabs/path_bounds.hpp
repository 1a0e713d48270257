// SPDX-License-Identifier: BSD-3-Clause
//
// One pass over all paths of a step before it begins. It finds what the limits of the step (step_limits.hpp),
// migration (migration.hpp) and halo (halo.hpp) need.
//
// Only here a step touches every particle before the engine does: hence the vector code. Migration and halo
// concern few particles, those that leave the slab and those near its faces. They get lists of these.
//
// How near is decided before the ranks have agreed on the width of the halo. The list may name too many
// particles. If it turns out to name too few, the pass is repeated with the right margin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "parallel/slabs.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Part [low, high) of the box along x; everything, unless said otherwise.
struct InnerPart {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Distances from the lower and the upper face of a slab, inwards.
struct FaceMargins {
    double lower = 0;
    double upper = 0;

    bool are_within(const FaceMargins& others) const {
        return lower <= others.lower && upper <= others.upper;
    }
};

/// What lies deeper behind the faces of the rank's slab, with no margins the slab; everything when it is the
/// only one.
InnerPart inner_part(const SlabDecomposition& slabs, int rank, const FaceMargins& margins);

struct PathBounds {
    double max_displacement = 0;  ///< infinite when one is no finite number
    double max_radius = 0;
    double largest_extent = 0;           ///< radius + displacement
    double second_extent = 0;            ///< the second largest
    double max_reach = 0;                ///< StepEngine::reach; not found in the pass
    std::vector<std::uint32_t> near;     ///< ascending: those with their midpoint outside the inner part
    std::vector<std::uint32_t> outside;  ///< of those, the ones with it outside the slab
};

/// The paths that the particles will travel in a step of length dt if they touch nothing. `inner` lies in `slab`.
/// Local. Throws RunError for more than 2^32 - 1 particles on a rank. O(particles).
PathBounds bounds_of_paths(const Particles& particles, double dt, const Box& box, const InnerPart& inner = {},
                           const InnerPart& slab = {});

/// Brings a list as in PathBounds up to date, when arrivals have taken the places of leavers, as migrate does
/// it: all leavers are near. The list may then name some that are not.
void follow_migration(std::size_t size_before, std::size_t size_after, std::vector<std::uint32_t>& near);

}  // namespace ricochet
