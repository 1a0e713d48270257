// SPDX-License-Identifier: BSD-3-Clause
#include "search/sweep_and_prune.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {
namespace {

constexpr SphereColumns::Place not_active = std::numeric_limits<SphereColumns::Place>::max();

std::uint32_t clamped(std::int64_t at) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(at, 0, FixedPoint::length - 1));
}

}  // namespace

std::unique_ptr<BroadPhase> make_sweep_and_prune(const Box& box, const SearchOptions& /*options*/) {
    return std::make_unique<SweepAndPrune>(box);
}

SweepAndPrune::SweepAndPrune(const Box& box)
    : BroadPhase(box),
      box_(box),
      fixed_(box, slack()),
      active_(images(), slack()),
      ordered_(images(), slack()) {}

bool SweepAndPrune::is_endless(Slot slot, std::size_t axis) const {
    return fixed_.is_ring(axis) &&
           2 * std::int64_t{fixed_spheres_[slot].extent[axis]} + 1 >= FixedPoint::length;
}

bool SweepAndPrune::contains_origin(Slot slot, std::size_t axis) const {
    const FixedSphere& sphere = fixed_spheres_[slot];
    return is_endless(slot, axis) ||
           (fixed_.is_ring(axis) && (sphere.low(axis) < 0 || sphere.high(axis) >= FixedPoint::length));
}

void SweepAndPrune::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, box_.size.x);
    RICOCHET_CHECK_LT(spheres.size(), std::size_t{1} << 31);  // a sphere has two labels
    resize_for_overwrite(fixed_spheres_, spheres.size());
    for (std::size_t slot = 0; slot < spheres.size(); ++slot) fixed_spheres_[slot] = fixed_(spheres[slot]);
    for (int axis = 0; axis < box_.dimension; ++axis) sort_ends(static_cast<std::size_t>(axis));
    choose_axis(box_.dimension);
    const double length = axis_ == 0 ? domain.width : box_.size[static_cast<int>(axis_)];
    ordered_.begin(spheres, static_cast<double>(spheres.size()) / length, 1);
    fill_begins();
}

void SweepAndPrune::sort_ends(std::size_t axis) {
    resize_for_overwrite(keys_, 2 * fixed_spheres_.size());
    const bool is_ring = fixed_.is_ring(axis);
    for (std::size_t slot = 0; slot < fixed_spheres_.size(); ++slot) {
        const std::int64_t low = fixed_spheres_[slot].low(axis), high = fixed_spheres_[slot].high(axis);
        keys_[slot] = is_ring ? static_cast<std::uint32_t>(low) : clamped(low);
        keys_[fixed_spheres_.size() + slot] = is_ring ? static_cast<std::uint32_t>(high) : clamped(high);
    }
    ends_[axis].sorted = ends_[axis].kept.sort(keys_);
}

/// The pairs of intervals of which one begins in the other.
double SweepAndPrune::count_overlaps(std::size_t axis) const {
    double num_active = 0, count = 0;
    for (Slot slot = 0; slot < fixed_spheres_.size(); ++slot)
        num_active += contains_origin(slot, axis) ? 1 : 0;
    for (const KeptOrder::Item item : ends_[axis].sorted) {
        const std::uint32_t label = KeptOrder::label_of(item);
        if (is_endless(slot_of(label), axis)) continue;
        if (is_begin(label)) count += num_active;
        num_active += is_begin(label) ? 1 : -1;
    }
    return count;
}

void SweepAndPrune::choose_axis(int dimension) {
    double fewest = std::numeric_limits<double>::infinity();
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
        const double count = count_overlaps(axis);
        if (count >= fewest) continue;
        fewest = count;
        axis_ = axis;
    }
}

void SweepAndPrune::fill_begins() {
    resize_for_overwrite(begins_, ordered_.size());
    Place place = 0;
    for (const KeptOrder::Item item : ends_[axis_].sorted) {
        const std::uint32_t label = KeptOrder::label_of(item);
        if (!is_begin(label)) continue;
        begins_[place] = KeptOrder::key_of(item);
        ordered_.put(place++, label);
    }
}

void SweepAndPrune::start(Slot slot) {
    if (active_place_[slot] != not_active) return;
    active_place_[slot] = num_active_;
    active_.set(num_active_++, slot, ordered_[slot]);
}

void SweepAndPrune::stop(Slot slot) {
    const Place place = active_place_[slot];
    if (place == not_active) return;
    const Slot last = active_.slots()[--num_active_];
    active_.set(place, last, ordered_[last]);
    active_place_[last] = place;
    active_place_[slot] = not_active;
}

/// Whether the begin of `slot` is that of what it shares with `other`; of equal begins, the later one in the order.
bool SweepAndPrune::is_named_at_begin(Slot slot, Slot other) const {
    const Slot a = std::min(slot, other), b = std::max(slot, other);
    const FixedSphere &first = fixed_spheres_[a], &second = fixed_spheres_[b];
    std::int64_t low_of_a = first.low(axis_), low_of_b = second.low(axis_);
    if (fixed_.is_ring(axis_))
        low_of_b = std::int64_t{first.at[axis_]} +
                   static_cast<std::int32_t>(second.at[axis_] - first.at[axis_]) - second.extent[axis_];
    else {
        low_of_a = clamped(low_of_a);
        low_of_b = clamped(low_of_b);
    }
    return (low_of_a > low_of_b ? a : b) == slot;
}

void SweepAndPrune::collect_pairs(CandidatePairs& pairs) {
    active_.resize(ordered_.size());
    active_place_.assign(ordered_.size(), not_active);
    num_active_ = 0;
    for (Slot slot = 0; slot < ordered_.size(); ++slot)
        if (contains_origin(slot, axis_)) start(slot);
    for (const KeptOrder::Item item : ends_[axis_].sorted) {
        const std::uint32_t label = KeptOrder::label_of(item);
        const Slot slot = slot_of(label);
        if (!is_begin(label)) {
            if (!is_endless(slot, axis_)) stop(slot);
            continue;
        }
        active_.for_each_overlap(0, num_active_, ordered_[slot], [&](Place place) {
            const Slot other = active_.slots()[place];
            if (other != slot && is_named_at_begin(slot, other)) pairs.add(slot, other);
        });
        start(slot);
    }
}

void SweepAndPrune::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    const double needed = reach_needed(ordered_[slot], path, radius);
    ordered_.enlarge(slot, needed, radius, found, [&](double reach, double bound, auto&& visit) {
        // The begins are those of the build: intervals were no longer than the bound then, and are not now.
        const std::int64_t own = fixed_.extent(reach, axis_), most = fixed_.extent(bound, axis_);
        const std::int64_t at = fixed_spheres_[slot].at[axis_];
        for_each_range(begins_, fixed_.is_ring(axis_), at - own - 2 * most, at + own + most, visit);
    });
}

std::size_t SweepAndPrune::memory_bytes() const {
    std::size_t sum = ordered_.memory_bytes() + active_.memory_bytes() +
                      bytes_of(fixed_spheres_, keys_, active_place_, begins_);
    for (const Ends& ends : ends_) sum += ends.kept.memory_bytes();
    return sum;
}

}  // namespace ricochet
