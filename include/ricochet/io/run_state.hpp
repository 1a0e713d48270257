// SPDX-License-Identifier: BSD-3-Clause
//
// Where a run stands between two steps, beside its particles: what a checkpoint holds and what a run resumes
// from. Plain data, the same on all ranks.
//
// The state is that at the end of a step *before* anything of this step is recorded. So one rule serves all
// cases: whoever resumes cuts the result back to `ResultPosition` and records the step; also where cadences
// have changed, or where a run that had ended (its last step is always recorded) is made longer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/engine/observables.hpp"

namespace ricochet {

/// Checksums of the complete rows of a result, the same for any number of ranks (src/io/result_sums.hpp).
struct ResultSums {
    std::uint64_t frames = 0;
    std::uint64_t collisions = 0;
    std::uint64_t samples = 0;

    friend bool operator==(const ResultSums&, const ResultSums&) = default;
};

/// What a result file holds.
struct ResultPosition {
    std::uint64_t frames = 0;
    std::uint64_t collisions = 0;
    std::uint64_t samples = 0;
    std::uint64_t log_end_step = 0;  ///< contacts of the steps below this one have been handed in
    std::optional<std::uint64_t> first_missing_step;  ///< where the byte budget ended the collision log
    ResultSums sums{};

    friend bool operator==(const ResultPosition&, const ResultPosition&) = default;
};

/// How much of the run before step 0 was done at some time.
struct EquilibrationMark {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;  ///< of all ranks

    friend bool operator==(const EquilibrationMark&, const EquilibrationMark&) = default;
};

/// How far the run before step 0 has come.
struct EquilibrationState {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;         ///< of all ranks
    std::uint64_t latest_collision = 0;      ///< the number of steps when something had met
    std::vector<EquilibrationMark> marks{};  ///< from which a steady contact rate is recognised

    friend bool operator==(const EquilibrationState&, const EquilibrationState&) = default;
};

/// Where the wall time of a run went, its earlier parts included. For reports; decides nothing.
struct RunTimes {
    std::uint64_t num_parts = 0;  ///< 1 for a run that was never continued
    double wall_seconds = 0;
    std::vector<double> phase_seconds;  ///< least, mean, most over the ranks, by phase, added over the parts

    friend bool operator==(const RunTimes&, const RunTimes&) = default;
};

struct RunState {
    std::uint64_t step = 0;                           ///< completed recorded steps
    std::optional<EquilibrationState> equilibration;  ///< while it lasts
    std::vector<std::int64_t> sums;  ///< ObservableSums::integers of all ranks since the latest sample
    ObservableSeries::State series;
    RunTimes times{};

    friend bool operator==(const RunState&, const RunState&) = default;
};

}  // namespace ricochet
