// SPDX-License-Identifier: BSD-3-Clause
//
// How a run was started, for readers of the result who want to repeat it. It is stored in the provenance,
// which `compare` ignores.
#pragma once

#include <string>
#include <vector>

#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// Entries: command (`line`), date (now, UTC, as 2026-01-31T12:00:00Z), and cpu (the model that rank 0 runs
/// on, or "unknown"). The same on all ranks. Collective.
std::vector<NamedText> describe_launch(Exchange& exchange, const std::string& line);

}  // namespace ricochet
