// SPDX-License-Identifier: BSD-3-Clause
//
// The time of a run, measured: the particles are placed and some steps done, in memory. Any system can be measured,
// also those whose contacts no theory foresees. At least 20 steps are done, and more for up to two seconds. So short
// runs are measured whole: reactions exhaust them, and tethers grow, as in the run.
//
// Later steps are taken to cost as much as the later half of those that were done. Where rules change the number of
// particles, the cost is taken to go with the mean number that is still to come (plan/mean_numbers.hpp). It starts from
// the numbers of each species at the end of the measurement.
//
// An equilibration of a given length is not done: the contacts of the steps say how many it takes. Not measured: how
// long a dense or grown start takes to settle, and the writing of results. Writing is estimated by constants of a local
// disk.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/plan.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Seconds are wall-clock time, of the slowest rank.
struct MeasuredSpeed {
    int num_ranks = 1;
    std::uint64_t num_steps = 0;    ///< that were done
    double start_seconds = 0;       ///< placement
    double done_seconds = 0;        ///< all steps that were done, without samples
    double seconds_per_step = 0;    ///< the mean of the later half of them
    double seconds_per_sample = 0;  ///< of the observables
    double share_to_come = 1;       ///< mean number of particles in later steps, over that of the latest
    double num_contacts = 0;        ///< of all pairs in the whole run, where they are logged
    /// Steps before step 0; none where a dense or grown start settles, or where nothing has met.
    std::optional<double> num_equilibration_steps{};
};

/// `settles_first`: whether the run does so where the input asks for no equilibration. Collective. Throws what a run
/// throws.
MeasuredSpeed measure_speed(Exchange& exchange, const Config& config, bool settles_first);

/// Placement, equilibration, steps and samples of the whole run, as far as they are known.
double seconds_of_run(const Config& config, const MeasuredSpeed& measured);

/// Launch of the program, creation of the result, its frames, its log, and its end, by constants of a local disk.
double seconds_of_writing(const Config& config, const RunPlan& plan, const MeasuredSpeed& measured);

}  // namespace ricochet
