// SPDX-License-Identifier: BSD-3-Clause
//
// All of an HDF5 file but the elements of its datasets, as one number: names and kinds of the objects,
// attributes with their values, element types, shapes and storage. The length of what grows is left out.
//
// The number depends on the content alone, not on where in the file it lies, so that the same content written
// anew has the same number.
#pragma once

#include <cstdint>

#include "io/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// XXH64, chained over the groups, datasets and attributes in the order of their names. Throws Hdf5Error when
/// something cannot be read, or when groups are nested deeper than 32. O(size of the attributes). Of a
/// parallel file it is collective: HDF5 waits for ever when one rank alone has read what all change later.
std::uint64_t hash_of_description(hid_t file);

}  // namespace ricochet::hdf5
