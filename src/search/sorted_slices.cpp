// SPDX-License-Identifier: BSD-3-Clause
#include "search/sorted_slices.hpp"

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_sorted_slices(const Box& box, const SearchOptions& /*options*/) {
    return std::make_unique<SortedSlices>(box);
}

SortedSlices::SortedSlices(const Box& box)
    : BroadPhase(box), fixed_(box, slack()), length_(box.size.x), ordered_(images(), slack()) {}

void SortedSlices::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, length_);
    const std::size_t size = spheres.size();
    ordered_.begin(spheres, static_cast<double>(size) / domain.width, 1);
    resize_for_overwrite(x_of_slot_, size);
    for (std::size_t slot = 0; slot < size; ++slot) x_of_slot_[slot] = fixed_.at(spheres[slot].x, 0);
    resize_for_overwrite(x_, size);
    Place place = 0;
    for (const KeptOrder::Item item : order_.sort(x_of_slot_)) {
        x_[place] = KeptOrder::key_of(item);
        ordered_.put(place++, KeptOrder::label_of(item));
    }
}

void SortedSlices::collect_pairs(CandidatePairs& pairs) {
    const ReachBound& reaches = ordered_.reaches();
    const std::int64_t most = fixed_.extent(reaches.bound(), 0);
    const bool is_unique = !fixed_.is_ring(0) || 4 * most < FixedPoint::length;
    const Place size = ordered_.size();
    for (Place place = 0; place < size; ++place) {
        const Slot slot = ordered_.slots()[place];
        if (reaches.is_above(slot)) continue;
        const BoundingSphere& sphere = ordered_[slot];
        const auto compare = [&](Place begin, Place end) {
            ordered_.for_each_overlap(begin, end, sphere, [&](Slot other) {
                if (!reaches.is_above(other)) pairs.add(slot, other);
            });
        };
        if (!is_unique) {
            compare(place + 1, size);
            continue;
        }
        const std::int64_t high =
            std::int64_t{x_[place]} + fixed_.extent(static_cast<double>(sphere.reach), 0) + most;
        compare(place + 1, first_from(x_, high + 1));
        if (fixed_.is_ring(0) && high >= FixedPoint::length)
            compare(0, first_from(x_, high + 1 - FixedPoint::length));
    }
    collect_of_large(pairs);
}

/// Each with all others.
void SortedSlices::collect_of_large(CandidatePairs& pairs) const {
    for (const Slot slot : ordered_.reaches().above()) {
        ordered_.for_each_overlap(0, ordered_.size(), ordered_[slot], [&](Slot other) {
            if (!ordered_.reaches().is_above(other) || other > slot) pairs.add(slot, other);
        });
    }
}

void SortedSlices::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    const double needed = reach_needed(ordered_[slot], path, radius);
    ordered_.enlarge(slot, needed, radius, found, [&](double reach, double bound, auto&& visit) {
        const std::int64_t width = std::int64_t{fixed_.extent(reach, 0)} + fixed_.extent(bound, 0);
        const std::int64_t x = x_of_slot_[slot];
        for_each_range(x_, fixed_.is_ring(0), x - width, x + width, visit);
    });
}

std::size_t SortedSlices::memory_bytes() const {
    return ordered_.memory_bytes() + order_.memory_bytes() + bytes_of(x_of_slot_, x_);
}

}  // namespace ricochet
