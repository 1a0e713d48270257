// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of the particles above the upper faces. An owned particle whose path has its midpoint so far above
// another slab, or less, as the halo is wide is sent there once, with its owner's bits: unshifted, since
// shifting by a box length changes the last bit of nearly every contact time.
//
// Downwards only: of two particles near a face, the owner of the lower one has the upper one. It sees their
// contacts, and tells the other owner in every sub-window (slab_step.hpp), as that one tells what the copy
// met out of its sight. To send both ways lets both owners see nearly all of that by themselves, and settles
// nearly all sub-windows in one round. But copies are what limits the speed-up, and this makes half as many.
// The price is more rounds per sub-window: where many contacts fall on a face, one of them nearly always
// changes what some copy touches next (note 32 of tests/bench/notes.md).
//
// Layout of the local set: the owned particles first, then the copies, in the order of the neighbours. Beside
// it one mask per local particle: bit n says that the n-th neighbour has the particle too. Owners decide who
// has a copy and tell the receivers, so that "does neighbour n have q?" has the same answer on every rank
// that has q, whoever owns it. Whoever has q has its midpoint within its halo's width above the slab, or
// owns it: so they are all neighbours of each other, and each knows of all.
//
// The width is one contact reach in midpoint space: two particles that touch have midpoints no farther apart
// along x than r_a + r_b plus how far each has left its own midpoint. It is a particle's own: a small one can
// be touched from the other slab only by what lies nearer. Copies of a second reach would buy nothing,
// because what copies cannot see is imposed on them by those who see it in every sub-window.
//
// The width is a bet: E, `excursion`, need not be more than any path's distance from its midpoint. Once the
// contacts are known, the ranks find out whether it was enough, in two stages.
//
// First by the faces. Let p touch q, of the slab above, across a gap of width g, 0 between adjacent slabs,
// and q not have been sent down to p's. At the time of contact the surface of p is u above its face and that
// of q is d below its own, and u + d >= g, whoever of them has come to the other. So each rank tells its
// neighbours, with every list of events, how far the paths of its particles lead above its upper face; a
// neighbour adds how far those lead below its lower face that it has not sent. A sum less than the gap says
// that there was no such contact. Of a slab that is no neighbour nothing is heard: a path that leads across
// half of the gap to it is reason enough to do the step again.
//
// Where the sum is not less, which takes extremes on both sides but not at the same place, all ranks show
// their neighbours bounding spheres that hold the paths in question, those that lead far enough up to meet
// the farthest of what was not sent, and each compares them with the bounding spheres of all that it did not
// send. Only if two of them meet is the step done again, with a wider halo. A rank that has searched the step
// in several intervals has no such bounding spheres, and what it is asked about counts as met.
//
// This is enough: up to the first contact that nobody sees, all paths are right, so that the owners of
// its partners have noted them, and their bounding spheres hold them. Being noted is never taken back: so
// that bounding spheres are compared once, at the end of the step, for all its sub-windows.
//
// The second stage allows a smaller E, hence fewer copies (note 33 of tests/bench/notes.md).
//
// Not built: to send the small ones of a mixture far only where a large one really is behind the face.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "parallel/slabs.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/parallel/exchange.hpp"

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

/// How far a slab's particles may reach into another, and which of its own the one below must have copies of.
struct HaloReach {
    double max_radius = 0;  ///< of all particles
    double excursion = 0;   ///< of paths from their midpoints, along x: a guess

    /// Of the halo for particles of this radius; a little more than the sum of what two may reach, for the
    /// roundings of the distances that are compared with it.
    double width(double radius) const {
        return ((radius + excursion) + (max_radius + excursion)) * (1 + 1e-9);
    }
    double max_width() const { return width(max_radius); }
};

/// What exchange_halo must know of the particles that it does not look at.
struct NearFaces {
    std::span<const std::uint32_t> slots;  ///< ascending; at least those within its width of the lower face
    FaceReach of_others;                   ///< bound on the straight paths of all others
};

/// Everybody that takes part in a step on this rank is in one Particles; this says who is who in it.
struct HaloMap {
    std::vector<int> neighbours;  ///< ranks, ascending
    Holders holders;              ///< of the local particles; of no slots on a single rank
    std::uint64_t num_owned = 0;
    std::uint64_t num_sent = 0;  ///< copies made of owned particles, one per particle and neighbour
    PathReach straight;          ///< of the owned particles' paths without contacts
    std::vector<Bytes> outgoing, incoming;  ///< the messages; kept for the memory that they have
};

/// Appends the copies to `local`, which holds the owned particles as they are when the span begins, and says
/// in `halo` who is who. Collective. Throws RunError, on all ranks, when a slab is so thin that the halo
/// reaches more neighbours than a mask can name.
void exchange_halo(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, const HaloReach& reach,
                   const NearFaces& near, TimeSpan span, Particles& local, HaloMap& halo);

/// Takes the copies out of the local set again.
void drop_copies(const HaloMap& halo, Particles& local);

/// Whether one of the particles that this rank did not send down to some neighbour may have touched one of
/// that neighbour's: `mine` as the engine has it, theirs[n] as the n-th neighbour told.
bool may_have_missed(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const PathReach& mine,
                     std::span<const FaceBounds> theirs);
/// The least that a path of this rank must lead beyond its upper face to meet one of the neighbour's that it
/// was not sent.
double least_reach_in_question(const SlabDecomposition& slabs, int rank, int neighbour,
                               const FaceBounds& theirs);
/// Whether a path of this rank may have met one of a rank that is no neighbour, or half-way.
bool reaches_non_neighbours(const SlabDecomposition& slabs, int rank, const HaloMap& halo,
                            const FaceReach& mine);

/// What the engine must know of the slab and of its halo.
Coverage coverage_of(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const HaloReach& reach);

}  // namespace ricochet
