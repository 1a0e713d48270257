// SPDX-License-Identifier: BSD-3-Clause
//
// The way out when a write fails on this rank alone (design: src/io/output_in_progress.hpp).
#pragma once

namespace ricochet {

/// Ends the program on all ranks, after it has shown the message; must not return.
using LeaveFunction = void (*)(const char* message);

/// From now on every call of MPI-IO that fails on this rank calls `leave` with one sentence: file, cause,
/// bytes needed and left. Without it HDF5 sees the failure, and ranks may wait for each other for ever. Call
/// after MPI_Init and before a file is opened. Not collective.
void leave_on_failed_writes(LeaveFunction leave);

}  // namespace ricochet
