// SPDX-License-Identifier: BSD-3-Clause
//
// Reserves room on the disk before anything is written. A write that runs out of room half-way leaves a file
// whose metadata is partly old. HDF5 then refuses the file ("truncated file"), or no longer finds complete
// rows. Blocks are therefore allocated first, by fallocate. A failure then comes before any change, and the
// kernel itself counts free space, quotas and size limits.
//
// Reserving also makes the file as long as its metadata will say. HDF5 writes the new length into the
// superblock before the last bytes are there. A run killed between the two would leave an unreadable file.
// File systems without fallocate set the length alone.
#pragma once

#include <cstdint>
#include <string>

#include "files/output_watch.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Makes the file long enough for `num_bytes` more and what HDF5 needs beside them. HDF5 has the file open
/// and flushed. Throws RunError on all ranks when the disk has no room, or when `watch` says that the file
/// was replaced; the file is then unchanged. Collective.
void reserve_room(Exchange& exchange, const std::string& path, std::uint64_t num_bytes,
                  const OutputWatch& watch = {});

/// Cuts off what was reserved and not used; call after a flush. Collective.
void release_room(Exchange& exchange, const std::string& path, const OutputWatch& watch = {});

}  // namespace ricochet
