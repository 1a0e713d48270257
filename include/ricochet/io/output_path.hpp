// SPDX-License-Identifier: BSD-3-Clause
//
// What can be known about an output file before anything is written: whether its place accepts it, and
// whether the disk has room. Rank 0 looks, all ranks learn, so that an error is thrown by all or by none.
//
// Why the room is checked before each output: a disk that fills up inside a collective write shows as an
// error on one rank while the others wait, or, with some MPI-IO implementations, not at all.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace ricochet {

/// What in the name of an output file keeps it from being that file, as "got ..., expected ..."; none for a
/// good name. MPI takes what stands before a colon for the kind of a file system. Touches nothing. Local.
std::optional<std::string> find_name_problem(const std::string& path);

/// Throws InputError on all ranks unless `path` can be created: its folder exists and is writable, and the
/// file does not exist, or is a writable regular file and `force` allows to replace it. Touches nothing.
/// Collective.
void check_output_path(const boost::mpi::communicator& ranks, const std::string& path, bool force);

/// Throws InputError on all ranks where no run can write a file of this name, wherever its folder is and
/// whatever stands there: it names no file, or is too long for the files beside the result. Touches nothing.
/// Collective.
void check_output_name(const boost::mpi::communicator& ranks, const std::string& path);

/// Throws RunError on all ranks unless the disk that holds the file `path`, or will hold it, has `num_bytes`
/// and 16 MiB to spare. Quotas are not seen here, but when the room is reserved (src/io/reserved_room.hpp).
/// Collective.
void require_free_space(const boost::mpi::communicator& ranks, const std::string& path,
                        std::uint64_t num_bytes);

/// Selects the MPI-IO implementation that reports a full disk (ROMIO) for Open MPI 4, whose default does not,
/// unless the user has chosen one (OMPI_MCA_io). Call before MPI_Init. Not collective.
void prefer_reliable_mpi_io();

/// A write beyond a limit on the size of files (ulimit -f) fails, as on a full disk, instead of ending the
/// process without a word. Not collective.
void turn_file_size_limits_into_errors();

}  // namespace ricochet
