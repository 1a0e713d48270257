// SPDX-License-Identifier: BSD-3-Clause
//
// The inner loops of gravity: sums over sources for a batch of targets.
//
// Layout: targets are columns, a vector of them at a time; each source is one number in all lanes. So each target adds
// its sources one after another in the order of the list, on every instruction set. Sums over several calls go on
// where the last call ended.
//
// Sums lack the factor G. A result that is not finite shows that particles are at the same place, or nearly.
//
// Laws: with the separation D from a target to a source of mass m, u = |D|^2 + e^2 and the softening e, the target has
//
//   law              acceleration     potential
//   inverse_square   G m D / u^3/2    -G m / u^1/2
//   inverse          G m D / u        G m (log u) / 2      what discs in two dimensions have
//
// The acceleration is minus the gradient of the potential in both. Two particles at the same place do not accelerate
// each other; without softening they have no potential either, which is an error (self_gravity.hpp).
//
// A cell of many particles has a mass M, a centre of mass C, and second moments Q_ab about it: sums of m d_a d_b.
// Here D leads from the target to C, q is D.Q.D, the trace of Q is S, and h the factor of G m D above. By Taylor's
// series the cell has
//
//   potential     M phi + (S h + 2 h' q) / 2
//   acceleration  D (M h + S h' + 2 h'' q) + 2 h' Q D         ' is the derivative with respect to u
//
// up to terms of third order in the cell's size. Since Q keeps its trace, this holds for softened laws too. The term of
// first order vanishes about the centre of mass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gravity/moments.hpp"
#include "ricochet/model/world.hpp"

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
    /// Moves the targets to where these points are, minus the offset. Sums stay.
    /// Requires: as many points as before.
    void move(std::span<const PointMass> points, Vec3 offset);
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
