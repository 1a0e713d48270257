// SPDX-License-Identifier: BSD-3-Clause
//
// Keeps HDF5 inside the file that was named. A file from somebody else may lead out of itself: external links
// and virtual datasets open other files, external storage reads and writes any file as raw bytes, and HDF5
// follows all of them without a word. It may also declare far more rows than it stores, which readers loop
// over and writers fill with zeros. Every file is checked after opening it and before any dataset is used.
//
// The walk covers all links that hard links reach and opens no target of a refused one. Soft links need no
// check: they name a place in the same file.
//
// Rows against storage: the bytes that a dataset declares must fit into the file, with room for what a killed
// run had extended but not written; filtered ones may be as much larger as deflate can pack. The bound is the
// length of the file, so a sparse file can declare what its length says.
#pragma once

#include <string>

#include "io/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// Throws InputError, naming file and object, unless all content of the open file lies in the file itself.
/// Local. O(number of objects), reads metadata only.
void require_self_contained(hid_t file, const std::string& path);

}  // namespace ricochet::hdf5
