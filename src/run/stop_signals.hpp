// SPDX-License-Identifier: BSD-3-Clause
//
// USR1, TERM and INT ask for a stop at the next step end. Batch systems send the first two ahead of a time
// limit, a user sends the third. The handler only records which signal came.
//
// A second signal ends the program at once, by the signal's own default action. But one request may reach a
// rank more than once. Open MPI forwards signals that also reached its process group, and Slurm signals steps
// and scripts. So all signals within `grace_seconds` count as one.
//
// Under Open MPI's mpirun send USR1: mpirun passes it on and ends with the status of the ranks. On TERM or
// INT mpirun sends TERM to the ranks after a second, kills them one second later, and ends with status 1.
// Each delay is OMPI_MCA_odls_base_sigkill_timeout. This suffices for a small checkpoint only.
#pragma once

#include <string_view>

namespace ricochet {

inline constexpr double grace_seconds = 1;

/// Installs the handlers: before MPI_Init, for signals in it, and after it, since an MPI may install its own. What
/// has come is kept. Not collective.
void install_stop_signals();

/// "USR1", "TERM", "INT": the first that came; empty before. Local.
std::string_view received_stop_signal();

}  // namespace ricochet
