// SPDX-License-Identifier: BSD-3-Clause
//
// Errors that reach the user, and the exit statuses to which they lead. Each is one sentence: where, what was
// got, what was expected, what to do. Library code throws; only the program's main turns errors into output
// and a status.
#pragma once

#include <stdexcept>
#include <string>

namespace ricochet {

/// Exit statuses that scripts may rely on.
enum class ExitStatus : int { done = 0, run_failed = 1, bad_input = 2, stopped_resumable = 85 };

/// A failure while running: disk full, contact cap reached, box too small for its minimum image.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A call of HDF5 failed on this rank; the message names file, operation and object. It may fail on one rank
/// alone, while the others wait inside it. The only remedy is to end all ranks at once (MPI_Abort), with no
/// collective call before it. What can be foreseen is found before: no space left, a lost particle, an existing
/// file. All ranks throw that alike, as RunError or InputError.
struct Hdf5Error : RunError {
    using RunError::RunError;
};

/// A stop that was requested before the first step. Nothing has been written, and the run may begin anew.
struct StoppedAtStart : RunError {
    using RunError::RunError;
};

/// Bad input or usage; the text may hold several lines, one error each.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace ricochet
