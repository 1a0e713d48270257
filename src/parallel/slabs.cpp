// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/slabs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/text.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

}  // namespace

Cuts even_cuts(std::int64_t num_slices, int num_slabs) {
    Cuts cuts;
    for (int r = 0; r <= num_slabs; ++r) cuts.push_back(num_slices * r / num_slabs);
    return cuts;
}

SliceGrid::SliceGrid(const Box& box, double largest_radius) : is_periodic_(box.is_periodic(0)) {
    if (!is_positive(box.size.x) || !is_positive(largest_radius))
        throw InputError("the slices need a positive box length and radius, got " + text_of(box.size.x) +
                         " and " + text_of(largest_radius));
    const double wanted = std::floor(box.size.x / largest_radius);
    const double count = std::clamp(wanted, 1.0, static_cast<double>(max_num_slices));
    const auto num_slices = static_cast<std::int64_t>(count);
    faces_.reserve(static_cast<std::size_t>(num_slices) + 1);
    for (std::int64_t i = 0; i < num_slices; ++i)
        faces_.push_back(box.size.x * (static_cast<double>(i) / count));
    faces_.push_back(box.size.x);
}

SlabDecomposition SlabDecomposition::even(const SliceGrid& grid, int num_ranks) {
    if (num_ranks < 1 || num_ranks > grid.num_slices())
        throw InputError(std::to_string(num_ranks) +
                         " ranks need as many slices along x, each as thick as the largest radius: use at "
                         "most " +
                         std::to_string(grid.num_slices()) + " ranks");
    return {grid, even_cuts(grid.num_slices(), num_ranks)};
}

SlabDecomposition::SlabDecomposition(const SliceGrid& grid, std::span<const std::int64_t> cuts)
    : is_periodic_(grid.is_periodic()) {
    RICOCHET_CHECK_GE(cuts.size(), 2);
    RICOCHET_CHECK_EQ(cuts.front(), 0);
    RICOCHET_CHECK_EQ(cuts.back(), grid.num_slices());
    for (std::size_t r = 1; r < cuts.size(); ++r) RICOCHET_CHECK_LT(cuts[r - 1], cuts[r]);
    for (const std::int64_t cut : cuts) faces_.push_back(grid.faces()[static_cast<std::size_t>(cut)]);
}

double SlabDecomposition::smallest_width() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (int slab = 0; slab < num_slabs(); ++slab) smallest = std::min(smallest, high(slab) - low(slab));
    return smallest;
}

int SlabDecomposition::owner(double x) const {
    // Only the inner faces: what lies at or beyond an outer face belongs to the first or the last slab.
    const auto inner = std::upper_bound(faces_.begin() + 1, faces_.end() - 1, x);
    return static_cast<int>(inner - faces_.begin()) - 1;
}

double SlabDecomposition::gap_above(int slab, int other) const {
    if (other > slab) return low(other) - high(slab);
    if (!is_periodic_) return std::numeric_limits<double>::infinity();
    return (box_length() - high(slab)) + low(other);
}

double SlabDecomposition::gap(int one, int other) const {
    return std::min(gap_above(one, other), gap_above(other, one));
}

std::vector<int> SlabDecomposition::neighbours(int slab, double reach) const {
    std::vector<int> found;
    const auto visit = [&](int direction) {
        for (int steps = 1; steps < num_slabs(); ++steps) {
            int other = slab + direction * steps;
            if (!is_periodic_ && (other < 0 || other >= num_slabs())) return;
            other = (other + num_slabs()) % num_slabs();
            if (gap(slab, other) > reach) return;
            found.push_back(other);
        }
    };
    visit(+1);
    visit(-1);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// The thinnest of R even slabs has num_slices / R slices, rounded down.
int largest_rank_count(const SliceGrid& grid, double halo_width) {
    const std::int64_t num_slices = grid.num_slices();
    const double per_halo = std::min(halo_width * (static_cast<double>(num_slices) / grid.faces().back()),
                                     static_cast<double>(num_slices));
    for (std::int64_t slices = std::max(static_cast<std::int64_t>(per_halo), std::int64_t{1});
         num_slices / slices > 2; ++slices) {
        const auto ranks = static_cast<int>(num_slices / slices);
        if (SlabDecomposition::even(grid, ranks).smallest_width() >= halo_width) return ranks;
    }
    return static_cast<int>(std::min<std::int64_t>(2, num_slices));
}

void check_slab_widths(const SliceGrid& grid, const SlabDecomposition& slabs, double halo_width) {
    if (slabs.num_slabs() < 3 || slabs.smallest_width() >= halo_width) return;
    throw InputError(std::to_string(slabs.num_slabs()) + " ranks would make slabs as thin as " +
                     text_of(slabs.smallest_width()) + ", thinner than the halo of " + text_of(halo_width) +
                     " that the largest radius and displacement need: use at most " +
                     std::to_string(largest_rank_count(grid, halo_width)) + " ranks");
}

}  // namespace ricochet
