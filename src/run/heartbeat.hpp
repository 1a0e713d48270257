// SPDX-License-Identifier: BSD-3-Clause
//
// When all ranks interrupt the physics for progress, output of buffers and signals. This happens a few times
// per second of wall time, but all ranks must agree on the step.
//
// Each beat agrees on how many steps fit into the interval, and so sets the next beat. Cost: one reduction
// per beat, nothing in between.
#pragma once

#include <chrono>
#include <cstdint>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class Heartbeat {
  public:
    explicit Heartbeat(Exchange& exchange, double interval_seconds = 0.25)
        : exchange_(exchange), interval_(interval_seconds) {}

    /// Whether a beat is due after this many steps; the same answer on all ranks.
    bool is_due(std::uint64_t steps_done) const { return steps_done >= next_; }
    /// Records a beat and agrees on the next, at most twice as many steps ahead as this one was. Collective.
    void beat(std::uint64_t steps_done);
    /// Seconds since construction or restart, the largest of the ranks at the latest beat.
    double seconds() const { return seconds_; }
    /// Starts the clock anew, since the time so far was not spent on steps. The next step beats.
    void restart(std::uint64_t steps_done = 0);

  private:
    using Clock = std::chrono::steady_clock;

    Exchange& exchange_;
    double interval_;
    std::uint64_t previous_ = 0;
    std::uint64_t next_ = 1;
    double seconds_ = 0;
    Clock::time_point previous_time_ = Clock::now();
};

}  // namespace ricochet
