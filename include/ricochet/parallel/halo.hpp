// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of the neighbours' particles near the faces. An owned particle whose path has its midpoint within
// the halo width of another slab is sent there once, however many faces lie between, with its owner's bits:
// unshifted, since shifting by a box length changes the last bit of nearly every contact time.
//
// Layout of the local set: the owned particles first, then the copies, in the order of the neighbours. Beside
// it one mask per local particle: bit n says that the n-th neighbour has the particle too. Owners decide who
// has a copy and tell the receivers, so that "does neighbour n have q?" has the same answer on every rank
// that has q, whoever owns it.
//
// The width is one contact reach in midpoint space: two particles that touch have midpoints no farther apart
// along x than r_a + r_b plus how far each has left its own midpoint. It is a particle's own: a small one can
// be touched from the other slab only by what lies nearer. Copies of a second reach would buy nothing,
// because what copies cannot see is imposed on them by their owners in every sub-window (slab_step.hpp).
//
// Every path is assumed to stay within `excursion` of its midpoint; IslandRunner::watch_excursion tells when
// one does not, and why that is enough. Elastic gases of 100,000 at volume fractions 0.1 and 0.3: with 0.6,
// 0.7, 0.8 times the largest displacement about 4, 1, and less than 1 of 100 steps were done again, each 0.1
// makes 5 to 6 % more copies, and a copy costs what an owned particle does. Not built: to judge after the
// contacts, by the largest reach beyond a face plus that of what was not sent, agreed by the ranks with their
// flags, which would do with less; and to send the small ones of a mixture far only where a large one really
// is behind the face.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/parallel/slabs.hpp"

namespace ricochet {

/// What a copy needs to take part in a step: no diffusion, no image counter, no origin; those stay with the
/// owner.
struct HaloRecord {
    Vec3 position;
    Vec3 velocity;
    ParticleId id = 0;
    double radius = 0;
    double mass = 0;
    SpeciesIndex species = 0;
    std::uint32_t holders = 0;  ///< bit j: the j-th neighbour of the owner has a copy
};
static_assert(sizeof(HaloRecord) == 80 && std::is_trivially_copyable_v<HaloRecord>);

/// How far a slab's particles may reach into another, and which of its own that other must have copies of.
struct HaloReach {
    double max_radius = 0;  ///< of all particles
    double excursion = 0;   ///< of a path from its midpoint, along x, at most half a straight one or more

    /// Of the halo for particles of this radius; a little more than the sum of what two may reach, for the
    /// roundings of the distances that are compared with it.
    double width(double radius) const {
        return ((radius + excursion) + (max_radius + excursion)) * (1 + 1e-9);
    }
    double max_width() const { return width(max_radius); }
};

/// Everybody that takes part in a step on this rank is in one Particles; this says who is who in it.
struct HaloMap {
    std::vector<int> neighbours;         ///< ranks, ascending
    std::vector<NeighbourMask> holders;  ///< one per local particle; empty on a single rank
    std::uint64_t num_owned = 0;
    std::uint64_t num_sent = 0;  ///< copies made of owned particles, one per particle and neighbour
    std::vector<Bytes> outgoing, incoming;  ///< the messages; kept for the memory that they have
};

/// Appends the copies to `local`, which holds the owned particles, and says in `halo` who is who. `near`
/// names at least those within reach.max_width() of a face (path_survey.hpp). Collective. Throws RunError, on
/// all ranks, when a slab is so thin that the halo reaches more neighbours than a mask can name.
void exchange_halo(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, const HaloReach& reach,
                   std::span<const std::uint32_t> near, double dt, Particles& local, HaloMap& halo);

/// Takes the copies out of the local set again.
void drop_copies(const HaloMap& halo, Particles& local);

/// What the engine must know of the slab and of its halo.
Coverage coverage_of(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const HaloReach& reach);

}  // namespace ricochet
