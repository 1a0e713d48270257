// SPDX-License-Identifier: BSD-3-Clause
//
// The inner loops of gravity: sums over sources for a batch of targets.
//
// Layout: targets are columns, a vector of them at a time; each source is one number in all lanes. So each target adds
// its sources one after another in the order of the list, on every instruction set. Sums over several calls go on
// where the last call ended.
//
// Sums lack the factor G. A result that is not finite shows that particles are at the same place, or nearly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gravity/moments.hpp"
#include "ricochet/model/gravity_law.hpp"

namespace ricochet {

/// Which sums there are.
struct FieldSums {
    GravityForm form = GravityForm::inverse_square;
    double softening_squared = 0;
    bool has_potential = false;
};

struct TargetBatch {
    static constexpr std::size_t capacity = 32;  ///< a multiple of any vector's length

    alignas(64) std::array<double, capacity> x, y, z;
    alignas(64) std::array<double, capacity> sum_x, sum_y, sum_z, potential;
    std::size_t count = 0;

    /// Takes these as targets, with sums of zero. Lanes beyond them repeat the last one.
    /// Requires: 1 to `capacity` points.
    explicit TargetBatch(std::span<const PointMass> points);
    Vec3 sum(std::size_t k) const { return {sum_x[k], sum_y[k], sum_z[k]}; }
};

struct PointRange {
    std::uint32_t first = 0, count = 0;
};

/// Adds what the points of these ranges do.
/// Requires: no target is among them.
void add_points(const FieldSums& sums, const PointMass* points, std::span<const PointRange> ranges,
                TargetBatch& targets);
/// Adds what the targets of the batch do to each other.
/// Requires: `points` are those of which the batch was made.
void add_each_other(const FieldSums& sums, std::span<const PointMass> points, TargetBatch& targets);
/// Adds what these cells do.
void add_cells(const FieldSums& sums, const Moments* moments, std::span<const std::uint32_t> cells,
               TargetBatch& targets);

}  // namespace ricochet
