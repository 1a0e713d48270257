// SPDX-License-Identifier: BSD-3-Clause
//
// The end of HDF5's part of a file (end of address, EOA), as the superblock has it since the latest flush. HDF5
// Specification of the File Format, II.A: it follows two other addresses, at a place that depends on the
// version. The library does not report it for files written by MPI-IO.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "files/posix_file.hpp"

namespace ricochet {

/// The end of HDF5's part, or of the file where it has no superblock yet. Throws RunError when reading fails.
std::uint64_t end_of_content(const PosixFile& file);

/// How much of a file is missing where it ends before HDF5's part does, as words behind its name; none for others.
/// HDF5 refuses it with a sentence about addresses. Throws nothing.
std::optional<std::string> find_cut(const std::string& path) noexcept;

/// Lets HDF5's part reach to the end of the file, where that is farther. Superblocks of version 2 and later carry
/// a checksum and stay as they are; this program writes none. Throws RunError.
void raise_end_of_content(PosixFile& file);

}  // namespace ricochet
