// SPDX-License-Identifier: BSD-3-Clause
//
// USR1, TERM and INT ask for a stop at the next step end: batch systems send the first two ahead of a time
// limit, a user the third. The handler only notes which one came. A second one ends the program at once, with
// the signal's own default action; but one request reaches a rank more than once (Open MPI forwards to every
// rank what also reached its process group; Slurm signals steps and scripts), so what follows within
// `grace_seconds` counts as the same.
//
// Under Open MPI's mpirun send USR1: it passes that on and ends with the ranks' status. TERM and INT to
// mpirun itself make it send TERM to the ranks after a second, kill them one second later (each as long as
// OMPI_MCA_odls_base_sigkill_timeout says), and end with status 1: enough for a small checkpoint only.
#pragma once

#include <string_view>

namespace ricochet {

inline constexpr double grace_seconds = 1;

/// Installs the handlers; after MPI_Init, which installs its own. Not collective.
void install_stop_signals();

/// "USR1", "TERM", "INT": the first that came; empty before. Local.
std::string_view received_stop_signal();

}  // namespace ricochet
