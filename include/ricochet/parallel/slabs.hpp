// SPDX-License-Identifier: BSD-3-Clause
//
// How the box is divided among the ranks: slices across x, as in the slice-shaped cells of Johnson & Whalley
// 2002, section 4.4, and on every rank a slab of consecutive slices.
//
// Layout: `SliceGrid` depends on the input alone (box and largest radius), never on the rank count or the
// step, and holds the only array of face coordinates. A slab's faces are slice faces, so "who owns x" is one
// comparison against numbers that all ranks have with the same bits: slab r owns [face r, face r + 1), the
// last one also the upper face of a box with walls. Neighbours are a list of ranks, not a left and a right
// one: two periodic ranks are each other's neighbour once, a single rank has none, and where the halo is
// wider than a slab the list simply grows.
//
// Why slabs: one cut direction keeps ownership one comparison and a rank's neighbours two. Disadvantage: the
// halo of a slab does not shrink with the rank count (app/scaling_model.hpp says what that costs).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ricochet/core/box.hpp"

namespace ricochet {

class SliceGrid {
  public:
    static constexpr std::int64_t max_num_slices = std::int64_t{1} << 20;

    /// Equal slices along x, each at least one largest radius thick. Throws InputError for a radius or box
    /// length that is not a positive finite number.
    SliceGrid(const Box& box, double largest_radius);

    std::int64_t num_slices() const { return static_cast<std::int64_t>(faces_.size()) - 1; }
    /// num_slices() + 1 ascending coordinates, from 0 to the box length.
    std::span<const double> faces() const { return faces_; }
    double width() const { return faces_.back() / static_cast<double>(num_slices()); }
    bool is_periodic() const { return is_periodic_; }

  private:
    std::vector<double> faces_;
    bool is_periodic_;
};

/// Slab r is the slices cuts[r] to cuts[r + 1] - 1.
using Cuts = std::vector<std::int64_t>;

/// Equally many slices in each slab, give or take one.
Cuts even_cuts(std::int64_t num_slices, int num_slabs);

class SlabDecomposition {
  public:
    /// Slabs of equally many slices, give or take one. Throws InputError when there are more ranks than
    /// slices.
    static SlabDecomposition even(const SliceGrid& grid, int num_ranks);

    /// Throws std::logic_error unless the cuts ascend strictly from 0 to the number of slices.
    SlabDecomposition(const SliceGrid& grid, std::span<const std::int64_t> cuts);

    int num_slabs() const { return static_cast<int>(faces_.size()) - 1; }
    double low(int slab) const { return faces_[static_cast<std::size_t>(slab)]; }
    double high(int slab) const { return faces_[static_cast<std::size_t>(slab) + 1]; }
    double box_length() const { return faces_.back(); }
    bool is_periodic() const { return is_periodic_; }
    double smallest_width() const;

    /// The slab that x in [0, L] lies in; O(log ranks).
    int owner(double x) const;

    /// How far x lies outside the slab, the shorter way round where x is periodic; 0 inside.
    double distance(double x, int slab) const {
        if (x >= low(slab) && x < high(slab)) return 0;  // beyond the last face there is nobody
        const bool is_below = x < low(slab);
        const double direct = is_below ? low(slab) - x : x - high(slab);
        if (!is_periodic_) return direct;
        const double around = is_below ? x + (box_length() - high(slab)) : (box_length() - x) + low(slab);
        return std::min(direct, around);
    }
    /// How far it is from x down to the upper face of the slab; 0 inside, infinite where the slab lies above
    /// and x has walls.
    double distance_down(double x, int slab) const {
        if (x >= high(slab)) return x - high(slab);
        if (x >= low(slab)) return 0;
        return is_periodic_ ? x + (box_length() - high(slab)) : std::numeric_limits<double>::infinity();
    }

    /// How far it is from the upper face of the one slab up to the lower face of the other; infinite where it
    /// lies below and x has walls.
    double gap_above(int slab, int other) const;

    /// The slabs other than `slab` that lie within `reach` of it, ascending; symmetric. O(their number).
    std::vector<int> neighbours(int slab, double reach) const;
    /// The slabs that touch this one: none, one or two.
    std::vector<int> adjacent(int slab) const { return neighbours(slab, 0.0); }

  private:
    double gap(int one, int other) const;

    std::vector<double> faces_;
    bool is_periodic_;
};

/// The largest number of ranks whose even slabs are as thick as a halo of this width; at least 2 where there
/// are two slices, since up to two slabs may be thinner.
int largest_rank_count(const SliceGrid& grid, double halo_width);

/// Throws InputError, with a sentence that names the largest possible rank count, when three or more slabs
/// are thinner than the halo. Thinner slabs would still give the same results, but every rank would then
/// exchange with more than two others, at a cost that nobody wants by accident.
void check_slab_widths(const SliceGrid& grid, const SlabDecomposition& slabs, double halo_width);

}  // namespace ricochet
