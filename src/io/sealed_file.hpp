// SPDX-License-Identifier: BSD-3-Clause
//
// A seal behind the content of a file: 32 bytes that tell the length and a checksum of everything before
// them, so that a file that was cut off, or of which any bit has changed, is recognised without a look at its
// meaning. HDF5 ignores what follows its own end of file.
//
// Layout, little-endian: "RICOSEAL", length u64, checksum u64, XXH64 of these 24 bytes. The checksum is the
// sum modulo 2^64 of XXH64(block k, seed k + 1) over the blocks of 4 MiB: ranks share the blocks, and any
// number of them finds the same.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <optional>
#include <string>

namespace ricochet {

/// Appends the seal to a file that is complete and closed, and syncs it to the disk. Throws RunError on all
/// ranks when that fails. Collective.
void seal_file(const boost::mpi::communicator& ranks, const std::string& path);

/// What is wrong with a sealed file: "it is empty", "it is cut off", ...; none when every byte is as it was
/// when it was sealed. The same on all ranks. Collective; each rank reads its share.
std::optional<std::string> find_damage(const boost::mpi::communicator& ranks, const std::string& path);

}  // namespace ricochet
