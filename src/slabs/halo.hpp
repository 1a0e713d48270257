// SPDX-License-Identifier: BSD-3-Clause
//
// The halo: copies of the particles that lie above a slab's upper face.
//
// An owned particle is copied to another slab when the midpoint of its path lies above that slab, no farther
// than the halo is wide. The copy has its owner's bits. It is not shifted by a box length, since that would
// change the last bit of nearly every contact time.
//
// Copies go downwards only. Of two particles near a face, the owner of the lower one has both. It sees their
// contacts and sends them to the other owner in every sub-window (window_exchange.hpp). The other owner sends
// back the contacts of the copied particle that the lower rank cannot see. Copies both ways would settle
// nearly all sub-windows in one round. But copies limit the speed-up, and this way needs half as many. The
// price is more rounds per sub-window (note 32 of tests/bench/notes.md).
//
// Layout of the local set: the owned particles first, then the copies, in the order of the neighbours. Beside
// it one mask per local particle: bit n says that the n-th neighbour has the particle too. Owners decide which
// neighbours get a copy and send the masks with it. So all ranks that have a particle agree on its holders. They are
// all neighbours of each other, since each has its midpoint in its own slab or at most a halo's width above it.
//
// Width: one contact reach in midpoint space. Two particles that touch have midpoints no farther apart along x
// than r_a + r_b plus how far each has left its own midpoint. The width is a particle's own: a small one can
// be touched from the other slab only by what lies nearer. Copies of a second reach would gain nothing. What
// the owner of a copy cannot see, others see and send it in every sub-window.
//
// The width is a guess: no path is expected to lead farther from its midpoint than E, `excursion`. Once the
// contacts are known, the ranks verify it, in two stages.
//
// First by the faces. Let p touch q of the slab above, across a gap of width g (0 between adjacent slabs), and
// let q have no copy on p's rank. When they touch, the surface of p is u above its face, that of q is d below
// its own, and u + d >= g. So each rank sends its neighbours, with every list of events, how far its paths lead
// above its upper face. A neighbour adds how far its own unsent particles lead below its lower face. A sum less
// than the gap excludes such a contact. Non-neighbours do not report. If a path crosses half the gap towards
// one, the step is redone.
//
// Then by bounding spheres, where the sum is not less. That takes extremes on both sides, but they need not be
// at the same place. All ranks send their neighbours bounding spheres of the paths in question, those that lead
// far enough up. Each neighbour compares them with the spheres of all that it did not send. Only if two of them
// overlap is the step redone with a wider halo. A rank that has searched the step in several intervals has no such
// spheres; then every path in question counts as overlapping.
//
// Both stages are sufficient. Up to the first contact that no rank sees all paths are right, so the bounds of the
// partners' owners contain them. Bounds only grow during a step, so one comparison at its end suffices. The second
// stage allows a smaller E, hence fewer copies (note 33 of tests/bench/notes.md).
//
// Not done: to send the small ones of a mixture far only where a large one really is behind the face.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/coverage.hpp"
#include "model/rounding.hpp"
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
    std::uint32_t species_and_axes = 0;  ///< the frozen axes in the highest three bits
    std::uint32_t holders = 0;           ///< bit j: the j-th neighbour of the owner has a copy
};
static_assert(sizeof(HaloRecord) == 80 && std::is_trivially_copyable_v<HaloRecord>);

/// How far a slab's particles may reach into another, and which of its own the one below must have copies of.
struct HaloReach {
    double max_radius = 0;  ///< of all particles
    double excursion = 0;   ///< of paths from their midpoints, along x: a guess
    double reaction = 0;    ///< how far reactions reach beyond surfaces

    /// The halo width for particles of this radius: the sum of two reaches. A little more covers the rounding of the
    /// distances that are compared with it.
    double width(double radius) const {
        return ((radius + excursion) + (max_radius + excursion) + 2 * reaction) * slab_reach_up;
    }
    double max_width() const { return width(max_radius); }
};

/// What exchange_halo must know of the particles that it does not look at.
struct NearFaces {
    std::span<const std::uint32_t> slots;  ///< ascending; at least those within its width of the lower face
    FaceReach of_others;                   ///< bound on the straight paths of all others
};

/// One `Particles` holds owned particles and copies; HaloMap tells them apart.
struct HaloMap {
    std::vector<int> neighbours;  ///< ranks, ascending
    Holders holders;              ///< of the local particles; of no slots on a single rank
    std::uint64_t num_owned = 0;
    std::uint64_t num_sent = 0;  ///< copies made of owned particles, one per particle and neighbour
    PathReach straight;          ///< of the owned particles' paths without contacts
    std::vector<Bytes> outgoing, incoming;  ///< the messages; kept for the memory that they have
};

/// Appends the copies to `local`, which holds the owned particles as they are when the span begins, and tells them
/// apart in `halo`. Collective. Throws RunError, on all ranks, when a slab is so thin that the halo reaches more
/// neighbours than a mask can name.
void exchange_halo(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, const HaloReach& reach,
                   const NearFaces& near, TimeSpan span, Particles& local, HaloMap& halo);

/// Takes the copies out of the local set again.
void drop_copies(const HaloMap& halo, Particles& local);

/// Whether a particle that this rank did not send down to some neighbour may have touched one of that
/// neighbour's. `mine` is the engine's; theirs[n] was received from the n-th neighbour.
bool may_have_missed(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const PathReach& mine,
                     std::span<const FaceBounds> theirs);
/// The least that a path of this rank must lead beyond its upper face to touch one of the neighbour's that it
/// was not sent.
double least_reach_in_question(const SlabDecomposition& slabs, int rank, int neighbour,
                               const FaceBounds& theirs);
/// Whether a path of this rank may have touched one of a rank that is no neighbour, or half-way.
bool reaches_non_neighbours(const SlabDecomposition& slabs, int rank, const HaloMap& halo,
                            const FaceReach& mine);

/// What the engine must know of the slab and of its halo.
Coverage coverage_of(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const HaloReach& reach);

}  // namespace ricochet
