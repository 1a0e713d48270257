// SPDX-License-Identifier: BSD-3-Clause
//
// Another program, run to its end. Its environment is this one's without what an MPI library has put there,
// so that it does not take itself for a rank.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

/// What a silent run writes goes nowhere.
enum class ChildOutput { shared, silent };

/// Runs arguments[0], found in the path, with the arguments, in the folder. Returns its exit status; 127 when
/// it cannot be started, 128 + n when signal n ended it.
int run_child(const std::vector<std::string>& arguments, const std::string& folder, ChildOutput output);

struct ChildText {
    int status = 0;    ///< as of run_child
    std::string text;  ///< the first 64 kB of what it wrote to standard output
};

/// Runs it as run_child does, in this folder; what it writes to standard error goes nowhere.
ChildText read_child(const std::vector<std::string>& arguments);

}  // namespace ricochet
