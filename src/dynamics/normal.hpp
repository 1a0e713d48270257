// SPDX-License-Identifier: BSD-3-Clause
//
// Standard normal numbers, three per (key, id), with the same bits from every instruction set.
//
// Algorithm: Box-Muller in a fixed order. A particle's two generator blocks give four 64-bit words; the upper
// 52 bits of each are a uniform number:
//   block 0, word 0   radius sqrt(-2 log u), u in (0, 1]
//            word 1   an angle within an eighth of a turn, and three lower bits for the octant: (x, y)
//   block 1, word 0   radius
//            word 1   an angle within a quarter of a turn: z = radius sin(angle). One sine over half the
//                     circle has the distribution of one over the whole circle, and needs no octant.
//
// Logarithm, sine and cosine are those of core/math.hpp. Values end at sqrt(2 ln 2^52) = 8.49; the true
// probability beyond is 2e-17.
//
// Reason for Box-Muller: it needs no branch and no table, so it runs in vectors. A ziggurat or a table of the
// inverse distribution needs gathers and rejection. Disadvantage: a fourth normal number is discarded.
#pragma once

#include <span>

#include "ricochet/core/random.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// Three independent standard normal numbers; the definition, one particle at a time.
Vec3 standard_normals3(const RandomKey& key, ParticleId id);

/// The same numbers for many particles in vectors: x[k], y[k], z[k] belong to ids[k]. With an empty z only x
/// and y are computed (discs); they have the same bits as in three dimensions.
/// Requires: x, y, and z unless it is empty, have the length of ids.
void standard_normals3(const RandomKey& key, std::span<const ParticleId> ids, std::span<double> x,
                       std::span<double> y, std::span<double> z);

/// The direction of a vector of independent standard normal numbers: uniformly distributed; along x for zero.
Vec3 direction_of_normals(Vec3 normals);

}  // namespace ricochet
