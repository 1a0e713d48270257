// SPDX-License-Identifier: BSD-3-Clause
//
// The contacts of a step in the order in which they happened.
//
// Algorithm: a bucket sort. The times of the contacts of a step are spread evenly over it, so buckets of equal
// length get a few contacts each. These are sorted in place. Sub-windows pass contacts on one after another, so
// the contacts of a bucket also lie near each other in memory. Times may be uneven, as in a cradle: long buckets
// are sorted by comparisons.
//
// Places of 16 bytes are sorted, and not the contacts. Equal times are rare, and only for these the keys are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "result/collision_row.hpp"
#include "ricochet/model/contact.hpp"

namespace ricochet {

class ContactOrder {
  public:
    /// Where a contact stands in a list of contacts, and when it counts as happening.
    struct Place {
        double time = 0;
        std::uint32_t index = 0;
    };

    /// Sorts those of `contacts` for which accepts(contact). The places are valid until the next call. Keys must
    /// differ, and there must be fewer than 2^32 contacts. O(n) where times are spread evenly, at most O(n log n).
    template <class Accepts>
    std::span<const Place> sort(std::span<const Contact> contacts, Accepts accepts) {
        make_room(contacts.size());
        std::size_t count = 0;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            places_[count] = {time_in_order(contacts[k].key.time, contacts[k].effect),
                              static_cast<std::uint32_t>(k)};
            count += accepts(contacts[k]) ? 1 : 0;
        }
        return sort_places(contacts, count);
    }

  private:
    void make_room(std::size_t size);
    std::span<const Place> sort_places(std::span<const Contact> contacts, std::size_t count);

    std::vector<Place> places_, sorted_;
    std::vector<std::uint32_t> ends_;  ///< of buckets, in sorted_
};

}  // namespace ricochet
