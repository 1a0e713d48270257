// SPDX-License-Identifier: BSD-3-Clause
//
// One slab, one step, no MPI: every contact of the local particles, at its time, in the order of ContactKey.
//
// The local particles are those that the rank owns and copies of those above its upper face (halo). All are
// resolved together. The caller walks through the step in *sub-windows* (their number changes the speed, not
// the result) and, after resolving one, may exchange with the neighbours what each cannot know by itself: the
// contacts of a particle that both have with a partner that only one of them has ("straddling events"). Of
// several ranks that have both partners, the one with the lowest number tells the others, and records the
// contact. Imposing what the neighbours sent makes the islands concerned run again; when nobody's list
// changes any more, the window is committed.
//
//     begin_step -> plan_windows -> { begin_window -> resolve -> [collect, impose, resolve]* -> commit_window
//     }* -> end_step
//
// Why it is right: take the earliest wrong event in any local set. If both partners are in the set, they were
// right before it; if one is not, it was told by a rank that has both, in whose set they were right before
// it; so it cannot be wrong. Why it ends: the first error moves later in every round.
//
// How a window is resolved: engine/islands.hpp. How candidates are found: search/broad_phase.hpp.
//
// Threads inside a slab: not built; what it would take. They would go on where slabs become too thin
// (app/scaling_model.hpp): T threads share the copies of one slab. The result is *defined* by the keys of the
// contacts, so any number of threads that resolves a window completely gives the same bits.
//   - loops over particles or cells (drive, sort, primary search, advance): each thread its range and its
//     list of what it found, the lists one behind the other. Normals are keyed by id and step already.
//   - islands may not run side by side just so: a search reads the paths of others, and two islands that
//     change particles near each other at once would each see the other's old path and miss a contact (one
//     after the other, the second sees what the first did). So: cut the slab along y into 2 T strips, each
//     wider than twice the reach of a search. Islands that lie with their reach inside even strips run
//     first, a thread to a strip, then those of odd strips, then by one thread what crosses or has
//     outgrown its strip (a run that touches a slot beyond it gives up, is rolled back and kept for this).
//     No locks, no atomics, and merges only inside a strip.
//   - per thread: event heap, scratch of searches, statistics, and the pools of IslandForest (a PoolRange
//     then names its pool too). The union-find stays one array, of which a thread writes its strip's
//     islands.
//   - merged after each window: flags by or, extents by max, counts by sum, pools in the order of the
//     strips. Contacts have no order yet, and observables are sums of integers (core/exact_sum.hpp).
//   - ranks: one thread speaks to MPI; imposed events are dealt to strips; the balancer's clock must add
//     up the CPU time of all threads (parallel/work_meter.hpp).
// Worth: the serial part is what crosses, about reach over width of a strip, and the exchange. Cost: memory
// for T sets of pools, and every search must say how far it read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/core/block_store.hpp"
#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/time_span.hpp"
#include "ricochet/engine/path_reach.hpp"
#include "ricochet/events/boundary_event.hpp"
#include "ricochet/events/contact.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// The part of the box that the local set covers, in midpoint space (geometry/path.hpp).
struct Coverage {
    bool is_whole_box = true;  ///< one rank: no faces, no halo
    double lower = 0;          ///< slab [lower, upper) along x; -infinity where there is no neighbour below
    double upper = 0;          ///< +infinity where there is no neighbour above
    double halo_width = 0;     ///< copies have their midpoint within this distance above the slab
    NeighbourMask lower_ranks = 0;  ///< the neighbours with smaller rank numbers than this one
    PathReach straight;             ///< of the owned particles' paths without contacts
};

/// A particle reached the cap on contacts per step: the system is jammed, or an inelastic one collapses.
struct CapHit {
    ContactKey key;           ///< of the contact that reached the cap
    ParticleId particle = 0;  ///< the partner that did
    std::uint64_t count = 0;
};

enum class SearchMethod : std::uint8_t { automatic, cells, slices, all_pairs };
std::string_view to_string(SearchMethod method);

struct EngineOptions {
    SearchMethod search = SearchMethod::automatic;
    std::uint64_t contact_cap = 100'000;  ///< contacts per particle and step
    std::uint64_t num_legs = 0;           ///< how often a step is searched (search_leg.hpp); 0: chosen
    bool use_research_rule = true;        ///< off only in the test that shows what the rule prevents
    bool use_generations = true;          ///< likewise
};

/// Counters of one step, for the report and for tuning; they depend on rank count and search.
struct StepStatistics {
    std::uint64_t num_predicted = 0;  ///< primary contacts, found at the start of a leg
    std::uint64_t num_legs = 0;       ///< searches for them (search_leg.hpp)
    std::uint64_t num_pairs = 0;      ///< of neighbours, found by these
    std::uint64_t num_islands = 0;
    std::uint64_t num_island_runs = 0;
    std::uint64_t num_merges = 0;
    std::uint64_t num_repairs = 0;     ///< islands run again because of imposed events
    std::uint64_t num_searches = 0;    ///< of a particle among its neighbours
    std::uint64_t num_candidates = 0;  ///< neighbours looked at after a contact
    std::uint64_t num_enlarged = 0;    ///< paths that left their ball after a contact
    std::uint64_t largest_island = 0;  ///< contacts in one run
    double seconds_cells = 0;          ///< until the search was built: measuring paths, sorting into cells
    double seconds_later_legs = 0;     ///< for the searches of all legs but the first

    StepStatistics& operator+=(const StepStatistics& other);
};

class StepEngine {
  public:
    virtual ~StepEngine() = default;

    /// What is kept of contacts from the next step on; whole records unless said otherwise.
    virtual void keep_contacts(ContactDetail detail) = 0;

    /// Starts a step, or a part of one, that takes the given time. `local` holds the owned particles first,
    /// [0, num_owned), then the copies, all at the begin of the span. They are worked on in place: `local`
    /// must stay alive, and belongs to the engine, until end_step or abandon_step; `holders` must stay as
    /// they are so long. holders[k] names the neighbours that have local particle k too; nothing is asked of
    /// it where the coverage is the whole box. At most 2^32 - 64 local particles. Cost O(local particles).
    virtual void begin_step(Particles& local, std::size_t num_owned, const Holders& holders, TimeSpan span,
                            const Coverage& coverage) = 0;

    /// Primary contacts with an owned particle in the first predicted_time() of the step, found before any
    /// contact is resolved: what plan_windows should be based on.
    virtual std::uint64_t num_predicted() const = 0;
    virtual double predicted_time() const = 0;
    /// Divides the step into `count` equal sub-windows; all ranks must use the same count.
    virtual void plan_windows(std::uint64_t count) = 0;

    /// Whether the step has sub-windows that have not begun.
    virtual bool has_window() const = 0;
    /// Opens the next sub-window [previous end, end of this one).
    virtual void begin_window() = 0;
    /// Runs all islands that are not up to date with what is imposed on them.
    virtual void resolve() = 0;
    /// Whether resolve gave up because islands meet again and again, as they do in dense or jammed systems
    /// when the window is too long: the caller must then halve the window and resolve again. A matter of
    /// speed only.
    virtual bool is_overloaded() const = 0;
    /// Undoes everything in the current window and makes it half as long; the other half becomes the next
    /// window. All ranks must do so in the same window.
    virtual void halve_window() = 0;
    /// The straddling events of this window that the given neighbour must know, in the order of (key,
    /// particle).
    virtual void collect_straddling(unsigned neighbour, std::vector<BoundaryEvent>& events) const = 0;
    /// Replaces the whole list of imposed events of this window, in any order; events of particles that are
    /// not local are ignored. True if that changes anything: call resolve again then.
    virtual bool impose(std::span<const BoundaryEvent> events) = 0;
    /// The earliest cap that the current state of the window runs into.
    virtual std::optional<CapHit> cap_hit() const = 0;
    /// Makes the window's contacts final.
    virtual void commit_window() = 0;

    /// The contacts of the window that has been committed, until the next begins or the step ends: unordered,
    /// and each on one rank. In one of the two, see keep_contacts.
    virtual const BlockVector<Contact>& contacts() const = 0;
    virtual const BlockVector<ContactBrief>& contact_briefs() const = 0;
    /// How far the paths of owned particles lead beyond the faces: those without contacts, and all that
    /// contacts have made of them so far in this step, also in runs that did not stand.
    virtual const PathReach& path_reach() const = 0;
    /// Appends balls around the paths of owned particles that may lead so far above the upper face: at least
    /// all that do. O(owned particles), as the next.
    virtual void collect_beyond(double upper_reach, std::vector<SweptBall>& balls) const = 0;
    /// Whether one of the balls, from below the lower face, meets that of an owned particle which the
    /// neighbour has no copy of.
    virtual bool meets_unsent(unsigned neighbour, std::span<const SweptBall> balls) const = 0;
    /// Along each axis, the largest sum of the radius of an owned particle and the distance that it was about
    /// to travel in the rest of the step after one of its contacts; 0 without contacts. Of final contacts,
    /// and of the open window's as they stand: when it is settled, of what it will commit. O(islands open).
    virtual Vec3 max_extent() const = 0;
    virtual const StepStatistics& statistics() const = 0;

    /// Brings the owned particles to the end of the step: advanced, wrapped, images counted, time 0.
    /// The copies are left in no defined state.
    virtual void end_step() = 0;
    /// Gives the step up: the owned particles are as they were when it began, the copies in no defined state.
    virtual void abandon_step() = 0;

    /// The order of the owned particles in which neighbours in space are neighbours in memory, as of the
    /// latest step: element k is the index of the particle that should come k-th. Bringing the particles into
    /// it every steps_between_sorts keeps the engine fast. To be used up before the next step.
    virtual BlockVector<std::uint32_t> spatial_order() = 0;
};

/// Measured: with 16 instead, steps of 256,000 to 1,000,000 particles, dilute or dense, took 9 to 20 %
/// longer; below 100,000, where all is in cache, from 2 to 16 make no difference.
inline constexpr std::uint64_t steps_between_sorts = 4;

/// An engine for the box and rules. `automatic` is cells here; engine/search_choice.hpp chooses by the
/// density.
std::unique_ptr<StepEngine> make_step_engine(const Box& box, const ContactRules& rules,
                                             const EngineOptions& options);

/// The sentence that ends a run at the contact cap; the same on every rank that passes the same hit.
std::string cap_message(std::uint64_t step, const CapHit& hit);

/// One whole step of a system that is not cut into slabs: all contacts, then the end-of-step state. Returns
/// the contacts in the order of their keys. Throws RunError when the contact cap is reached.
std::vector<Contact> resolve_step(StepEngine& engine, Particles& particles, double dt,
                                  std::uint64_t num_windows);

}  // namespace ricochet
