// SPDX-License-Identifier: BSD-3-Clause
//
// What a search finds at the start of a step: pairs of slots, as runs of partners of one slot. A slot may
// have several runs or none; a pair appears once, with either slot first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/particles.hpp"

namespace ricochet {

class CandidatePairs {
  public:
    void clear() {
        runs_.clear();
        num_pairs_ = 0;
    }
    std::size_t size() const { return num_pairs_; }

    /// Room for at least `count` partners, to be written by the caller before end_run. The memory is reused:
    /// it grows, and is never filled with zeros, only when a step has more pairs than all before.
    Slot* begin_run(std::size_t count) {
        if (partners_.size() < num_pairs_ + count) partners_.resize(2 * (num_pairs_ + count));
        return partners_.data() + num_pairs_;
    }
    /// Keeps the first `count` partners that were written since begin_run, as those of `slot`.
    void end_run(Slot slot, std::size_t count) {
        if (count == 0) return;
        runs_.push_back({slot, static_cast<std::uint32_t>(count)});
        num_pairs_ += count;
    }

    /// visit(slot, partners) for every run, in the order in which they were found.
    template <class Visit>
    void for_each_run(Visit&& visit) const {
        const Slot* first = partners_.data();
        for (const Run& run : runs_) {
            visit(run.slot, std::span<const Slot>(first, run.count));
            first += run.count;
        }
    }

    /// The same, with fetch(partner) for every partner about `ahead` partners before it is visited.
    template <class Visit, class Fetch>
    void for_each_run(Visit&& visit, std::size_t ahead, Fetch&& fetch) const {
        const Slot* const begin = partners_.data();
        std::size_t fetched = 0, end = 0;
        for_each_run([&](Slot slot, std::span<const Slot> partners) {
            end += partners.size();
            for (const std::size_t until = std::min(end + ahead, num_pairs_); fetched < until; ++fetched)
                fetch(begin[fetched]);
            visit(slot, partners);
        });
    }

  private:
    struct Run {
        Slot slot;
        std::uint32_t count;
    };
    std::vector<Run> runs_;
    std::vector<Slot> partners_;
    std::size_t num_pairs_ = 0;
};

}  // namespace ricochet
