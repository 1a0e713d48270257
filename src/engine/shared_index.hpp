// SPDX-License-Identifier: BSD-3-Clause
//
// The slots of particles that neighbours have too, by id: boundary events name particles by id. Owned ones
// and copies alike.
//
// Layout: a hash table of slots with open addressing, made anew in every step and at most half full. The ids
// are those of the particles themselves. Sorted pairs, and ids in the table, are slower (note 20 of
// tests/bench/notes.md).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/holders.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class SharedIndex {
  public:
    /// Names all slots that another rank has. Keeps the span of motions. O(their number, and that of all / 64).
    void build(std::span<const Motion> motion, const Holders& holders) {
        motion_ = motion;
        std::size_t size = 0;
        holders.for_each_shared([&](Slot slot) {
            prefetch_far(&motion[slot].id);
            ++size;
        });
        const std::size_t num_places = std::bit_ceil(2 * size + 1);
        shift_ = 64 - std::countr_zero(num_places);
        slots_.assign(num_places, empty);
        holders.for_each_shared([&](Slot slot) {
            std::size_t place = first_place_of(motion[slot].id);
            while (slots_[place] != empty) place = next(place);  // no id comes twice
            slots_[place] = slot;
        });
    }
    /// None where no other rank has it.
    std::optional<Slot> slot_of(ParticleId id) const {
        for (std::size_t place = first_place_of(id); slots_[place] != empty; place = next(place))
            if (motion_[slots_[place]].id == id) return slots_[place];
        return std::nullopt;
    }

  private:
    static constexpr Slot empty = most_local_particles;  ///< no slot: of a place that holds none

    std::size_t first_place_of(ParticleId id) const {
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
        return shift_ < 64 ? (id * golden) >> shift_ : 0;
    }
    std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

    std::span<const Motion> motion_;
    int shift_ = 64;
    std::vector<Slot> slots_{empty};  ///< by place
};

}  // namespace ricochet
