// SPDX-License-Identifier: BSD-3-Clause
//
// One sorted order of all midpoints along x, kept from step to step. It is the limit of the slice-shaped cells of
// Johnson & Whalley 2002, section 4.4 (algorithm C), in which every slice holds one particle.
//
// Pairs: a sweep compares each sphere with those that follow it, up to reach + bound on the reach. The few
// spheres above the bound are compared with all (reach_bound.hpp). Query: the interval of the order within
// reach + bound of the midpoint.
//
// Images: coordinates along x wrap, so the sweep goes on at the order's begin. Where two reaches may cover half
// of the box, every sphere is compared with all that follow it.
//
// Advantage: nothing to tune, and hardly any sorting. Disadvantage: a slab of a large box contains many
// particles that are far apart, as with slices: O(N^(5/3)) in three dimensions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/search/broad_phase.hpp"
#include "search/fixed_point.hpp"
#include "search/kept_order.hpp"
#include "search/ordered_spheres.hpp"

namespace ricochet {

class SortedSlices final : public BroadPhase {
  public:
    explicit SortedSlices(const Box& box);

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override;
    std::span<const Slot> order() const override { return ordered_.slots(); }
    void collect_pairs(CandidatePairs& pairs) override;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override;
    std::size_t memory_bytes() const override;
    std::uint64_t num_compared() const override { return ordered_.num_compared(); }

    /// How often the order was sorted anew.
    std::size_t num_full_sorts() const { return order_.num_full_sorts(); }

  private:
    using Place = OrderedSpheres::Place;

    void collect_of_large(CandidatePairs& pairs) const;

    FixedPoint fixed_;
    double length_;
    std::vector<std::uint32_t> x_of_slot_;
    KeptOrder order_;
    OrderedSpheres ordered_;
    std::vector<std::uint32_t> x_;  ///< by place, ascending
};

}  // namespace ricochet
