// SPDX-License-Identifier: BSD-3-Clause
//
// USR1, TERM and INT ask for a stop at the next step end: batch systems send the first two ahead of a time
// limit, a user the third. The handler only notes which one came. A second one ends the program at once, with
// the signal's own default action; but one request reaches a rank more than once (Open MPI forwards to every
// rank what also reached its process group; Slurm signals steps and scripts), so what follows within
// `grace_seconds` counts as the same.
#pragma once

#include <string_view>

namespace ricochet {

inline constexpr double grace_seconds = 1;

/// Installs the handlers; after MPI_Init, which installs its own. Not collective.
void install_stop_signals();

/// "USR1", "TERM", "INT": the first that came; empty before. Local.
std::string_view received_stop_signal();

}  // namespace ricochet
