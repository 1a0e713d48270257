// SPDX-License-Identifier: BSD-3-Clause
//
// The spheres of a search that brings them into one order, and its query: what sorted slices, the spatial tree and
// sweep and prune share. Each names ranges of its order; all in these ranges are compared with the enlarged sphere.
//
// The few spheres above the bound on reaches (reach_bound.hpp) are compared apart, wherever they are. So a query looks
// no farther than reach + bound.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/enlarged_sphere.hpp"
#include "search/fixed_point.hpp"
#include "search/reach_bound.hpp"
#include "search/sphere_columns.hpp"

namespace ricochet {

class OrderedSpheres {
  public:
    using Place = SphereColumns::Place;

    OrderedSpheres(const ImageLengths& images, double slack) : columns_(images, slack) {}

    /// Takes the spheres, without an order yet. The rest is ReachBound::choose.
    void begin(std::span<BoundingSphere> spheres, double density, int num_axes) {
        spheres_ = spheres;
        reaches_.choose(spheres, density, num_axes);
        columns_.resize(spheres.size());
        resize_for_overwrite(place_, spheres.size());
    }
    /// To be called once for each place and each slot.
    void put(Place place, Slot slot) {
        place_[slot] = place;
        columns_.set(place, slot, spheres_[slot]);
    }

    Place size() const { return static_cast<Place>(spheres_.size()); }
    const BoundingSphere& operator[](Slot slot) const { return spheres_[slot]; }
    const ReachBound& reaches() const { return reaches_; }
    /// By place.
    const std::vector<Slot>& slots() const { return columns_.slots(); }

    /// visit(slot) for those in [begin, end) whose spheres overlap the given one, in any image.
    template <class Visit>
    void for_each_overlap(Place begin, Place end, const BoundingSphere& sphere, Visit&& visit) const {
        columns_.for_each_overlap(begin, end, sphere, [&](Place place) { visit(slots()[place]); });
    }

    /// Enlarges the slot's sphere to at least the reach `needed`, of which `radius` is the particle's. Appends those
    /// that overlap it then. for_each_range(reach, bound, visit) must call visit(begin, end) for places. They are all
    /// at which a sphere with at most the bound as its reach may overlap one of that reach.
    template <class ForEachRange>
    void enlarge(Slot slot, double needed, double radius, std::vector<Slot>& found,
                 ForEachRange&& for_each_range) {
        RICOCHET_DCHECK_LT(slot, spheres_.size());
        BoundingSphere& sphere = spheres_[slot];
        sphere = enlarged(sphere, needed, radius);
        const auto reach = static_cast<double>(sphere.reach);
        columns_.set_reach(place_[slot], sphere.reach);
        reaches_.note_enlarged(slot, reach);
        for_each_range(reach, reaches_.bound(), [&](Place begin, Place end) {
            for_each_overlap(begin, end, sphere, [&](Slot other) {
                if (!reaches_.is_above(other)) found.push_back(other);
            });
        });
        for (const Slot large : reaches_.above())
            for_each_overlap(place_[large], place_[large] + 1, sphere,
                             [&](Slot other) { found.push_back(other); });
    }

    std::uint64_t num_compared() const { return columns_.num_compared(); }
    std::size_t memory_bytes() const {
        return columns_.memory_bytes() + reaches_.memory_bytes() + bytes_of(place_);
    }

  private:
    std::span<BoundingSphere> spheres_;
    ReachBound reaches_;
    SphereColumns columns_;
    std::vector<Place> place_;  ///< by slot
};

/// The first place of the ascending coordinates (fixed_point.hpp) that is not below `at`.
inline OrderedSpheres::Place first_from(std::span<const std::uint32_t> ascending, std::int64_t at) {
    using Place = OrderedSpheres::Place;
    if (at <= 0) return 0;
    if (at >= FixedPoint::length) return static_cast<Place>(ascending.size());
    return static_cast<Place>(
        std::lower_bound(ascending.begin(), ascending.end(), static_cast<std::uint32_t>(at)) -
        ascending.begin());
}

/// visit(begin, end) for the places of those ascending coordinates that are in [low, high], each in one range. Both may
/// lie outside the box, by less than its length.
template <class Visit>
void for_each_range(std::span<const std::uint32_t> ascending, bool is_ring, std::int64_t low,
                    std::int64_t high, Visit&& visit) {
    const auto size = static_cast<OrderedSpheres::Place>(ascending.size());
    if (is_ring && high - low + 1 >= FixedPoint::length) {
        visit(OrderedSpheres::Place{0}, size);
        return;
    }
    visit(first_from(ascending, low), first_from(ascending, high + 1));
    if (is_ring && low < 0) visit(first_from(ascending, low + FixedPoint::length), size);
    if (is_ring && high >= FixedPoint::length)
        visit(OrderedSpheres::Place{0}, first_from(ascending, high + 1 - FixedPoint::length));
}

}  // namespace ricochet
