// SPDX-License-Identifier: BSD-3-Clause
//
// The two kinds of failure of output. What can be foreseen (no space left, a lost particle, an existing file)
// is found before the collective part and thrown by all ranks alike, as RunError or InputError. A call of
// HDF5 that fails may fail on one rank alone while the others wait inside it: that is an Hdf5Error, and the
// only way out is to end all ranks at once (MPI_Abort), with no collective call before it.
#pragma once

#include "ricochet/core/error.hpp"

namespace ricochet {

/// An HDF5 call failed on this rank; the message names file, operation and object. With more than one rank
/// the program must abort all of them.
struct Hdf5Error : RunError {
    using RunError::RunError;
};

}  // namespace ricochet
