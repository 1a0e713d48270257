// SPDX-License-Identifier: BSD-3-Clause
//
// Where to cut the box so that every slab costs the same (load balancing).
//
// Algorithm: each rank knows the cost of its own particles, slice by slice (CostProfile). A cut lies where
// the costs of all ranks below it add up to its share. All cuts are found together by bisection over the
// slices. In each round every rank adds its costs below the P - 1 cuts in question. So log2(slices) <= 20
// sums of P - 1 integers decide, and all ranks decide the same.
//
// Nothing grows with the number of particles of other ranks, and it does not matter which rank has which
// particles. So the same search cuts the box for a start whose particles are not yet in their slabs.
//
// Invariant: costs are integers, because integers add up to the same on all ranks in any order. Their unit
// does not matter; sums must stay below 2^63.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/slabs.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The cost of one rank's particles along x.
class CostProfile {
  public:
    /// Divides `cost` equally among all particles; without particles there is none. O(particles + slices between the
    /// first and the last of them).
    /// Requires: cost >= 0.
    CostProfile(const SliceGrid& grid, const Particles& owned, std::int64_t cost);

    /// The cost of the particles in the slices 0 to cut - 1. Increases with the cut from 0 to the whole cost.
    std::int64_t below(std::int64_t cut) const;

  private:
    std::int64_t cost_;
    std::int64_t first_slice_ = 0;
    std::vector<std::uint64_t> num_until_;  ///< particles from the first slice to this one
};

/// The cuts nearest to equal costs over all ranks; some may coincide. Even cuts where nothing costs anything.
/// Collective; the same on all ranks.
/// Requires: num_slabs >= 1.
Cuts cuts_of_equal_cost(Exchange& exchange, const CostProfile& profile, std::int64_t num_slices,
                        int num_slabs);

/// The least change of the cuts, from the first to the last, that gives every slab at least `smallest`
/// slices. Where even slabs have fewer, their thickness suffices. The first and the last cut stay.
/// Requires: at least two cuts.
Cuts with_thickness(Cuts cuts, std::int64_t smallest);

/// The cost of each slab over all ranks. Collective; the same on all ranks.
std::vector<std::int64_t> cost_of_slabs(Exchange& exchange, const CostProfile& profile,
                                        std::span<const std::int64_t> cuts);

}  // namespace ricochet
