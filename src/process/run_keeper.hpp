// SPDX-License-Identifier: BSD-3-Clause
//
// The Interruptions of the program. It decides when a checkpoint is due and when the run must stop, and
// writes the checkpoints beside the result. The last step always gets one, so that every run can be made
// longer.
//
// Checkpoints due by steps follow from the step number, without communication. Checkpoints due by time, and
// stops by a signal or a limit on one rank, are agreed on at beats. Each beat reduces a few flags. So a
// request takes effect within about half a second, or at the end of the current step.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "process/watchdog.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/result_recorder.hpp"
#include "ricochet/run/simulation.hpp"

namespace ricochet {

/// When to stop at a checkpoint, on the clocks of this rank.
struct StopLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline;  ///< --max-hours
    std::optional<double> stop_at;                                  ///< RICOCHET_STOP_AT, seconds since 1970

    /// Throws InputError for a RICOCHET_STOP_AT that is not a number.
    static StopLimits from(std::chrono::steady_clock::time_point start, std::optional<double> max_hours);
};

class RunKeeper final : public Interruptions {
  public:
    /// Keeps references to all but the limits.
    RunKeeper(Exchange& exchange, const Config& config, const Simulation& simulation,
              ResultRecorder& recorder, Monitor& monitor, Watchdog& watchdog, StopLimits limits);
    /// Sets the identity of the run, the start of this part, and the times of earlier parts.
    void describe_run(RunIdentity identity, std::chrono::steady_clock::time_point start, RunTimes earlier);
    /// The times of all parts until now, for checkpoints and the report. Collective.
    RunTimes times() const;

    Interruption ask(const StepEnd& end) override;
    void save(const RunState& state, const Particles& owned) override;
    void enter(const char* phase, std::uint64_t step) override { watchdog_.note(phase, step); }

    /// The path of the latest checkpoint; empty before the first.
    const std::string& latest_path() const { return latest_path_; }

    /// Removes this run's checkpoints, once its result is complete. Throws RunError. Collective.
    void remove_checkpoints() const;

  private:
    std::uint64_t own_flags() const;
    bool is_due_by_steps(const StepEnd& end) const;

    Exchange& exchange_;
    const Config& config_;
    const Simulation& simulation_;
    ResultRecorder& recorder_;
    Monitor& monitor_;
    Watchdog& watchdog_;
    StopLimits limits_;
    RunIdentity identity_;
    RunTimes earlier_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::string latest_path_;
    std::chrono::steady_clock::time_point latest_save_ = std::chrono::steady_clock::now();
};

}  // namespace ricochet
