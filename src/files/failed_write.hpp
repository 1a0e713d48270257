// SPDX-License-Identifier: BSD-3-Clause
//
// Ends the program when a write fails on this rank alone (design: src/hdf5/output_in_progress.hpp).
#pragma once

namespace ricochet {

/// Prints the message and ends the program on all ranks; must not return.
using LeaveFunction = void (*)(const char* message);

/// From now on, every call of MPI-IO that fails on this rank calls `leave`. Its argument is a sentence with
/// file, cause, bytes needed and bytes left. Otherwise HDF5 would handle the failure, and ranks might wait
/// for each other for ever. Call after MPI_Init and before a file is opened. Not collective.
void leave_on_failed_writes(LeaveFunction leave);

}  // namespace ricochet
