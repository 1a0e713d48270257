// SPDX-License-Identifier: BSD-3-Clause
//
// Where the elements of a file lie. HDF5 trusts its index of chunks: a damaged entry may lead to bytes of
// another chunk, which a run that goes on then takes for free room and overwrites.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// What is wrong with the places of the elements of all datasets: outside of the file, of another size than
/// the chunk, or of two datasets or chunks at once. A sentence without the file's name; none when nothing is.
/// `on_piece` is called now and then. Throws Hdf5Error when an index cannot be read. Local. O(n log n) for n
/// chunks.
std::optional<std::string> find_misplaced_chunk(hid_t file, const std::function<void()>& on_piece);

}  // namespace ricochet::hdf5
