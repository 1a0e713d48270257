// SPDX-License-Identifier: BSD-3-Clause
//
// Datasets: chunked ones that grow along their first axis (frames, log rows), and fixed ones. In a parallel
// file creation, growth and writing are collective.
//
// In a collective write each rank passes one block of the dataset (a hyperslab), possibly an empty one. MPI
// counts and MPI-IO implementations are 32-bit in places, so large blocks are written in rounds. A round has
// at most max_bytes per rank; all ranks agree on the number of rounds. Cost: one small all-reduce per write.
//
// Chunks have about a mebibyte and cover the inner axes with little waste. Several rows of a small inner
// extent share a chunk. Space is allocated but not filled when a dataset grows, since every element below the
// counters of complete rows has been written. Only where the second axis grows is it filled.
#pragma once

#include <cstddef>
#include <vector>

#include "hdf5/hdf5_handle.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::hdf5 {

using Extents = std::vector<hsize_t>;

/// A box of elements: from `offset`, `count` along each axis; empty when any count is zero.
struct Block {
    Extents offset;
    Extents count;

    bool is_empty() const;
    hsize_t num_elements() const;
};

/// The most bytes that one rank writes or reads in one call.
inline constexpr hsize_t max_bytes_per_call = hsize_t{1} << 29;

/// The extents of a chunk, where one row of the dataset (all axes but the first) has the extents `row`.
/// Requires: element_bytes > 0.
Extents chunk_extents(const Extents& row, std::size_t element_bytes);

/// How a growing dataset is stored.
struct Storage {
    hsize_t rows_per_chunk = 0;  ///< 0: what chunk_extents finds right
    /// Whether each chunk is packed by gzip, its bytes shuffled first. A chunk then has one row, written at
    /// once.
    bool is_compressed = false;
    bool has_growing_rows = false;     ///< whether the second axis has no limit
    const void* fill_value = nullptr;  ///< an element that means "nothing"
    /// Whether elements have the fill value until they are written, at the cost of writing twice. The second
    /// axis can then grow.
    bool is_filled = false;
};

class Dataset {
  public:
    Dataset() = default;
    /// Creates a dataset of length 0 that grows along its first axis. Collective.
    static Dataset create_growing(hid_t parent, const char* name, hid_t type, const Extents& row,
                                  const Storage& storage = {});
    /// Creates a contiguous dataset of fixed shape, allocated at once. Collective.
    static Dataset create_fixed(hid_t parent, const char* name, hid_t type, const Extents& shape);
    static Dataset open(hid_t parent, const char* name);

    hid_t get() const { return handle_.get(); }
    bool is_open() const { return handle_.is_open(); }
    Extents shape() const;
    /// The extents of a chunk of a growing dataset.
    Extents chunk() const;
    bool is_compressed() const;
    /// Whether the dataset is stored in chunks, as growing ones are.
    bool is_chunked() const;
    /// Whether elements have the fill value until they are written.
    bool is_filled() const;
    Handle type() const;
    /// The bytes of one element that "nothing" has.
    std::vector<std::byte> fill_value() const;
    /// Bytes of the chunks of a growing dataset, not packed, if its first two axes had these lengths.
    hsize_t chunk_bytes(hsize_t length, hsize_t num_rows) const;
    /// Sets the length of the first axis. Collective.
    void resize(hsize_t length);
    /// Sets the lengths of the first two axes. Collective.
    void resize(hsize_t length, hsize_t num_rows);

    /// Every rank writes its block (rows of `type` in row-major order at `data`). Collective over `ranks`, on
    /// which the file was created.
    void write(Exchange& exchange, const Block& block, hid_t type, const void* data,
               hsize_t max_bytes = max_bytes_per_call);
    /// Reads a block, converted to `type`. For files opened by this rank alone.
    void read(const Block& block, hid_t type, void* data) const;
    /// Whether the latest write was collective in HDF5's own account.
    bool wrote_collectively() const { return wrote_collectively_; }

  private:
    explicit Dataset(Handle handle) : handle_(std::move(handle)) {}
    void write_once(const Block& block, hid_t type, const void* data);

    Handle handle_;
    bool wrote_collectively_ = false;
};

}  // namespace ricochet::hdf5
