// SPDX-License-Identifier: BSD-3-Clause
//
// The places of the elements in a file. HDF5 trusts its index of chunks. A damaged entry may lead to bytes of
// another chunk. A continued run would take these for free room and overwrite them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// What is wrong with the places of the elements of all datasets, in a sentence without the file's name; none
/// when they are valid. A place is wrong beyond the end of HDF5's part of the file, or with another size than the
/// chunk. It is wrong too when two datasets or chunks share it. `on_piece` is called now and then. Throws RunError
/// when an index cannot be read. Local. O(n log n) for n chunks.
std::optional<std::string> find_misplaced_chunk(hid_t file, const std::function<void()>& on_piece);

}  // namespace ricochet::hdf5
