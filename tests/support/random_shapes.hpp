// SPDX-License-Identifier: BSD-3-Clause
//
// Convex bodies in place of spheres, for fuzzing.
#pragma once

#include <vector>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/hash_random.hpp"

namespace ricochet::test {

/// Corners about the centre of mass, all within `radius`: of a cube, a pyramid, a box or a random body.
std::vector<Vec3> random_corners(int dimension, double radius, HashRandom& random);

/// Of some species, whose particles are alike and of which no rule makes larger ones, tethers or reactions at rates.
/// Each shape is within the sphere before it.
void give_random_shapes(System& system, HashRandom& random);

/// Half of them dense gases of shapes, some on lattices on which cubes touch, half of these among bodies; else in most
/// kinds of cases without rates.
FuzzCase shape_fuzz_case(std::uint64_t seed);

}  // namespace ricochet::test
