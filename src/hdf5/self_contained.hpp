// SPDX-License-Identifier: BSD-3-Clause
//
// Ensures that HDF5 opens no other file than the one named. External links and virtual datasets open other
// files. External storage reads and writes any file as raw bytes. HDF5 follows all of them silently. A file
// may also declare far more rows than it stores, which readers loop over and writers fill with zeros. So
// every file is checked after it is opened and before any dataset is used.
//
// The check visits all links that hard links reach, and opens no target of a refused one. Soft links need no
// check, since they name a place in the same file.
//
// Rows against storage: the bytes that a dataset declares must fit into the file. Extra room is allowed for
// rows that a killed run had extended but not written. Packed datasets may be larger by the factor that
// deflate can reach. The bound is the length of the file, so a sparse file can declare as much as its length.
#pragma once

#include <string>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// Throws InputError, naming file and object, unless all content of the open file lies in the file itself.
/// Local. O(number of objects), reads metadata only.
void require_self_contained(hid_t file, const std::string& path);

}  // namespace ricochet::hdf5
