// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the text of an input. Only names that can be an input are opened. A pipe without a writer would
// block, and a device or a trajectory would fill the memory.
#pragma once

#include <string>

namespace ricochet {

/// Reads a whole input file of at most 64 MB. It is a regular file, or one that is open already under the
/// names /dev/stdin and /dev/fd/N. Throws InputError. Local.
std::string read_input_text(const std::string& path);

}  // namespace ricochet
