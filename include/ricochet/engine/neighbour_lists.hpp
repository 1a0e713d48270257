// SPDX-License-Identifier: BSD-3-Clause
//
// For every slot, the slots whose balls (search/broad_phase.hpp) meet its own: all that it can touch in this
// step. Made once per step from the pairs that the search names, so that the search after a contact reads a
// short list instead of the cells around. When a ball outgrows its reach in the course of the step, the pairs
// that this adds are chained to both slots.
//
// Lists only grow within a step; they name too many rather than too few, as the search does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/search/candidate_pairs.hpp"

namespace ricochet {

class NeighbourLists {
  public:
    /// O(slots + pairs).
    void build(const CandidatePairs& pairs, std::size_t num_slots) {
        nodes_.clear();
        first_added_.assign(num_slots, no_node);
        begin_.assign(num_slots + 1, 0);
        // begin_[slot] first counts, then is where the slot's list ends, and in the end where it begins.
        pairs.for_each_run([this](Slot slot, std::span<const Slot> partners) {
            begin_[slot] += partners.size();
            for (const Slot partner : partners) ++begin_[partner];
        });
        std::size_t end = 0;
        for (std::size_t& begin : begin_) begin = end += begin;
        neighbours_.resize(end);
        pairs.for_each_run([this](Slot slot, std::span<const Slot> partners) {
            std::size_t at = begin_[slot] -= partners.size();
            for (const Slot partner : partners) {
                neighbours_[at++] = partner;
                neighbours_[--begin_[partner]] = slot;
            }
        });
    }

    /// Those that the slot had when the lists were built.
    std::span<const Slot> built(Slot slot) const {
        return {neighbours_.data() + begin_[slot], begin_[slot + 1] - begin_[slot]};
    }
    /// The neighbours of the slot; valid until the lists or `scratch` change.
    std::span<const Slot> of(Slot slot, std::vector<Slot>& scratch) const {
        if (first_added_[slot] == no_node) return built(slot);
        scratch.assign(built(slot).begin(), built(slot).end());
        for (auto k = first_added_[slot]; k != no_node; k = nodes_[k].next) scratch.push_back(nodes_[k].slot);
        return scratch;
    }

    void prefetch_head(Slot slot) const {
        __builtin_prefetch(&begin_[slot]);
        __builtin_prefetch(&first_added_[slot]);
    }
    void prefetch_list(Slot slot) const { __builtin_prefetch(neighbours_.data() + begin_[slot]); }

    /// Makes every slot of `met` a neighbour of `slot` that is not yet one.
    void extend(Slot slot, std::span<const Slot> met) {
        const std::span<const Slot> known = of(slot, scratch_);
        for (const Slot other : met) {
            if (other == slot || std::find(known.begin(), known.end(), other) != known.end()) continue;
            chain(slot, other);
            chain(other, slot);
        }
    }

  private:
    static constexpr std::uint32_t no_node = 0xffffffffu;
    struct Node {
        Slot slot;
        std::uint32_t next;
    };

    void chain(Slot slot, Slot neighbour) {
        nodes_.push_back({neighbour, first_added_[slot]});
        first_added_[slot] = static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    std::vector<std::size_t> begin_;
    std::vector<Slot> neighbours_;
    std::vector<std::uint32_t> first_added_;  ///< by slot: list in nodes_
    std::vector<Node> nodes_;
    std::vector<Slot> scratch_;
};

}  // namespace ricochet
