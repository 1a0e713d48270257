// SPDX-License-Identifier: BSD-3-Clause
//
// Ends a run that hangs: a file system that does not answer, a node that is gone, a defect.
//
// A thread of each rank checks now and then a counter that the run advances. When it has not moved for the
// allowed time, the rank prints where it is. It then waits for the others to print the same, since ranks that
// wait for a hung one stand still too. Finally it ends its process, on which mpirun ends all others. A rank
// that prints nothing is stopped, or its node is gone.
//
// It watches a run from the moment its input is read until the result is closed.
//
// The thread calls nothing of MPI, which may be what hangs. Disadvantage: a step or a placement that takes
// longer than the limit looks like a hang.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace ricochet {

class Watchdog {
  public:
    /// Watches from now on; does nothing for a limit of 0 minutes.
    Watchdog(int rank, double limit_minutes);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    Watchdog(Watchdog&&) = delete;
    Watchdog& operator=(Watchdog&&) = delete;
    ~Watchdog();

    /// Says that the rank is alive and enters `phase` (a word of static storage) after `step` steps. Wait-free.
    void note(const char* phase, std::uint64_t step) {
        step_.store(step, std::memory_order_relaxed);
        note(phase);
    }
    /// The same, before the first step or after the last one.
    void note(const char* phase) {
        phase_.store(phase, std::memory_order_relaxed);
        num_notes_.fetch_add(1, std::memory_order_release);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void watch();
    [[noreturn]] void end_program() const;

    int rank_;
    std::chrono::duration<double> limit_;
    std::atomic<const char*> phase_{"the start"};
    std::atomic<std::uint64_t> step_{0};
    std::atomic<std::uint64_t> num_notes_{0};
    std::mutex mutex_;
    std::condition_variable end_;
    bool is_over_ = false;  ///< guarded by mutex_
    std::thread thread_;
};

}  // namespace ricochet
