// SPDX-License-Identifier: BSD-3-Clause
//
// The event queue of one island: a binary heap of a handful of predictions, earliest key on top.
//
// Ids decide only exact ties of time and generation. So the heap is ordered by these two, and asks its owner
// for the ids when both are equal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/prediction.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

/// TieBreak: callable (const Prediction&, const Prediction&) -> true if the first comes later by ids.
template <class TieBreak>
class EventHeap {
  public:
    explicit EventHeap(TieBreak tie_break) : tie_break_(tie_break) {}

    bool empty() const { return events_.empty(); }
    void clear() { events_.clear(); }
    std::size_t memory_bytes() const { return bytes_of(events_); }
    /// In no order.
    std::span<const Prediction> events() const { return events_; }
    /// The earliest; there must be one.
    const Prediction& top() const { return events_.front(); }
    // Every contact passes through these two. The compiler stops inlining them when the callers grow.
    [[gnu::always_inline]] void push(const Prediction& event) {
        events_.push_back(event);
        std::push_heap(events_.begin(), events_.end(), later());
    }
    [[gnu::always_inline]] Prediction pop() {
        std::pop_heap(events_.begin(), events_.end(), later());
        const Prediction event = events_.back();
        events_.pop_back();
        return event;
    }

  private:
    auto later() const {
        return [this](const Prediction& p, const Prediction& q) {
            if (p.time != q.time) return p.time > q.time;
            if (p.generation != q.generation) return p.generation > q.generation;
            return tie_break_(p, q);
        };
    }

    TieBreak tie_break_;
    std::vector<Prediction> events_;
};

}  // namespace ricochet
