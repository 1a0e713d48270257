// SPDX-License-Identifier: BSD-3-Clause
//
// What a run says about itself at its end: how fast it was, where the time went on the slowest and fastest
// rank, what the exchange between slabs cost, and whether the collision rate is the one that theory expects.
#pragma once

#include <string>

#include "ricochet/app/simulation.hpp"

namespace ricochet {

/// Several lines of text on rank 0, nothing elsewhere. Collective.
std::string report(Exchange& exchange, const Config& config, const Simulation& simulation);

}  // namespace ricochet
