// SPDX-License-Identifier: BSD-3-Clause
//
// Even slabs of a box, for plans: how thick they are beside the halo, and how many ranks they allow.
#pragma once

#include <cstdint>

#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "slabs/halo.hpp"

namespace ricochet {

struct EvenSlabs {
    std::int64_t num_slices = 0;
    double slice_width = 0;     ///< length
    double halo_width = 0;      ///< length
    double narrowest_slab = 0;  ///< length
    int largest_rank_count = 1;
};

/// A rank numbers its particles, copies included, with 32 bits.
inline constexpr std::uint32_t most_particles_on_a_rank = most_local_particles;

/// The slabs of this number of ranks. Throws InputError where there are more ranks than slices, or where three or
/// more slabs are thinner than the halo.
EvenSlabs even_slabs(const Box& box, const HaloReach& reach, int num_ranks);

}  // namespace ricochet
