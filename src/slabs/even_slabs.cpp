// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/even_slabs.hpp"

#include "parallel/slabs.hpp"

namespace ricochet {

EvenSlabs even_slabs(const Box& box, const HaloReach& reach, int num_ranks) {
    const SliceGrid grid(box, reach.max_radius);
    const double halo_width = reach.max_width();
    const int largest = largest_rank_count(grid, halo_width);
    const auto slabs = SlabDecomposition::even(grid, num_ranks);
    check_slab_widths(grid, slabs, halo_width);
    return {grid.num_slices(), grid.width(), halo_width, slabs.smallest_width(), largest};
}

}  // namespace ricochet
