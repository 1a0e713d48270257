// SPDX-License-Identifier: BSD-3-Clause
//
// The observables as stored in the result file: name, shape, meaning, and the numbers of a sample. The table
// has one row per observable. To add one, add a row here and its value to ObservableSample.
#pragma once

#include <functional>
#include <vector>

#include "ricochet/config/config.hpp"
#include "ricochet/observe/observables.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

struct ObservableColumn {
    ObservableInfo info;
    /// Appends info.num_values() numbers.
    std::function<void(const ObservableSample&, std::vector<double>&)> append;
};

/// The observables recorded for this input; wall pressures only with walls.
std::vector<ObservableColumn> observable_columns(const Config& config);

}  // namespace ricochet
