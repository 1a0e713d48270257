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

/// Until install_stop_signals, each of the signals ends the program at once, with the exit status of a stop in the
/// start. MPI_Init may last for ever, and no step end comes in it. Only a rank that `is_root` says so. Not collective.
void let_stop_signals_end_the_start(bool is_root);

/// Installs the handlers. Call after MPI_Init, since an MPI may install its own. Not collective.
void install_stop_signals();

/// "USR1", "TERM", "INT": the first that came; empty before. Local.
std::string_view received_stop_signal();

}  // namespace ricochet
