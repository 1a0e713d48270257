// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ricochet {

/// One observable, sampled all along the run: a column of the result.
struct ObservableInfo {
    std::string name;                   ///< of its group in the file, e.g. "energy"
    std::vector<std::string> labels{};  ///< what the components of a vector are; none: a scalar
    std::string meaning;                ///< one sentence: definition and unit

    bool is_vector() const { return !labels.empty(); }
    std::size_t num_values() const { return is_vector() ? labels.size() : 1; }
};

}  // namespace ricochet
