// SPDX-License-Identifier: BSD-3-Clause
//
// Runs another program to its end. Variables of the MPI library are removed from its environment, so that the
// program does not take itself for a rank.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

/// A silent run discards its output.
enum class ChildOutput { shared, silent };

/// Runs arguments[0] with the other arguments, in the given folder. The program is searched for in the path.
/// Returns its exit status, 127 when it cannot be started, or 128 + n when signal n ended it.
int run_child(const std::vector<std::string>& arguments, const std::string& folder, ChildOutput output);

struct ChildText {
    int status = 0;    ///< as of run_child
    std::string text;  ///< the first 64 kB of what it wrote to standard output
};

/// Like run_child, in this folder. The program's standard error is discarded.
ChildText read_child(const std::vector<std::string>& arguments);

}  // namespace ricochet
