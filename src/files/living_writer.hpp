// SPDX-License-Identifier: BSD-3-Clause
//
// For readers of an output: whether a living process writes it.
#pragma once

#include <optional>
#include <string>

#include "files/lock_holder.hpp"

namespace ricochet {

/// The process that writes the output, by the text of its lock; none where it has ended. Reads only. Not collective.
std::optional<LockHolder> find_living_writer(const std::string& output);

/// Whether a process writes the output, even if its lock was removed. Reads only. Not collective.
bool is_being_written(const std::string& output);

}  // namespace ricochet
