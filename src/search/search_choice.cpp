// SPDX-License-Identifier: BSD-3-Clause
#include "search/search_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ricochet {
namespace {

/// The share of an axis that a query of the given width covers.
double covered_share(double width, double length) { return std::min(1.0, width / length); }

/// The share of the rows about it that a query of the given width reaches into. In a dilute gas rows are so wide that
/// their intervals hold some particles (cell_grid.cpp), but there are at least three across.
double share_of_rows(double width, const Box& box, double n) {
    constexpr double in_interval = 6, least_rows = 3;
    const double cross_section = in_interval * box.volume() / (n * width / 2);
    const bool is_flat = box.dimension == 2;
    const double narrowest = is_flat ? box.size.y : std::min(box.size.y, box.size.z);
    const double across =
        std::min(narrowest / least_rows, is_flat ? cross_section : std::sqrt(cross_section));
    return std::min(1.0, width / across);
}

}  // namespace

SearchChoice choose_search(SearchMethod asked, const Box& box, std::uint64_t num_particles,
                           double mean_reach) {
    if (asked != SearchMethod::automatic) return {asked, "as the input asks"};
    constexpr double filtered = 1.0 / 30, own_row = 0.5, other_rows = 1.75, grid = 20;
    constexpr double filtered_in_slab = 1.0 / 20, slices_looked_up = 1, compared = 1.0 / 20;
    const double n = static_cast<double>(std::max<std::uint64_t>(1, num_particles));
    const double width = 4 * mean_reach;
    const double in_slab = n * covered_share(width, box.size.x);
    double in_cube = in_slab * covered_share(width, box.size.y);
    if (box.dimension == 3) in_cube *= covered_share(width, box.size.z);
    const double all_pairs = compared * n;
    const double slices = slices_looked_up + filtered_in_slab * in_slab;
    const double cells = own_row + other_rows * share_of_rows(width, box, n) + grid / n + filtered * in_cube;
    char counts[128];
    std::snprintf(counts, sizeof counts,
                  "%.3g particles in all, %.3g in the slab and %.3g in the cube that a query covers", n,
                  in_slab, in_cube);
    if (all_pairs <= std::min(slices, cells)) return {search_named("all_pairs"), counts};
    return {slices < cells ? search_named("slices") : search_named("cells"), counts};
}

}  // namespace ricochet
