// SPDX-License-Identifier: BSD-3-Clause
//
// How the box is divided among the ranks: slices across x, as in the slice-shaped cells of Johnson & Whalley
// 2002, section 4.4. Every rank has a slab of consecutive slices.
//
// Layout: `SliceGrid` has the only array of face coordinates. It depends on the input alone (box and largest
// radius), never on the rank count or the step. A slab's faces are slice faces, so the owner of x follows
// from comparisons with numbers that have the same bits on all ranks. Slab r owns [face r, face r + 1), the
// last one also the upper face of a box with walls.
//
// Neighbours are a list of ranks, not a left and a right one. Two periodic ranks are each other's neighbour
// once, and a single rank has none. Where the halo is wider than a slab the list grows.
//
// Reason for slabs: with one cut direction, ownership is one comparison and a rank has two neighbours.
// Disadvantage: the halo of a slab does not shrink with the rank count (plan/scaling_model.hpp has the cost).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ricochet/model/box.hpp"

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

/// Slab r has the slices cuts[r] to cuts[r + 1] - 1.
using Cuts = std::vector<std::int64_t>;

/// Numbers of slices per slab differ by one at most.
Cuts even_cuts(std::int64_t num_slices, int num_slabs);

class SlabDecomposition {
  public:
    /// Slabs whose numbers of slices differ by one at most. Throws InputError when there are more ranks than
    /// slices.
    static SlabDecomposition even(const SliceGrid& grid, int num_ranks);

    /// Requires: the cuts ascend strictly from 0 to the number of slices.
    SlabDecomposition(const SliceGrid& grid, std::span<const std::int64_t> cuts);

    int num_slabs() const { return static_cast<int>(faces_.size()) - 1; }
    double low(int slab) const { return faces_[static_cast<std::size_t>(slab)]; }
    double high(int slab) const { return faces_[static_cast<std::size_t>(slab) + 1]; }
    double box_length() const { return faces_.back(); }
    bool is_periodic() const { return is_periodic_; }
    double smallest_width() const;

    /// The slab that contains x in [0, L]; O(log ranks).
    int owner(double x) const;

    /// The distance of x from the slab, the shorter way round where x is periodic; 0 inside.
    double distance(double x, int slab) const {
        if (x >= low(slab) && x < high(slab)) return 0;  // nothing lies beyond the last face
        const bool is_below = x < low(slab);
        const double direct = is_below ? low(slab) - x : x - high(slab);
        if (!is_periodic_) return direct;
        const double around = is_below ? x + (box_length() - high(slab)) : (box_length() - x) + low(slab);
        return std::min(direct, around);
    }
    /// The distance from x down to the upper face of the slab; 0 inside. Infinite where the slab lies above
    /// and x has walls.
    double distance_down(double x, int slab) const {
        if (x >= high(slab)) return x - high(slab);
        if (x >= low(slab)) return 0;
        return is_periodic_ ? x + (box_length() - high(slab)) : std::numeric_limits<double>::infinity();
    }

    /// The distance from the upper face of one slab up to the lower face of the other. Infinite where the
    /// other lies below and x has walls.
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

/// The largest number of ranks whose even slabs are as thick as a halo of this width. At least 2 where there
/// are two slices, because up to two slabs may be thinner.
int largest_rank_count(const SliceGrid& grid, double halo_width);

/// Throws InputError when three or more slabs are thinner than the halo; the message has the largest possible
/// rank count. Thinner slabs would give the same results. But every rank would exchange with more than two
/// others, at a cost that should not arise by accident.
void check_slab_widths(const SliceGrid& grid, const SlabDecomposition& slabs, double halo_width);

}  // namespace ricochet
