// SPDX-License-Identifier: BSD-3-Clause
//
// Migration: for a step, a particle belongs to the slab in which the midpoint of its straight path lies
// (geometry/path.hpp). The rank that has the particle decides so once per step, after the drive has set the
// velocities. The receiver takes it without a question.
//
// Plan and messages are apart, so that the plan can be tested without messages. The ranks agree in between
// whether messages go to adjacent slabs only, together with the other numbers of a step (step_limits.hpp).
// Any-to-any is for the first distribution and after the cuts have moved; the same functions do it.
//
// Layout: arrivals take the places of leavers, and the last particles fill gaps. Closing the gaps in order
// would move the whole slab through memory in every step. A message holds the Motion records of all leavers,
// then their Attributes: whole bytes of both, nothing lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/slabs.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The particles that have to go to other ranks.
struct MigrationPlan {
    struct Leaver {
        std::uint32_t index;  ///< into the particles for which the plan was made
        int destination;      ///< rank
    };
    std::vector<Leaver> leavers;       ///< ascending index
    bool is_to_adjacent_slabs = true;  ///< no particle goes farther than to a slab that touches this one
};

/// The particles on rank `rank` whose paths of length dt have their midpoint in another slab; dt = 0 goes by
/// the positions. `outside` names, ascending, at least those (path_bounds.hpp). Local.
MigrationPlan plan_migration(const Particles& particles, std::span<const std::uint32_t> outside, double dt,
                             const Box& box, const SlabDecomposition& slabs, int rank);
/// The same without such a list. Throws RunError for more than 2^32 - 1 particles on a rank.
MigrationPlan plan_migration(const Particles& particles, double dt, const Box& box,
                             const SlabDecomposition& slabs, int rank);

/// Carries out the plans of all ranks. The arrivals take the places of the leavers; more arrivals are
/// appended, and where there are fewer the last particles fill the gaps. Collective. `any_to_any` must be the
/// same on all ranks, and true unless every rank's plan is to adjacent slabs only.
void migrate(Exchange& exchange, const SlabDecomposition& slabs, const MigrationPlan& plan, bool any_to_any,
             Particles& particles);

/// Brings every particle, wherever it is, to the rank in whose slab its position lies. Collective.
void distribute(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, Particles& particles);

}  // namespace ricochet
