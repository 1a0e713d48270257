// SPDX-License-Identifier: BSD-3-Clause
//
// For readers of an output: whether its process was ended in the middle of a change. Such a file is partly old
// and partly new, until a continued run puts back what its journal holds (undo_journal.hpp).
//
// While a living process writes, the journal holds blocks now and then. That is no reason to refuse the file.
#pragma once

#include <optional>
#include <string>

namespace ricochet {

/// A sentence that names the output and says what puts it right; none for a whole output, or for one that is
/// being written. Reads only. Not collective.
std::optional<std::string> find_interrupted_write(const std::string& output);

}  // namespace ricochet
