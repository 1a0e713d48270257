// SPDX-License-Identifier: BSD-3-Clause
//
// Where the particles are that neighbours have too, by id: what a neighbour says of a particle names it so.
// Owned ones and copies alike. A hash table with open addressing, made anew in every step and at most half
// full; sorted pairs took five times as long.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/particles.hpp"
#include "ricochet/engine/holders.hpp"
#include "ricochet/events/prediction.hpp"

namespace ricochet {

class SharedIndex {
  public:
    /// Names all that somebody else has. O(their number, and that of all / 64).
    void build(std::span<const Motion> motion, const Holders& holders) {
        std::size_t size = 0;
        holders.for_each_shared([&size](Slot) { ++size; });
        const std::size_t num_entries = std::bit_ceil(2 * size + 1);
        shift_ = 64 - std::countr_zero(num_entries);
        entries_.assign(num_entries, Entry{});
        holders.for_each_shared([&](Slot slot) {
            entries_[place_of(motion[slot].id)] = {motion[slot].id, slot};
        });
    }
    /// no_slot when nobody else has it.
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
