// SPDX-License-Identifier: BSD-3-Clause
#include "search/sorted_slices.hpp"

#include <algorithm>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"
#include "search/enlarged_sphere.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_sorted_slices(const Box& box, const SearchOptions& /*options*/) {
    return std::make_unique<SortedSlices>(box);
}

SortedSlices::SortedSlices(const Box& box)
    : BroadPhase(box), fixed_(box, slack()), length_(box.size.x), columns_(images(), slack()) {}

void SortedSlices::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, length_);
    spheres_ = spheres;
    const std::size_t size = spheres.size();
    reaches_.choose(spheres, static_cast<double>(size) / domain.width, 1);
    resize_for_overwrite(x_of_slot_, size);
    for (std::size_t slot = 0; slot < size; ++slot) x_of_slot_[slot] = fixed_.at(spheres[slot].x, 0);
    columns_.resize(size);
    resize_for_overwrite(x_, size);
    resize_for_overwrite(place_, size);
    Place place = 0;
    for (const KeptOrder::Item item : order_.sort(x_of_slot_)) {
        const Slot slot = KeptOrder::label_of(item);
        x_[place] = KeptOrder::key_of(item);
        place_[slot] = place;
        columns_.set(place++, slot, spheres[slot]);
    }
}

SortedSlices::Place SortedSlices::first_from(std::int64_t x) const {
    if (x <= 0) return 0;
    if (x >= FixedPoint::length) return static_cast<Place>(x_.size());
    return static_cast<Place>(std::lower_bound(x_.begin(), x_.end(), static_cast<std::uint32_t>(x)) -
                              x_.begin());
}

/// visit(begin, end) for the places with x in [low, high], each in one range. low may lie before the box, and high
/// behind it. They must be less than a periodic axis apart.
template <class Visit>
void SortedSlices::for_each_range(std::int64_t low, std::int64_t high, Visit&& visit) const {
    visit(first_from(low), first_from(high + 1));
    if (!fixed_.is_ring(0)) return;
    const auto size = static_cast<Place>(x_.size());
    if (low < 0) visit(first_from(low + FixedPoint::length), size);
    if (high >= FixedPoint::length) visit(0, first_from(high + 1 - FixedPoint::length));
}

void SortedSlices::collect_pairs(CandidatePairs& pairs) {
    const std::int64_t most = fixed_.extent(reaches_.bound(), 0);
    const bool is_unique = !fixed_.is_ring(0) || 4 * most < FixedPoint::length;
    const auto size = static_cast<Place>(x_.size());
    for (Place place = 0; place < size; ++place) {
        const Slot slot = columns_.slots()[place];
        if (reaches_.is_above(slot)) continue;
        const BoundingSphere& sphere = spheres_[slot];
        const auto compare = [&](Place begin, Place end) {
            columns_.for_each_overlap(begin, end, sphere, [&](Place other) {
                const Slot other_slot = columns_.slots()[other];
                if (!reaches_.is_above(other_slot)) pairs.add(slot, other_slot);
            });
        };
        if (!is_unique) {
            compare(place + 1, size);
            continue;
        }
        const std::int64_t high =
            std::int64_t{x_[place]} + fixed_.extent(static_cast<double>(sphere.reach), 0) + most;
        compare(place + 1, first_from(high + 1));
        if (fixed_.is_ring(0) && high >= FixedPoint::length)
            compare(0, first_from(high + 1 - FixedPoint::length));
    }
    collect_of_large(pairs);
}

/// Each with all others.
void SortedSlices::collect_of_large(CandidatePairs& pairs) const {
    for (const Slot slot : reaches_.above()) {
        columns_.for_each_overlap(0, static_cast<Place>(x_.size()), spheres_[slot], [&](Place other) {
            const Slot other_slot = columns_.slots()[other];
            if (!reaches_.is_above(other_slot) || other_slot > slot) pairs.add(slot, other_slot);
        });
    }
}

void SortedSlices::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    RICOCHET_DCHECK_LT(slot, spheres_.size());
    BoundingSphere& sphere = spheres_[slot];
    sphere = enlarged(sphere, reach_needed(sphere, path, radius), radius);
    const auto reach = static_cast<double>(sphere.reach);
    columns_.set_reach(place_[slot], sphere.reach);
    reaches_.note_enlarged(slot, reach);
    const auto compare = [&](Place begin, Place end) {
        columns_.for_each_overlap(begin, end, sphere, [&](Place other) {
            const Slot other_slot = columns_.slots()[other];
            if (!reaches_.is_above(other_slot)) found.push_back(other_slot);
        });
    };
    const std::int64_t width = std::int64_t{fixed_.extent(reach, 0)} + fixed_.extent(reaches_.bound(), 0);
    const std::int64_t x = x_of_slot_[slot];
    if (fixed_.is_ring(0) && 2 * width + 1 >= FixedPoint::length)
        compare(0, static_cast<Place>(x_.size()));
    else
        for_each_range(x - width, x + width, compare);
    for (const Slot large : reaches_.above())
        columns_.for_each_overlap(place_[large], place_[large] + 1, sphere,
                                  [&](Place /*own*/) { found.push_back(large); });
}

}  // namespace ricochet
