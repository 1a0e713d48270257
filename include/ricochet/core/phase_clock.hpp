// SPDX-License-Identifier: BSD-3-Clause
//
// The wall time that a rank spends in each phase of a run. Phases nest: time counts for the innermost one
// only, so the seconds of all phases add up to the time that passes.
//
// This list of phases is the only one. The report at the end of a run, the result file and the benchmarks take
// names from it. A phase that is renamed keeps its word in result files, so that old and new files read alike.
// The scripts that read reports and files have tables of old words: jobs/scaling.py, tests/bench/table.py and
// src/app/report/phases.py.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

namespace ricochet {

enum class Phase : std::uint8_t {
    drive,      ///< velocities at the begin of a step
    migration,  ///< with the agreement of the ranks: includes waiting for them
    halo,
    binning,   ///< bounding spheres, sorted into cells
    search,    ///< contacts of undisturbed paths
    events,    ///< contacts one after another, with the searches that they call for
    exchange,  ///< of boundary events: includes waiting for other ranks
    rollback,  ///< contacts resolved again, since a neighbour has sent some that change them
    finish,    ///< end of the step
    sorting,   ///< particles in memory, by place
    observables,
    output
};

struct PhaseName {
    Phase phase;
    std::string_view name;      ///< in reports and tables; one word
    std::string_view stored;    ///< in result files
    bool is_computing = false;  ///< work on contacts, without waiting; load balancing evens it out
};

inline constexpr std::size_t num_phases = 12;
/// Those before the observables make up a step; the others are sampling and output.
inline constexpr std::size_t num_step_phases = 10;
inline constexpr std::array<PhaseName, num_phases> phase_names{
    {{Phase::drive, "drive", "drive"},
     {Phase::migration, "migration", "migration"},
     {Phase::halo, "halo", "halo"},
     {Phase::binning, "binning", "cells", true},
     {Phase::search, "search", "primaries", true},
     {Phase::events, "events", "islands", true},
     {Phase::exchange, "exchange", "exchange"},
     {Phase::rollback, "rollback", "repair", true},
     {Phase::finish, "finish", "finish"},
     {Phase::sorting, "sorting", "sorting"},
     {Phase::observables, "observables", "observables"},
     {Phase::output, "output", "output"}}};
static_assert(
    [] {
        std::size_t place = 0;
        for (const PhaseName& row : phase_names)
            if (static_cast<std::size_t>(row.phase) != place++) return false;
        return true;
    }(),
    "the names stand in the order of the phases");

class PhaseClock {
  public:
    /// A phase from construction to destruction. Scopes end in the reverse order of their begin.
    class [[nodiscard]] Scope {
      public:
        /// Without a clock the scope measures nothing.
        Scope(PhaseClock* clock, Phase phase) : clock_(clock) {
            if (clock_ != nullptr) outer_ = clock_->change_to(static_cast<std::size_t>(phase));
        }
        ~Scope() {
            if (clock_ != nullptr) clock_->change_to(outer_);
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        PhaseClock* clock_;
        std::size_t outer_ = outside;
    };

    Scope enter(Phase phase) { return {this, phase}; }

    /// Seconds in the phase, without those in phases inside it, up to the latest change of phase.
    double seconds(Phase phase) const { return seconds_[static_cast<std::size_t>(phase)]; }
    /// Seconds between the start of the clock and the latest change of phase.
    double total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }
    /// Starts anew, outside all phases.
    void restart() { *this = PhaseClock(); }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t outside = num_phases;

    std::size_t change_to(std::size_t phase) {
        const Clock::time_point now = Clock::now();
        seconds_[current_] += std::chrono::duration<double>(now - changed_).count();
        changed_ = now;
        return std::exchange(current_, phase);
    }

    std::array<double, num_phases + 1> seconds_{};  ///< the last one: outside all phases
    std::size_t current_ = outside;
    Clock::time_point changed_ = Clock::now();
};

}  // namespace ricochet
