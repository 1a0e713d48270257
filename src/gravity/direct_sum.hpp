// SPDX-License-Identifier: BSD-3-Clause
//
// Gravity as a plain sum over all pairs, each target over its sources in the order of their ids: the reference.
//
// In a box with periodic axes the sum over each near image (near_images.hpp) follows that over the image before it.
//
// Cost: O(N^2/p) time on p ranks, for each image. Each rank's particles go to all in turn, so none holds more than a
// block of others.
#pragma once

#include <span>
#include <vector>

#include "gravity/kernels.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The sums of the targets, which are in the order of their ids over all ranks. Collective.
std::vector<TargetBatch> sum_directly(Exchange& exchange, const FieldSums& sums,
                                      const std::vector<PointMass>& points, std::span<const Vec3> images);

}  // namespace ricochet
