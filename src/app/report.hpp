// SPDX-License-Identifier: BSD-3-Clause
//
// What a run says about itself at its end: how fast it was, where the time went on the slowest and fastest
// rank, what the exchange between slabs cost, and whether the collision rate is the one that theory expects.
#pragma once

#include <string>
#include <vector>

#include "ricochet/app/simulation.hpp"
#include "ricochet/io/result_description.hpp"

namespace ricochet {

struct RunReport {
    std::string text;  ///< several lines, on rank 0; nothing elsewhere
    /// The times for the result's provenance, the same on all ranks: parts, 2 for a run that was continued
    /// once; seconds_per_phase, "name least mean most; name ...", over the ranks, added over the parts;
    /// computing_seconds, one number each, for up to 1024 ranks, of this part alone, as is balance,
    /// "name number; name ...", where ranks were checked for it.
    std::vector<NamedText> provenance;
};

/// The times of this part, which began `wall_seconds` ago, added to those of the earlier ones; the same on
/// all ranks. Collective.
RunTimes times_so_far(Exchange& exchange, const Simulation& simulation, double wall_seconds,
                      const RunTimes& earlier);

/// Since the program began, or continued from a checkpoint; `times` are those of all parts. Collective.
RunReport report(Exchange& exchange, const Config& config, const Simulation& simulation,
                 const RunTimes& times);

}  // namespace ricochet
