// SPDX-License-Identifier: BSD-3-Clause
//
// The time of a step, measured: the particles are placed and some steps done, in memory. Any system can be measured,
// also those whose contacts no theory foresees. The first steps fill memory and caches, and do not count.
//
// Where rules change the number of particles, the time of the run is taken to go with the mean number
// (plan/mean_numbers.hpp).
//
// Not measured: placement, equilibration and frames. A lattice is measured as a crystal, before it melts.
#pragma once

#include <cstdint>

#include "ricochet/config/config.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct MeasuredSpeed {
    int num_ranks = 1;
    std::uint64_t num_steps = 0;    ///< that were done
    double seconds_per_step = 0;    ///< wall-clock, of the slowest rank; the mean of all but the first steps
    double seconds_per_sample = 0;  ///< of the observables
    std::uint64_t num_samples = 0;  ///< in the whole run
    double mean_share = 1;          ///< mean number of particles over the run, over that of the start
};

/// Does 20 steps, or as many as the input has. Collective. Throws what a run throws.
MeasuredSpeed measure_speed(Exchange& exchange, const Config& config);

}  // namespace ricochet
