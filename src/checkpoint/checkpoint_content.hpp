// SPDX-License-Identifier: BSD-3-Clause
//
// Writes and reads the content of a checkpoint file (layout: checkpoint.hpp). Names and removal of files are
// the subject of checkpoint.cpp.
#pragma once

#include <string>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The version of the layout; grows when an old reader would misread a new file.
inline constexpr std::uint32_t checkpoint_format_version = 4;

/// Creates or replaces the file, and closes it. Collective.
void write_checkpoint_content(Exchange& exchange, const std::string& path, const CheckpointHeader& header,
                              const Particles& owned);

/// Reads everything, with this rank's share of the particles, and compares it with the checksums. Throws
/// RunError on all ranks when something is missing or differs, InputError on all ranks for a newer format.
/// Collective.
Checkpoint read_checkpoint_content(Exchange& exchange, const std::string& path);

/// The same, and keeps no particles: what is left is the header. Collective.
CheckpointHeader verify_checkpoint_content(Exchange& exchange, const std::string& path);

}  // namespace ricochet
