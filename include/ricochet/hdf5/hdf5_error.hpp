// SPDX-License-Identifier: BSD-3-Clause
//
// The two kinds of failure of output. Failures that can be foreseen are found before the collective part: no
// space left, a lost particle, an existing file. All ranks throw them alike, as RunError or InputError.
//
// A call of HDF5 may fail on one rank alone, while the others wait inside it. It throws an Hdf5Error. The
// only remedy is to end all ranks at once (MPI_Abort), with no collective call before it.
#pragma once

#include "ricochet/core/error.hpp"

namespace ricochet {

/// An HDF5 call failed on this rank; the message names file, operation and object. With more than one rank
/// the program must abort all of them.
struct Hdf5Error : RunError {
    using RunError::RunError;
};

}  // namespace ricochet
