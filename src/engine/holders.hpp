// SPDX-License-Identifier: BSD-3-Clause
//
// Which neighbours have a slot too.
//
// Only slots near the faces are shared with other ranks. Particles are sorted in space, so these lie in few blocks, and
// only such blocks have masks. One mask for every slot would be written and read in every step, and read again at every
// contact: bytes from memory that say nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Bit n: the n-th entry of the rank's list of neighbours has the particle too (as owner or as a copy).
using NeighbourMask = std::uint32_t;

/// The masks of slots [0, size).
class Holders {
  public:
    /// No slots at all: without neighbours.
    Holders() = default;

    std::size_t size() const { return size_; }

    /// Sets the number of slots, of which none is shared. O(size / 4096).
    void reset(std::size_t size) {
        size_ = 0;
        clear_and_trim(pages_);
        is_shared_.clear();
        resize(size);
    }
    /// Slots beyond the former size are not shared.
    void resize(std::size_t size) {
        size_ = size;
        const std::size_t num_blocks = size / slots_per_block + 1;
        is_shared_.resize(num_blocks / bits_per_word + 1);
        page_of_.resize(num_blocks);
    }

    void set(Slot slot, NeighbourMask mask) {
        const Slot block = slot / slots_per_block;
        if (!may_be_shared(slot)) {
            if (mask == 0) return;
            is_shared_[block / bits_per_word] |= std::uint64_t{1} << block % bits_per_word;
            page_of_[block] = static_cast<std::uint32_t>(pages_.size());
            pages_.emplace_back();
        }
        pages_[page_of_[block]][slot % slots_per_block] = mask;
    }

    NeighbourMask operator[](Slot slot) const {
        return may_be_shared(slot) ? pages_[page_of_[slot / slots_per_block]][slot % slots_per_block] : 0;
    }
    /// Whether a neighbour might have the slot: whether one has any of its block.
    bool may_be_shared(Slot slot) const {
        const Slot block = slot / slots_per_block;
        return (is_shared_[block / bits_per_word] >> block % bits_per_word & 1) != 0;
    }
    /// visit(slot) for all that a neighbour has, in no particular order. O(their blocks).
    template <class Visit>
    void for_each_shared(Visit&& visit) const {
        for (Slot block = 0; block < page_of_.size(); ++block) {
            if (!may_be_shared(block * slots_per_block)) continue;
            const auto& page = pages_[page_of_[block]];
            for (Slot k = 0; k < slots_per_block; ++k)
                if (page[k] != 0) visit(block * slots_per_block + k);
        }
    }
    /// A hint to the processor, for a slot that may be shared.
    void prefetch_mask(Slot slot) const {
        prefetch(&pages_[page_of_[slot / slots_per_block]][slot % slots_per_block]);
    }

  private:
    static constexpr Slot slots_per_block = 64;
    static constexpr Slot bits_per_word = 64;

    std::size_t size_ = 0;
    std::vector<std::uint64_t> is_shared_;  ///< bit by block of slots
    std::vector<std::uint32_t> page_of_;    ///< by block; of those that are shared
    std::vector<std::array<NeighbourMask, slots_per_block>> pages_;
};

}  // namespace ricochet
