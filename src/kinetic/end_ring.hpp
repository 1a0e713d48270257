// SPDX-License-Identifier: BSD-3-Clause
//
// The ends of intervals along one axis, in order (kinetic_sweep.hpp).
//
// Layout: the sorted ends are an array, and each end knows its place in it. Without a period the array is a line. With
// one it is a ring, cut somewhere. An integer image offset for each end makes all coordinates ascend; the last is at
// most one period above the first. Ends that are exchanged across the cut change their offsets.
//
// The order alone tells whether two intervals overlap: one begins in the other. Coordinates are not asked, so rounding
// cannot make two axes disagree about what comes first.
//
// An interval as long as the period has no ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class EndRing {
  public:
    using End = std::uint32_t;  ///< the begin of a slot's interval is 2 slot, its end is 2 slot + 1
    using Place = std::uint32_t;
    static constexpr Place nowhere = 0xffffffffu;

    static End begin_of(Slot slot) { return 2 * slot; }
    static End end_of(Slot slot) { return 2 * slot + 1; }
    static Slot slot_of(End end) { return end / 2; }
    static bool is_begin(End end) { return end % 2 == 0; }

    /// An end to be sorted: where it is, and in which image.
    struct Item {
        double at = 0;        ///< the coordinate of this image
        double velocity = 0;  ///< of equal coordinates, the slower one comes first
        End end = 0;
        std::int32_t image = 0;
    };

    /// Sorts the items. O(items log items).
    void build(std::size_t num_slots, bool is_ring, std::vector<Item>& items);

    std::size_t size() const { return ends_.size(); }
    bool has(Slot slot) const { return places_[begin_of(slot)] != nowhere; }
    End end_at(Place place) const { return ends_[place]; }
    Place place_of(End end) const { return places_[end]; }
    /// `nowhere` at the end of a line.
    Place next(Place place) const { return place + 1 < ends_.size() ? place + 1 : is_ring_ ? 0 : nowhere; }
    Place previous(Place place) const {
        return place > 0 ? place - 1 : is_ring_ ? static_cast<Place>(ends_.size() - 1) : nowhere;
    }
    /// The periods to be added to the coordinate of the next end less that of this one.
    int images_to_next(Place place) const {
        const Place next_place = next(place);
        return images_[ends_[next_place]] - images_[ends_[place]] + (next_place < place ? 1 : 0);
    }
    /// With the next one, which there must be. O(1).
    void exchange(Place place) {
        const Place next_place = next(place);
        const End low = ends_[place], high = ends_[next_place];
        if (next_place < place) {
            --images_[low];
            ++images_[high];
        }
        ends_[place] = high;
        ends_[next_place] = low;
        places_[high] = place;
        places_[low] = next_place;
    }

    /// Both must have ends here. O(1).
    bool begins_in(Slot slot, Slot other) const {
        const Place begin = places_[begin_of(other)];
        return distance(begin, places_[begin_of(slot)]) < distance(begin, places_[end_of(other)]);
    }
    /// Whether they overlap; an interval without ends overlaps all others. O(1).
    bool overlap(Slot a, Slot b) const { return !has(a) || !has(b) || begins_in(a, b) || begins_in(b, a); }
    /// visit(other) for all that begin within the interval of the slot, which must have ends here.
    template <class Visit>
    void for_each_beginning_in(Slot slot, Visit&& visit) const {
        const Place last = places_[end_of(slot)];
        for (Place place = next(places_[begin_of(slot)]); place != last; place = next(place))
            if (is_begin(ends_[place])) visit(slot_of(ends_[place]));
    }

    /// The stamp of the exchange with the next end that is expected; 0: none.
    std::uint32_t stamp(End end) const { return stamps_[end]; }
    void set_stamp(End end, std::uint32_t stamp) { stamps_[end] = stamp; }

    std::size_t memory_bytes() const { return bytes_of(ends_, places_, stamps_, images_); }

  private:
    /// Upwards, around the ring.
    Place distance(Place from, Place to) const {
        return to >= from ? to - from : to + static_cast<Place>(ends_.size()) - from;
    }

    bool is_ring_ = false;
    std::vector<End> ends_;              ///< by place
    std::vector<Place> places_;          ///< by end
    std::vector<std::uint32_t> stamps_;  ///< by end
    std::vector<std::int16_t> images_;   ///< by end
};

}  // namespace ricochet
