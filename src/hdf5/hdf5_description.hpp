// SPDX-License-Identifier: BSD-3-Clause
//
// A hash of everything in an HDF5 file except the elements of its datasets. It covers names and kinds of the
// objects, attributes with their values, element types, shapes and storage. Lengths of growing datasets are
// left out.
//
// The hash depends on the content alone, not on its place in the file. The same content written anew has the
// same hash.
#pragma once

#include <cstdint>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// XXH64, chained over the groups, datasets and attributes in the order of their names. Throws Hdf5Error when
/// something cannot be read, or when groups are nested deeper than 32. O(size of the attributes). Collective
/// for a parallel file: HDF5 would wait for ever if one rank alone read metadata that all change later.
std::uint64_t hash_of_description(hid_t file);

}  // namespace ricochet::hdf5
