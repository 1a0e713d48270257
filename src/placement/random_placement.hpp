// SPDX-License-Identifier: BSD-3-Clause
//
// Random placement without overlap, with the same particles for every number of ranks.
//
// Algorithm: sizes are placed in stages, from the largest down by a factor of 0.9 each, so that large ones
// find room. A stage has rounds, until all are placed:
//   1. Every id without a place proposes the next m positions of its own sequence: uniform where its centre
//      may lie, keyed (seed, id, attempt).
//   2. A proposal is *free* when it keeps off bodies and overlaps no placed particle, but those that it may pass
//      through. The first free one of an id is its candidate.
//   3. A candidate is accepted when it overlaps no candidate of a lower id. Accepted ones are placed.
//
// Each step is a function of the whole set, whichever rank computes it. The number m is a function of global
// counts. It doubles while fewer than half of the ids find a free place, so that late rounds are not mostly
// waiting.
//
// It ends: every round with a candidate accepts the one of the lowest id. A round without candidates counts
// against a budget of proposals. The chance of a free proposal only falls. So placement also gives up as soon
// as the present chance would use up the budget.
//
// Layout: ids are cut into one block per rank (which proposes), the box into equal strips along x, one per
// rank (which tests). Placed particles and candidates are sent to all strips in which they can overlap
// others. Only the strip that contains a centre decides. So a rank stores about N / size() of everything,
// plus its surroundings. Strips have no minimum width.
//
// Disadvantage: four all-to-all messages per round; a start is made once.
#pragma once

#include <cstdint>

#include "geometry/body_room.hpp"
#include "geometry/shape_table.hpp"
#include "placement/population.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct RandomPlacement {
    Particles particles;  ///< in this rank's strip, ascending ids; all particles only if is_complete
    bool is_complete = false;
    std::uint64_t num_placed = 0;  ///< in the whole box, like the members below
    std::uint64_t num_proposals = 0;
    std::uint64_t num_rounds = 0;
};

/// What particles keep off beside each other as spheres and walls. Pointers outlive the placement.
struct RoomAtRandom {
    const BodyRoom* bodies = nullptr;    ///< null: none
    double free_part = 1;                ///< of the volume of the box
    const ShapeTable* shapes = nullptr;  ///< null: all are spheres
};

/// Places the population at random. Centres are at least a radius from walls and bodies, and pairs at least the sum of
/// their radii apart, in floating point too. So are shapes, by their gaps. Pairs that pass through each other may
/// overlap. Radii must be positive, fit between the walls, and have unique nearest images. Collective.
RandomPlacement place_randomly(const Box& box, const Population& population, Exchange& exchange,
                               const RoomAtRandom& room = {});

}  // namespace ricochet
