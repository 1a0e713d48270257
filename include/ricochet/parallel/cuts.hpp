// SPDX-License-Identifier: BSD-3-Clause
//
// Where to cut the box so that every slab costs the same.
//
// Each rank knows what its own particles cost, slice by slice (CostProfile); a cut is where the costs of all
// ranks below it add up to its share. All cuts are found together by bisection over the slices: in each round
// every rank adds its cost below the P - 1 cuts in question, so that log2(slices) <= 20 sums of P - 1
// integers decide, and all ranks decide the same. Nothing grows with the number of particles of other ranks,
// and where a rank's particles lie does not matter: the same search cuts the box for a start whose particles
// are still on any rank.
//
// Costs are integers, since integers add up to the same on all ranks in any order. Which unit does not
// matter; sums must stay below 2^63.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/parallel/slabs.hpp"

namespace ricochet {

/// The cost of one rank's particles along x.
class CostProfile {
  public:
    /// `cost` (>= 0) in equal parts for all particles; without particles there is none. O(particles + slices
    /// between the first and the last of them).
    CostProfile(const SliceGrid& grid, const Particles& owned, std::int64_t cost);

    /// What the particles in the slices 0 to cut - 1 cost. Ascends with the cut from 0 to the whole.
    std::int64_t below(std::int64_t cut) const;

  private:
    std::int64_t cost_;
    std::int64_t first_slice_ = 0;
    std::vector<std::uint64_t> num_until_;  ///< particles from the first slice to this one
};

/// The cuts nearest to equal costs over all ranks; they need not ascend strictly. Even ones where nothing
/// costs anything. Collective; the same on all ranks.
Cuts cuts_of_equal_cost(Exchange& exchange, const CostProfile& profile, std::int64_t num_slices,
                        int num_slabs);

/// The least change of the cuts, from the first to the last, that gives every slab at least `smallest` slices
/// (or what even slabs have, when that is less). The first and the last cut stay.
Cuts with_thickness(Cuts cuts, std::int64_t smallest);

/// What each slab costs over all ranks. Collective; the same on all ranks.
std::vector<std::int64_t> cost_of_slabs(Exchange& exchange, const CostProfile& profile,
                                        std::span<const std::int64_t> cuts);

}  // namespace ricochet
