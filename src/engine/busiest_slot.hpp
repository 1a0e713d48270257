// SPDX-License-Identifier: BSD-3-Clause
//
// How many contacts the slot has that has most: a giant among small particles, or one much faster than the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class BusiestSlot {
  public:
    /// O(slots), two bytes each.
    void begin(std::size_t num_slots) {
        make_room(counts_, num_slots);
        counts_.assign(num_slots, 0);
        most_ = 0;
    }
    void add(Slot slot) {
        RICOCHET_DCHECK_LT(slot, counts_.size());
        std::uint16_t& count = counts_[slot];
        if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
        most_ = std::max(most_, count);
    }

    /// 65,535 for that or more.
    std::uint64_t count() const { return most_; }
    std::size_t memory_bytes() const { return bytes_of(counts_); }

  private:
    std::vector<std::uint16_t> counts_;
    std::uint16_t most_ = 0;
};

}  // namespace ricochet
