// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies at random in a system that has particles already.
#pragma once

#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// A body of a random shape about the box; `side` inside: one that leaves most of the box inside.
Body random_body(const Box& box, HashRandom& random);
Body random_container(const Box& box, HashRandom& random);

/// Gives the system's world one to four bodies, in half of the cases one that holds the others, and rules at some.
/// Particles in the way are taken out.
void give_random_bodies(System& system, HashRandom& random, bool may_be_passed = true);

}  // namespace ricochet::test
