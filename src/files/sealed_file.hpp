// SPDX-License-Identifier: BSD-3-Clause
//
// A seal at the end of a file: 40 bytes with the length and a checksum of everything before them. It shows
// whether the file was cut off or any bit has changed, without reading its meaning. HDF5 ignores what follows
// its own end of file. The seal also names the owner of the file. So a run can tell its own files from
// others, even damaged ones.
//
// Layout, little-endian: "RICOSEA2", length u64, checksum u64, owner u64, XXH64 of these 32 bytes. The
// checksum is the sum modulo 2^64 of XXH64(block k, seed k + 1) over the blocks of 4 MiB. Ranks share the
// blocks, and the sum is the same for any number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Appends the seal to a file that is complete and closed, and syncs it to the disk. Throws RunError on all
/// ranks when that fails. Collective.
void seal_file(Exchange& exchange, const std::string& path, std::uint64_t owner = 0);

/// The owner named by a seal; none where there is no intact seal. Not collective.
std::optional<std::uint64_t> owner_of_sealed(const std::string& path);

/// What is wrong with a sealed file: "it is empty", "it is cut off", ... None when no byte has changed since
/// it was sealed. The same on all ranks. Collective; each rank reads its share.
std::optional<std::string> find_damage(Exchange& exchange, const std::string& path);

/// The checksum of a whole file, sealed or not; none where there is no regular file that can be read. The
/// same on all ranks. Collective; each rank reads its share.
std::optional<std::uint64_t> checksum_of_file(Exchange& exchange, const std::string& path);

}  // namespace ricochet
