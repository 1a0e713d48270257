// SPDX-License-Identifier: BSD-3-Clause
//
// For every slot, the slots whose bounding spheres (search/broad_phase.hpp) overlap its own: all that it can
// touch in the search interval.
//
// Built from the pairs that the search names. The search after a contact then reads a short list instead of
// the cells around. When a bounding sphere grows in the course of the interval, the pairs that this adds are
// chained to both slots.
//
// Invariant: lists only grow within an interval. They may name too many, never too few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

class NeighbourLists {
  public:
    explicit NeighbourLists(BlockStore& store) : nodes_(store) {}

    /// O(slots + pairs). Throws RunError for more than 2^31 pairs.
    void build(const CandidatePairs& pairs, std::size_t num_slots) {
        if (pairs.size() > std::numeric_limits<std::uint32_t>::max() / 2)
            throw RunError(
                "more than 2^31 pairs of particles on one rank may touch in a step: use more ranks");
        forget_added();
        make_room(heads_, num_slots + 1);
        heads_.assign(num_slots + 1, Head{});
        // `begin` first counts, then is where the slot's list ends, and in the end where it begins.
        pairs.for_each_block([this](const PairSpan& some) {
            for (const Slot slot : some.first) ++heads_[slot].begin;
            for (const Slot slot : some.second) ++heads_[slot].begin;
        });
        std::uint32_t end = 0;
        for (Head& head : heads_) head.begin = end += head.begin;
        resize_for_overwrite(neighbours_, end + group);
        std::fill_n(neighbours_.rbegin(), group, Slot{0});
        pairs.for_each_block([this](const PairSpan& some) {
            constexpr std::size_t ahead = 16;  // partners are anywhere in memory, and so are their lists
            const auto note = [&](std::size_t k) {
                neighbours_[--heads_[some.first[k]].begin] = some.second[k];
                neighbours_[--heads_[some.second[k]].begin] = some.first[k];
            };
            std::size_t k = 0;
            for (; k + 2 * ahead < some.size(); ++k) {
                prefetch(&heads_[some.second[k + 2 * ahead]]);
                prefetch(neighbours_.data() + heads_[some.second[k + ahead]].begin);
                note(k);
            }
            for (; k < some.size(); ++k) note(k);
        });
    }

    /// Without the additions, which are the store's.
    std::size_t memory_bytes() const { return bytes_of(heads_, neighbours_, scratch_); }

    /// Frees what the additions to the lists take.
    void forget_added() { nodes_.clear(); }

    /// Those that the slot had when the lists were built.
    std::span<const Slot> built(Slot slot) const {
        RICOCHET_DCHECK_LT(slot + 1, heads_.size());
        const std::uint32_t begin = heads_[slot].begin;
        return {neighbours_.data() + begin, heads_[slot + 1].begin - begin};
    }
    /// The neighbours of the slot; valid until the lists or `scratch` change.
    std::span<const Slot> of(Slot slot, std::vector<Slot>& scratch) const {
        if (heads_[slot].first_added == no_node) return built(slot);
        scratch.assign(built(slot).begin(), built(slot).end());
        for (auto k = heads_[slot].first_added; k != no_node; k = nodes_[k].next)
            scratch.push_back(nodes_[k].slot);
        return scratch;
    }

    void prefetch_head(Slot slot) const { prefetch_far(&heads_[slot]); }
    void prefetch_list(Slot slot) const {
        constexpr std::uint32_t per_line = 64 / sizeof(Slot);
        for (std::uint32_t k = heads_[slot].begin; k < heads_[slot + 1].begin; k += per_line)
            prefetch(neighbours_.data() + k);
    }

    /// fetch(neighbour) for those of built(slot), and for up to three of other slots: where a loop over
    /// single ones ends cannot be predicted.
    template <class Fetch>
    void for_each_ahead(Slot slot, Fetch&& fetch) const {
        for (std::size_t k = heads_[slot].begin; k < heads_[slot + 1].begin; k += group) {
            for (std::size_t j = k; j < k + group; ++j) fetch(neighbours_[j]);
        }
    }

    /// Makes every one of the others a neighbour of `slot` that is not yet one.
    void extend(Slot slot, std::span<const Slot> others) {
        const std::span<const Slot> known = of(slot, scratch_);
        for (const Slot other : others) {
            if (other == slot || std::find(known.begin(), known.end(), other) != known.end()) continue;
            chain(slot, other);
            chain(other, slot);
        }
    }

  private:
    static constexpr std::uint32_t no_node = 0xffffffffu;
    static constexpr std::size_t group = 4;  ///< fetched at once; behind the last list stand that many zeros
    struct Node {
        Slot slot;
        std::uint32_t next;
    };
    struct Head {
        std::uint32_t begin = 0;  ///< in neighbours_, up to the next slot's
        std::uint32_t first_added = no_node;
    };

    void chain(Slot slot, Slot neighbour) {
        nodes_.push_back({neighbour, heads_[slot].first_added});
        heads_[slot].first_added = static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    std::vector<Head> heads_;  ///< by slot, and one more
    std::vector<Slot> neighbours_;
    BlockVector<Node> nodes_;
    std::vector<Slot> scratch_;
};

}  // namespace ricochet
