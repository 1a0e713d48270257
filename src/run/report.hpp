// SPDX-License-Identifier: BSD-3-Clause
//
// The report at the end of a run. It gives the speed, the times of the fastest and slowest rank, and the cost
// of the exchange between slabs. It compares the collision rate with theory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/result/result_description.hpp"
#include "ricochet/run/simulation.hpp"

namespace ricochet {

struct RunReport {
    std::string text;     ///< several lines, on rank 0; nothing elsewhere
    std::string details;  ///< of the algorithm, for --verbose; likewise
    /// The times for the result's provenance, the same on all ranks:
    ///   parts              number of parts, 2 for a run that was continued once
    ///   seconds_per_phase  "name least mean most; name ...", over the ranks, added over the parts.
    ///   computing_seconds  one number per rank, of this part alone, for up to 1024 ranks
    ///   balance            "name number; name ...", of this part alone, where load balancing was checked
    std::vector<NamedText> provenance;
};

/// The times of all parts: those of this part, which began `wall_seconds` ago, added to the earlier ones. The
/// same on all ranks. Collective.
RunTimes times_so_far(Exchange& exchange, const Simulation& simulation, double wall_seconds,
                      const RunTimes& earlier);

/// The number of particles of each species, of all ranks. Collective; O(owned particles).
std::vector<std::int64_t> count_by_species(Exchange& exchange, const World& world, const Particles& owned);

/// The report since the program began, or continued from a checkpoint; `times` cover all parts. Collective.
RunReport report(Exchange& exchange, const Config& config, const Simulation& simulation,
                 const RunTimes& times);

}  // namespace ricochet
