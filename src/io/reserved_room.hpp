// SPDX-License-Identifier: BSD-3-Clause
//
// Room for what is about to be written, taken from the disk before the first byte of it. A write that finds
// no room half-way leaves a file whose new metadata is partly old: HDF5 then refuses it ("truncated file"),
// or loses the way to rows that were complete. When the blocks are allocated first, by fallocate, the failure
// comes before anything has changed, with free space, quotas and size limits counted by the kernel itself.
//
// Reserving also makes the file as long as its metadata will say: HDF5 writes the new length into the file's
// head before the last bytes are there, and a run killed between the two would leave an unreadable file. File
// systems without fallocate get the length alone.
//
// Where HDF5's part ends is read from the head of the file (its superblock), where a flush has written it:
// the library does not tell it for files that MPI-IO writes.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>

#include "io/output_watch.hpp"

namespace ricochet {

/// Makes the file, which HDF5 has open and flushed, long enough for `num_bytes` more and what HDF5 needs
/// beside them. Throws RunError on all ranks, and leaves the file as it was, when the disk does not have
/// them, or when `watch` says that it is another file by now. Collective.
void reserve_room(const boost::mpi::communicator& ranks, const std::string& path, std::uint64_t num_bytes,
                  const OutputWatch& watch = {});

/// Cuts off what was reserved and not used; call after a flush. Collective.
void release_room(const boost::mpi::communicator& ranks, const std::string& path,
                  const OutputWatch& watch = {});

}  // namespace ricochet
