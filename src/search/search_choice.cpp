// SPDX-License-Identifier: BSD-3-Clause
#include "search/search_choice.hpp"

#include <algorithm>
#include <cstdio>

namespace ricochet {
namespace {

/// The share of an axis that a query of the given width covers.
double covered_share(double width, double length) { return std::min(1.0, width / length); }

}  // namespace

SearchChoice choose_search(SearchMethod asked, const Box& box, std::uint64_t num_particles,
                           double mean_reach) {
    if (asked != SearchMethod::automatic) return {asked, "as the input asks"};
    constexpr double filtered = 1.0 / 30, rows = 9.0 / 4, slices_looked_up = 1;
    const double n = static_cast<double>(num_particles);
    const double width = 4 * mean_reach;
    const double in_slab = n * covered_share(width, box.size.x);
    double in_cube = in_slab * covered_share(width, box.size.y);
    if (box.dimension == 3) in_cube *= covered_share(width, box.size.z);
    const double all_pairs = n;
    const double slices = slices_looked_up + filtered * in_slab;
    const double cells = rows + filtered * in_cube;
    char counts[128];
    std::snprintf(counts, sizeof counts,
                  "%.3g particles in all, %.3g in the slab and %.3g in the cube that a query covers", n,
                  in_slab, in_cube);
    if (all_pairs <= std::min(slices, cells)) return {search_named("all_pairs"), counts};
    return {slices < cells ? search_named("slices") : search_named("cells"), counts};
}

}  // namespace ricochet
