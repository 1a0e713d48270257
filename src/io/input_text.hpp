// SPDX-License-Identifier: BSD-3-Clause
//
// The text of an input, whatever its name leads to: a pipe without a writer would be waited for, and a device
// or a trajectory given by mistake would be read into the memory.
#pragma once

#include <string>

namespace ricochet {

/// The whole of an input file: a regular file, or what is open already under the names /dev/stdin and
/// /dev/fd/N, of at most 64 MB. Throws InputError. Local.
std::string read_input_text(const std::string& path);

}  // namespace ricochet
