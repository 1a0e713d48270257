// SPDX-License-Identifier: BSD-3-Clause
//
// What fuzzed cases may have besides: gravity, collapse that is prevented, restitution by speed, surfaces of a
// temperature, moving walls and decays. Each changes the system, and how it is run, as the random numbers say.
#pragma once

#include <cstdint>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/hash_random.hpp"

namespace ricochet::test {

/// Particles fall: along an axis or askew, a little or by as much as the frame allows, with half kicks at the ends of
/// steps. Half of them so that they come back to walls.
void let_fall(FuzzCase& fuzz, HashRandom& random);
/// In one of three cases.
void let_some_fall(FuzzCase& fuzz, std::uint64_t seed);
/// In one of two cases bounces are elastic soon after a contact: within a small part of the step or in most of several.
/// Of these three in four lose energy at contacts that are not.
void prevent_collapse_of_some(FuzzCase& fuzz, std::uint64_t seed);
/// In one of three cases most rules have a restitution that falls with the speed of approach: each its own, for which
/// none, some or all of the contacts are elastic.
void let_restitution_fall_for_some(FuzzCase& fuzz, std::uint64_t seed);
/// Some walls and bodies have a temperature, for some species. Most make particles faster or slower, few by much.
void heat_some_surfaces(FuzzCase& fuzz, HashRandom& random);
/// Some walls swing, a little or by a tenth of the box, slow or fast in a step; some come nearer. In most cases
/// particles that they would overlap are left out.
void move_some_walls(FuzzCase& fuzz, HashRandom& random);
/// Particles decay, before and after each step.
void let_decay(FuzzCase& fuzz, HashRandom& random);
/// Those that decay pass all, so that products must have room. Not those that may have tethers from the start.
void let_parents_pass_all(FuzzCase& fuzz);

}  // namespace ricochet::test
