// SPDX-License-Identifier: BSD-3-Clause
//
// The places of all chunks of a dataset in one walk through its index.
//
// HDF5 1.10 has calls for one chunk only, by number or by coordinates, and each walks the index from its start:
// 2.7 s for 16,000 chunks. So this reads the index itself, where it is a B-tree of version 1. All files in the
// format of HDF5 1.8 have that (HDF5 File Format Specification, III.A.1). The address of its root is in the data
// layout message of the dataset's object header (IV.A.1.a, IV.A.2.i).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "files/posix_file.hpp"
#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// Bytes of the file that hold a chunk.
struct StoredChunk {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
};

/// The chunks of the dataset whose object header begins at `header`, in the order of the index; none where the
/// index is of another kind. Throws RunError when it cannot be read, or leads into itself. `on_piece` is called
/// for each node. O(n) for n chunks.
std::optional<std::vector<StoredChunk>> read_chunk_index(const PosixFile& file, haddr_t header,
                                                         const std::function<void()>& on_piece);

}  // namespace ricochet::hdf5
