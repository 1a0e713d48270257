// SPDX-License-Identifier: BSD-3-Clause
//
// Random placement without overlap, the same particles for every number of ranks.
//
// Sizes are placed in stages, from the largest down by a factor of 0.9 each, so that the large ones find
// room; within a stage in rounds, until nobody is left:
//   1. Every id without a place proposes the next m positions of its own sequence: uniform where its centre
//      may be, keyed (seed, id, attempt).
//   2. A proposal is *free* when it overlaps no placed particle. The first free one of an id is its
//   candidate.
//   3. A candidate is accepted when it overlaps no candidate of a lower id; accepted ones are placed.
// Each step is a function of the whole set, not of who computes it. m is a function of global counts: it
// doubles while fewer than half of the ids find a free place, so that late rounds are not mostly waiting.
//
// It ends: the candidate of the lowest id is accepted in every round that has one, and a round without any
// counts against a budget of proposals; the chance of a free proposal only falls, so placement also gives up
// as soon as the present chance would use up the budget.
//
// Distribution of work: ids are cut into one block per rank (who proposes), the box into equal strips along
// x, one per rank (who tests). Placed particles and candidates are sent to all strips that they can be felt
// in; only the strip that a centre lies in decides. So a rank holds about N / size() of everything, plus its
// surroundings. Strips have no minimum width. Disadvantage: four all-to-all messages per round; a start is
// made once.
#pragma once

#include <cstdint>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/engine/population.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct RandomPlacement {
    Particles particles;  ///< in this rank's strip, ascending ids; all of the box only if is_complete
    bool is_complete = false;
    std::uint64_t num_placed = 0;  ///< in the whole box, as all below
    std::uint64_t num_proposals = 0;
    std::uint64_t num_rounds = 0;
};

/// Places the population at random; centres at least a radius from the walls, no two closer than the sum of
/// their radii in floating point either. Radii must be positive, fit between the walls, and have unique
/// nearest images. Collective.
RandomPlacement place_randomly(const Box& box, const Population& population, Exchange& exchange);

}  // namespace ricochet
