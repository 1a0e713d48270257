// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a run between two steps, beside its particles. A checkpoint holds it, and a run is continued
// from it. Plain data, the same on all ranks.
//
// The state is that at the end of a step *before* anything of this step is recorded. So one rule serves all
// cases: a continued run cuts the result back to `ResultPosition` and records the step. The rule also holds
// where cadences have changed. It holds where a run that had ended is made longer, since the last step is
// always recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// A mark in the run before step 0: steps and collisions up to some time.
struct EquilibrationMark {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;  ///< of all ranks

    friend bool operator==(const EquilibrationMark&, const EquilibrationMark&) = default;
};

/// The progress of the run before step 0.
struct EquilibrationState {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;         ///< of all ranks
    std::uint64_t latest_collision = 0;      ///< the number of steps at the latest contact
    std::vector<EquilibrationMark> marks{};  ///< from which a steady contact rate is recognised
    std::uint64_t num_sites = 0;             ///< of the lattice of the start; 0 without one

    friend bool operator==(const EquilibrationState&, const EquilibrationState&) = default;
};

/// The wall time of a run by phase, with its earlier parts. For reports only.
struct RunTimes {
    std::uint64_t num_parts = 0;  ///< 1 for a run that was never continued
    double wall_seconds = 0;
    std::vector<double> phase_seconds;  ///< least, mean, most over the ranks, by phase, added over the parts

    friend bool operator==(const RunTimes&, const RunTimes&) = default;
};

/// The state of an observer (observe/observer.hpp).
struct ObserverState {
    std::vector<std::int64_t> sums;      ///< of all ranks since the latest sample
    std::vector<std::int64_t> integers;  ///< this and the next: its memory from sample to sample
    std::vector<double> numbers;

    friend bool operator==(const ObserverState&, const ObserverState&) = default;
};

struct RunState {
    std::uint64_t step = 0;                           ///< completed recorded steps
    std::optional<EquilibrationState> equilibration;  ///< while it lasts
    std::optional<double> previous_sample_time;       ///< none before the first sample
    std::map<std::string, ObserverState> observers;   ///< by name; none before step 0
    std::optional<std::uint64_t> next_id{};  ///< of the next particle that is born; none where nobody is
    RunTimes times{};
    std::string start_note{};  ///< what has become of a lattice by step 0; empty without one

    friend bool operator==(const RunState&, const RunState&) = default;
};

}  // namespace ricochet
