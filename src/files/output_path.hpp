// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of an output file before anything is written: whether the file can be created, and whether the disk
// has room. Rank 0 tests and all ranks learn the result, so that an error is thrown by all or by none.
//
// Room is checked before each output, since a disk may fill up inside a collective write. The error would
// then appear on one rank while the others wait. With some MPI-IO implementations it would not appear at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Why a name cannot be that of an output file, as "got ..., expected ..."; none for a valid name. MPI takes
/// what precedes a colon for the kind of a file system. Nothing is changed. Local.
std::optional<std::string> find_name_problem(const std::string& path);

/// Why `path` cannot be created, as a sentence that names it; empty when it can. Its folder must exist and be writable.
/// An existing regular file is a reason only if `replace` is false. Nothing is changed. Local.
std::string find_output_problem(const std::string& path, bool replace);

/// Throws InputError on all ranks unless `path` can be created. Its folder must exist and be writable. The
/// file must not exist, or must be a writable regular file that `force` allows to replace. Nothing is
/// changed. Collective.
void check_output_path(Exchange& exchange, const std::string& path, bool force);

/// Throws InputError on all ranks where no run can write a file of this name, in any folder. Such a name
/// names no file, or is too long for the files beside the result. Nothing is changed. Collective.
void check_output_name(Exchange& exchange, const std::string& path);

/// Throws RunError on all ranks unless the disk that holds the file `path`, or will hold it, has `num_bytes`
/// and 16 MiB to spare. Quotas are tested later, when the room is reserved (src/hdf5/reserved_room.hpp).
/// Collective.
void require_free_space(Exchange& exchange, const std::string& path, std::uint64_t num_bytes);

/// Lets a write beyond a limit on the size of files (ulimit -f) fail, as on a full disk. By default it would
/// end the process without a message. Not collective.
void turn_file_size_limits_into_errors();

}  // namespace ricochet
