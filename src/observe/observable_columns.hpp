// SPDX-License-Identifier: BSD-3-Clause
//
// The basic observables as stored in the result file: name, shape, meaning, and the numbers of a sample.
#pragma once

#include <functional>
#include <vector>

#include "observe/observables.hpp"
#include "observe/observers.hpp"
#include "ricochet/model/observable_info.hpp"

namespace ricochet {

struct ObservableColumn {
    ObservableInfo info;
    /// Appends info.num_values() numbers.
    std::function<void(const ObservableSample&, std::vector<double>&)> append;
};

/// One row per observable; wall pressures only with walls.
std::vector<ObservableColumn> observable_columns(const World& world);

}  // namespace ricochet
