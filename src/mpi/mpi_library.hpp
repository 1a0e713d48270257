// SPDX-License-Identifier: BSD-3-Clause
//
// Services of the MPI library beside messages: its version, its file access, and a callback when that fails.
// Nothing here is collective.
#pragma once

#include <string>

namespace ricochet {

/// Name and version as the library tells them, e.g. "Open MPI v4.1.4". May be called before MPI_Init.
std::string mpi_library_version();

/// Selects the MPI-IO implementation that reports a full disk (ROMIO) for Open MPI 4, whose default does not,
/// unless the user has chosen one (OMPI_MCA_io). Call before MPI_Init.
void prefer_reliable_mpi_io();

/// Whether mpirun, srun or the like has started this process, as one of its ranks.
bool is_started_by_launcher();

/// Whether this process will be rank 0, as far as that is known before MPI_Init.
bool is_first_of_launcher();

/// Lets Open MPI start the one rank of a run without launcher by itself. A daemon would outlive a killed run, and
/// cannot be started under every limit. Networks are not looked for. What the user has chosen is kept. Call before
/// MPI_Init.
void prefer_start_without_daemon();

/// A callback with the errno of the failed call, which may be left over from an earlier one, and MPI's own
/// message.
using FileErrorFunction = void (*)(int error, const char* words);

/// From now on, every operation of MPI-IO that fails on this rank calls `report` from inside. Applies to
/// files opened afterwards. Call after MPI_Init.
void report_failed_mpi_io(FileErrorFunction report);

}  // namespace ricochet
