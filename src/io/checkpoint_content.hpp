// SPDX-License-Identifier: BSD-3-Clause
//
// The content of a checkpoint file (layout: checkpoint.hpp) without the care for its name: into a file and
// out of it again.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <string>

#include "ricochet/io/checkpoint.hpp"

namespace ricochet {

/// The version of the layout; grows when an old reader would misread a new file.
inline constexpr std::uint32_t checkpoint_format_version = 4;

/// Creates or replaces the file, and closes it. Collective.
void write_checkpoint_content(const boost::mpi::communicator& ranks, const std::string& path,
                              const CheckpointHeader& header, const Particles& owned);

/// Reads everything, this rank's share of the particles, and holds it against the checksums. Throws RunError
/// on all ranks when something is missing or differs, InputError on all ranks for a newer format. Collective.
Checkpoint read_checkpoint_content(const boost::mpi::communicator& ranks, const std::string& path);

}  // namespace ricochet
