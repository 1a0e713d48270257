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
    /// The times for the result's provenance, the same on all ranks: seconds_per_phase, "name least mean
    /// most; name ...", over the ranks; computing_seconds, one number each, for up to 1024 ranks; balance,
    /// "name number; name ...", where ranks were checked for it.
    std::vector<NamedText> provenance;
};

/// Since the program began, or continued from a checkpoint. Collective.
RunReport report(Exchange& exchange, const Config& config, const Simulation& simulation);

}  // namespace ricochet
