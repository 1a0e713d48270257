// SPDX-License-Identifier: BSD-3-Clause
//
// Where the copies of a halo are, by id: what a neighbour says of a particle names it so. A hash table with
// open addressing, made anew in every step and at most half full; sorted pairs took five times as long.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/particles.hpp"
#include "ricochet/events/prediction.hpp"

namespace ricochet {

class CopyIndex {
  public:
    /// Names all from slot `first` on. O(their number).
    void build(std::span<const Motion> motion, std::size_t first) {
        const std::size_t num_entries = std::bit_ceil(2 * (motion.size() - first) + 1);
        shift_ = 64 - std::countr_zero(num_entries);
        entries_.assign(num_entries, Entry{});
        for (std::size_t k = first; k < motion.size(); ++k)
            entries_[place_of(motion[k].id)] = {motion[k].id, static_cast<Slot>(k)};
    }
    /// no_slot when there is no such copy.
    Slot slot_of(ParticleId id) const { return entries_[place_of(id)].slot; }

  private:
    struct Entry {
        ParticleId id = 0;
        Slot slot = no_slot;
    };

    /// Where the id is, or where it would be put.
    std::size_t place_of(ParticleId id) const {
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
        std::size_t place = shift_ < 64 ? (id * golden) >> shift_ : 0;
        while (entries_[place].slot != no_slot && entries_[place].id != id)
            place = (place + 1) & (entries_.size() - 1);
        return place;
    }

    int shift_ = 64;
    std::vector<Entry> entries_{1};
};

}  // namespace ricochet
