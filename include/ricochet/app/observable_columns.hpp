// SPDX-License-Identifier: BSD-3-Clause
//
// The observables as they stand in the result file: name, shape, meaning and, from a sample, the numbers. One
// row of the table per observable; to add one, add its row here and its value to ObservableSample.
#pragma once

#include <functional>
#include <vector>

#include "ricochet/engine/observables.hpp"
#include "ricochet/io/config.hpp"
#include "ricochet/io/result_description.hpp"

namespace ricochet {

struct ObservableColumn {
    ObservableInfo info;
    /// Appends info.num_values() numbers.
    std::function<void(const ObservableSample&, std::vector<double>&)> append;
};

/// What is recorded for this input: wall pressures only with walls.
std::vector<ObservableColumn> observable_columns(const Config& config);

}  // namespace ricochet
