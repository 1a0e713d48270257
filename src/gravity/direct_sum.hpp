// SPDX-License-Identifier: BSD-3-Clause
//
// Gravity as a plain sum over all pairs, each target over its sources in the order of their ids: the reference.
//
// Cost: O(N^2/p) time on p ranks. Each rank's particles go to all in turn, so none holds more than a block of others.
#pragma once

#include <vector>

#include "gravity/kernels.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The sums of the targets, which are in the order of their ids over all ranks. Collective.
std::vector<TargetBatch> sum_directly(Exchange& exchange, const FieldSums& sums,
                                      const std::vector<PointMass>& points);

}  // namespace ricochet
