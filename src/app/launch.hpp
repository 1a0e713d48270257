// SPDX-License-Identifier: BSD-3-Clause
//
// How a run was started: what a reader of the result needs to do it again, beside the input. Goes to the
// provenance, which `compare` leaves out.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/result_description.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// command: `line`; date: now, UTC, as 2026-01-31T12:00:00Z; cpu: the model that rank 0 runs on, "unknown"
/// where the system does not name it. The same on all ranks. Collective.
std::vector<NamedText> describe_launch(Exchange& exchange, const std::string& line);

}  // namespace ricochet
