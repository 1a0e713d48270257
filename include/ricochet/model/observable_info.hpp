// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ricochet {

/// One observable, sampled all along the run: a column of the result.
struct ObservableInfo {
    std::string name;                 ///< of its group in the file, e.g. "energy"
    std::size_t width = 0;            ///< 0: a scalar; otherwise a vector of this many numbers
    std::vector<std::string> labels;  ///< what the components of a vector are; empty, or `width` of them
    std::string meaning;              ///< one sentence: definition and unit

    std::size_t num_values() const { return width == 0 ? 1 : width; }
};

}  // namespace ricochet
