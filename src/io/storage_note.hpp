// SPDX-License-Identifier: BSD-3-Clause
//
// How the growing datasets of a result are cut into chunks, in words: for the log and the provenance. Whoever
// reads single particles over many frames, or tunes a file system, wants to know.
#pragma once

#include <string>

#include "io/hdf5_handle.hpp"

namespace ricochet {

/// "position 1 x 5462 x 3 (128 kB), ..., collisions 512 (64 kB), observables 8192 (64 kB)" of an open result;
/// extents in rows (frames, contacts, samples), particles, axes. Observables: those
/// with one value per sample. Local.
std::string describe_storage(hid_t file);

}  // namespace ricochet
