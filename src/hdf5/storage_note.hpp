// SPDX-License-Identifier: BSD-3-Clause
//
// The chunks of the growing datasets of a result in words, for the log and the provenance. They help to read
// single particles over many frames, or to tune a file system.
#pragma once

#include <string>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet {

/// The chunks of an open result: "position 1 x 5462 x 3 (128 kB), ..., collisions 512 (64 kB), observables
/// 8192 (64 kB)". Extents are in rows (frames, contacts, samples), particles, axes. Observables are those
/// with one value per sample. Local.
std::string describe_storage(hid_t file);

}  // namespace ricochet
