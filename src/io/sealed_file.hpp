// SPDX-License-Identifier: BSD-3-Clause
//
// A seal behind the content of a file: 40 bytes that give the length and a checksum of everything before
// them, so that a file that was cut off, or of which any bit has changed, is recognised without a look at its
// meaning. HDF5 ignores what follows its own end of file. The seal also names the owner of the file, so that
// a run can tell its own files from others even where their content is damaged.
//
// Layout, little-endian: "RICOSEA2", length u64, checksum u64, owner u64, XXH64 of these 32 bytes. The
// checksum is the sum modulo 2^64 of XXH64(block k, seed k + 1) over the blocks of 4 MiB: ranks share the
// blocks, and any number of them finds the same.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace ricochet {

/// Appends the seal to a file that is complete and closed, and syncs it to the disk. Throws RunError on all
/// ranks when that fails. Collective.
void seal_file(const boost::mpi::communicator& ranks, const std::string& path, std::uint64_t owner = 0);

/// The owner that a seal names; none where there is no intact seal. Not collective.
std::optional<std::uint64_t> owner_of_sealed(const std::string& path);

/// What is wrong with a sealed file: "it is empty", "it is cut off", ...; none when every byte is as it was
/// when it was sealed. The same on all ranks. Collective; each rank reads its share.
std::optional<std::string> find_damage(const boost::mpi::communicator& ranks, const std::string& path);

/// The checksum of a whole file, sealed or not; none where there is no regular file that can be read. The
/// same on all ranks. Collective; each rank reads its share.
std::optional<std::uint64_t> checksum_of_file(const boost::mpi::communicator& ranks, const std::string& path);

}  // namespace ricochet
