// SPDX-License-Identifier: BSD-3-Clause
//
// The birth of a result. The file is written under another name, <path>.new-<id>, without frames, closed, and
// only then renamed. A file with the name of a result is therefore readable and says which run it belongs to,
// even when the run is killed at its start. An earlier file of that name is lost only to a whole new one.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <string>

#include "ricochet/io/result_description.hpp"

namespace ricochet {

/// Creates a result without rows at `path`, or at the end of the symbolic links that it is; an existing file
/// is replaced only if `replace`. Throws InputError on all ranks when the path cannot be written, RunError on
/// all ranks when the disk has no room; then there is no new file, and an earlier one is as it was.
/// Collective.
void create_empty_result(const boost::mpi::communicator& ranks, const std::string& path,
                         const ResultDescription& description, bool replace);

}  // namespace ricochet
