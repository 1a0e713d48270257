// SPDX-License-Identifier: BSD-3-Clause
//
// The identity of a run as attributes of a group, in results and checkpoints alike: run_id (text), input_hash
// and start_hash (u64).
#pragma once

#include <hdf5.h>

#include "ricochet/files/run_identity.hpp"

namespace ricochet {

/// Collective.
void write_identity(hid_t group, const RunIdentity& identity);

/// Reads the identity. It is empty where there is none, as in files of earlier versions. Local.
RunIdentity read_identity(hid_t group);

}  // namespace ricochet
