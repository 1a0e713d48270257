// SPDX-License-Identifier: BSD-3-Clause
//
// Checks a result in a separate process. On a damaged file the HDF5 library may crash, overwrite memory or
// read for ever. A run that is about to open the file for writing must not be exposed to this.
#pragma once

#include <optional>
#include <string>

#include "app/command_line.hpp"

namespace ricochet {

/// Starts this program again to check part `what` of a result, and waits for it. Returns a sentence on what
/// is wrong, or none. Local, for one rank.
std::optional<std::string> find_damage_apart(const std::string& path, CheckedPart what);

/// For commands that only read. Throws InputError when this process could not read the file to its end.
/// Otherwise returns what is wrong; empty when nothing is, or when no file could be checked. Local, for one
/// rank.
std::string require_readable(const std::string& path);

/// The work of the separate process, without MPI. Prints "sound" or the error, and returns its exit status: 1
/// for damage, 2 for a file that cannot be checked. The process ends itself when it has read nothing for a
/// minute.
int execute_alone(const VerifyCommand& command);

}  // namespace ricochet
