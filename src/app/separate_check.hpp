// SPDX-License-Identifier: BSD-3-Clause
//
// Checks a result in a process of its own. On a damaged file the HDF5 library may crash, overwrite memory or
// read for ever. None of this may happen to a run that is about to open the file for writing.
#pragma once

#include <optional>
#include <string>

#include "app/command_line.hpp"

namespace ricochet {

/// What is wrong with a result, as a sentence; none when nothing is. `what` names the part to check. Starts
/// this program anew and waits for it; local, for one rank.
std::optional<std::string> find_damage_apart(const std::string& path, CheckedPart what);

/// For commands that only read: throws InputError when this process could not read the file to its end.
/// Returns what is wrong otherwise; empty when nothing is, or when there is no file that could be checked.
/// Local, for one rank.
std::string require_readable(const std::string& path);

/// The work of that process, without MPI: prints "sound" or the sentence and returns its exit status, 1 for
/// damage, 2 for what is not a result that could be checked. It ends itself when it has read nothing for a
/// minute.
int execute_alone(const VerifyCommand& command);

}  // namespace ricochet
