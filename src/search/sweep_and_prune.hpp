// SPDX-License-Identifier: BSD-3-Clause
//
// Sweep and prune: the "set of segment trees" of Gavrilova & Rokne 2002, section 3.4. (They do not mean the segment
// tree of computational geometry, but a tree of sorted end points.) The cubes about the bounding spheres are
// projected onto the axes. The end points of these intervals are sorted along each axis, and the orders are kept
// from step to step.
//
// Pairs: a sweep along one axis keeps the intervals that contain the present point. Whichever begins there is
// compared with these, in all axes at once. The axis is the one on which the fewest intervals overlap, which the
// sorted ends of each tell in O(N).
//
// Images: coordinates wrap. The sweep starts with the intervals that contain the origin. Two intervals may meet
// at both of their begins; the pair is named at the begin of what they share where they are nearest.
//
// Query: of an enlarged sphere, the intervals that begin within reach of it (reach_bound.hpp).
//
// Slack: intervals contain that of the search. Advantage: no cells; intervals may have any lengths. Disadvantage:
// spheres that are far apart share intervals of one axis, O(N^(5/3)) in three dimensions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/search/broad_phase.hpp"
#include "search/fixed_point.hpp"
#include "search/kept_order.hpp"
#include "search/ordered_spheres.hpp"
#include "search/sphere_columns.hpp"

namespace ricochet {

class SweepAndPrune final : public BroadPhase {
  public:
    explicit SweepAndPrune(const Box& box);

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override;
    std::span<const Slot> order() const override { return ordered_.slots(); }
    void collect_pairs(CandidatePairs& pairs) override;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override;
    std::size_t memory_bytes() const override;
    std::uint64_t num_compared() const override { return ordered_.num_compared() + active_.num_compared(); }

    /// Along which the intervals are swept.
    std::size_t sweep_axis() const { return axis_; }

  private:
    using Place = SphereColumns::Place;

    /// An end point: its coordinate is the key; labels are slots of begins, then of ends.
    struct Ends {
        KeptOrder kept;
        std::span<const KeptOrder::Item> sorted;
    };
    bool is_begin(std::uint32_t label) const { return label < fixed_spheres_.size(); }
    Slot slot_of(std::uint32_t label) const {
        return is_begin(label) ? label : label - static_cast<Slot>(fixed_spheres_.size());
    }
    /// Whether it contains the whole axis: it never ends.
    bool is_endless(Slot slot, std::size_t axis) const;
    bool contains_origin(Slot slot, std::size_t axis) const;
    void sort_ends(std::size_t axis);
    double count_overlaps(std::size_t axis) const;
    void choose_axis(int dimension);
    bool is_named_at_begin(Slot slot, Slot other) const;
    void start(Slot slot);
    void stop(Slot slot);
    void fill_begins();

    Box box_;
    FixedPoint fixed_;
    std::vector<FixedSphere> fixed_spheres_;  ///< by slot, as built
    std::array<Ends, 3> ends_;
    std::vector<std::uint32_t> keys_;
    std::size_t axis_ = 0;
    // While sweeping: the intervals at the present point, without an order.
    SphereColumns active_;
    Place num_active_ = 0;
    std::vector<Place> active_place_;  ///< by slot
    // For queries: all spheres in the order of the begins.
    OrderedSpheres ordered_;
    std::vector<std::uint32_t> begins_;
};

}  // namespace ricochet
