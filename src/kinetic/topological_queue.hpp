// SPDX-License-Identifier: BSD-3-Clause
//
// Topological events: the times at which a kinetic structure changes (kinetic_structure.hpp). They only decide when a
// pair is looked at. So they may come a little late by rounding, and equal times may come in any order.
//
// What has become void stays in the queue, until its turn comes and the structure does not know its stamp any more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/core/array_memory.hpp"

namespace ricochet {

struct TopologicalEvent {
    double time = 0;          ///< within the step
    std::uint32_t name = 0;   ///< to its structure, such as a slot
    std::uint32_t stamp = 0;  ///< likewise: of the state that it was predicted from
};
static_assert(sizeof(TopologicalEvent) == 16);

/// A binary heap, the earliest on top.
class TopologicalQueue {
  public:
    /// Infinite where there is none.
    double next_time() const {
        return events_.empty() ? std::numeric_limits<double>::infinity() : events_.front().time;
    }
    void push(const TopologicalEvent& event) {
        events_.push_back(event);
        std::push_heap(events_.begin(), events_.end(), is_later);
    }
    /// There must be one.
    TopologicalEvent pop() {
        std::pop_heap(events_.begin(), events_.end(), is_later);
        const TopologicalEvent event = events_.back();
        events_.pop_back();
        return event;
    }
    void clear() { events_.clear(); }
    std::size_t memory_bytes() const { return bytes_of(events_); }

  private:
    static bool is_later(const TopologicalEvent& p, const TopologicalEvent& q) {
        return p.time != q.time ? p.time > q.time : p.name > q.name;
    }

    std::vector<TopologicalEvent> events_;
};

}  // namespace ricochet
