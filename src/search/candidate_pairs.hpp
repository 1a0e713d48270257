// SPDX-License-Identifier: BSD-3-Clause
//
// The candidate pairs that a search finds at the start of a step: pairs of slots, each once, with either slot
// first.
//
// Layout: blocks (core/block_store.hpp), half of each for the first slots and half for the second ones. So
// whole vectors are written and read. Pairs take most of the memory that the start of a step needs, and the
// rest of the step does not need them. So their blocks are reused at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Pairs first[k], second[k].
struct PairSpan {
    std::span<const Slot> first, second;
    std::size_t size() const { return first.size(); }
};

class CandidatePairs {
  public:
    static constexpr std::size_t per_block = BlockStore::block_bytes / (2 * sizeof(Slot));

    /// Where the caller may write pairs; keep() adds them.
    struct Room {
        Slot* first;
        Slot* second;
    };

    /// The store must outlive the pairs.
    explicit CandidatePairs(BlockStore& store) : store_(store) {}
    CandidatePairs(const CandidatePairs&) = delete;
    CandidatePairs& operator=(const CandidatePairs&) = delete;
    ~CandidatePairs() { clear(); }

    void clear() {
        for (const Block& block : blocks_) release(block);
        blocks_.clear();
        next_ = nullptr;
        room_ = 0;
    }
    std::size_t size() const {
        std::size_t size = 0;
        for_each_block([&size](const PairSpan& pairs) { size += pairs.size(); });
        return size;
    }

    /// Room for `count` pairs, at most per_block, after the pairs that were kept.
    Room room_for(std::size_t count) {
        RICOCHET_DCHECK_LE(count, per_block);
        if (count > room_) add_block();
        return {next_, next_ + per_block};
    }
    /// Keeps the first `count` pairs that were written to the latest room.
    void keep(std::size_t count) {
        RICOCHET_DCHECK_LE(count, room_);
        next_ += count;
        room_ -= count;
    }
    void add(Slot first, Slot second) {
        const Room room = room_for(1);
        *room.first = first;
        *room.second = second;
        keep(1);
    }

    /// Removes the pairs for which is_kept(first, second) is false.
    template <class IsKept>
    void keep_if(IsKept&& is_kept) {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            Slot *const first = blocks_[b].first(), *const second = first + per_block;
            const std::size_t size = pairs_of(b).size();
            std::size_t num_kept = 0;
            for (std::size_t k = 0; k < size; ++k) {
                const Slot a = first[k], c = second[k];
                first[num_kept] = a;
                second[num_kept] = c;
                num_kept += is_kept(a, c) ? 1 : 0;
            }
            if (b + 1 < blocks_.size()) {
                blocks_[b].size = num_kept;
            } else {
                next_ -= size - num_kept;
                room_ += size - num_kept;
            }
        }
    }

    /// Calls visit(pairs) for all pairs, in the order in which they were added.
    template <class Visit>
    void for_each_block(Visit&& visit) const {
        for (std::size_t b = 0; b < blocks_.size(); ++b) visit(pairs_of(b));
    }
    /// The same, and empties the list. Every block is given back as soon as it has been visited, so that what
    /// the visits fill can use it.
    template <class Visit>
    void consume(Visit&& visit) {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            visit(pairs_of(b));
            release(blocks_[b]);
            blocks_[b].memory = nullptr;
        }
        clear();
    }

  private:
    struct Block {
        std::byte* memory = nullptr;
        std::size_t size = 0;  ///< of a block that is not the last

        Slot* first() const { return reinterpret_cast<Slot*>(memory); }
    };

    PairSpan pairs_of(std::size_t b) const {
        const Slot* const first = blocks_[b].first();
        const std::size_t size = b + 1 < blocks_.size() ? blocks_[b].size : per_block - room_;
        return {{first, size}, {first + per_block, size}};
    }
    void release(const Block& block) {
        if (block.memory != nullptr) store_.give_back(block.memory);
    }
    void add_block() {
        if (!blocks_.empty()) blocks_.back().size = per_block - room_;
        blocks_.push_back({});
        blocks_.back().memory = store_.take();
        next_ = blocks_.back().first();
        room_ = per_block;
    }

    BlockStore& store_;
    std::vector<Block> blocks_;
    Slot* next_ = nullptr;  ///< where the next first slot is written
    std::size_t room_ = 0;  ///< pairs that fit into the last block
};

}  // namespace ricochet
