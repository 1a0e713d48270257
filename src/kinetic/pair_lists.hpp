// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs of neighbours, listed for both partners (kinetic_sweep.hpp).
//
// Layout: a pair is two links, side by side in one array. Each is in the doubly linked list of its slot. So either link
// is enough to take the pair out of both lists in O(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class PairLists {
  public:
    void clear(std::size_t num_slots) {
        first_.assign(num_slots, none);
        links_.clear();
        first_free_ = none;
    }
    /// The pair must not be there. O(1).
    void add(Slot a, Slot b) {
        const Index pair = take_free();
        insert(pair, a, b);
        insert(pair + 1, b, a);
    }
    /// The pair must be there. O(neighbours of a).
    void remove(Slot a, Slot b) {
        Index link = first_[a];
        while (links_[link].other != b) {
            link = links_[link].next;
            RICOCHET_CHECK_NE(link, none);
        }
        erase(link);
    }
    /// All pairs of the slot.
    void remove_all(Slot slot) {
        while (first_[slot] != none) erase(first_[slot]);
    }
    void append(Slot slot, std::vector<Slot>& found) const {
        for (Index link = first_[slot]; link != none; link = links_[link].next)
            found.push_back(links_[link].other);
    }
    std::size_t memory_bytes() const { return bytes_of(first_, links_); }

  private:
    using Index = std::uint32_t;  ///< of a link; that of the partner differs in the last bit
    static constexpr Index none = 0xffffffffu;
    struct Link {
        Slot other = 0;
        Index next = none, previous = none;  ///< in the list of the slot
    };

    Index take_free() {
        const Index pair = first_free_;
        if (pair != none) {
            first_free_ = links_[pair].next;
            return pair;
        }
        RICOCHET_CHECK_LT(links_.size(), std::size_t{none} - 1);
        links_.resize(links_.size() + 2);
        return static_cast<Index>(links_.size() - 2);
    }
    void insert(Index link, Slot slot, Slot other) {
        Index& first = first_[slot];
        links_[link] = {other, first, none};
        if (first != none) links_[first].previous = link;
        first = link;
    }
    void erase(Index link) {
        const Index partner = link ^ 1u, pair = link & ~1u;
        unlink(link, links_[partner].other);
        unlink(partner, links_[link].other);
        links_[pair].next = first_free_;
        first_free_ = pair;
    }
    void unlink(Index link, Slot slot) {
        const auto [other, next, previous] = links_[link];
        (previous != none ? links_[previous].next : first_[slot]) = next;
        if (next != none) links_[next].previous = previous;
    }

    std::vector<Index> first_;  ///< by slot
    std::vector<Link> links_;
    Index first_free_ = none;  ///< pair that is not in use; `next` leads to more
};

}  // namespace ricochet
