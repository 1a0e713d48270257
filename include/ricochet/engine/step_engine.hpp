// SPDX-License-Identifier: BSD-3-Clause
//
// One slab, one step, no MPI: every contact of the local particles, at its time, in the order of ContactKey.
//
// The local particles are those that the rank owns, and copies of those above its upper face (halo). All are
// resolved together. The caller walks through the step in *sub-windows*, whose number changes the speed and
// not the result. A particle that two neighbours have may touch a partner that only one of them has: a
// boundary event, which the other must receive. After resolving a window, the caller may exchange these. Of
// several ranks that have both partners, the lowest sends and records the contact (the reporting rank).
// Islands that remote events change run again. When no rank's list changes any more, the window is committed.
//
//     begin_step -> plan_windows -> { next_window -> resolve -> [collect, set_remote_events, resolve]*
//                                     -> commit }* -> end_step
//
// Why it is right: take the earliest wrong event in any local set. If both partners are in the set, they were
// right before it. If one is not, the event came from a rank that has both, and they were right there too. So
// it cannot be wrong. Why it ends: the first error moves later in every round.
//
// How a window is resolved: engine/islands.hpp. How candidates are found: search/broad_phase.hpp. There is a second
// engine, with one queue of events and kinetic structures, to compare methods: src/kinetic/queue_engine.hpp.
//
// Cost: per contact, two searches of a neighbour list; per step, a search of all particles.
//
// Not done: threads inside a slab. They would go on where slabs become too thin (plan/scaling_model.hpp): T
// threads share the copies of one slab. The result is *defined* by the keys of the contacts, so any number of
// threads that resolves a window completely gives the same bits.
//   - Loops over particles or cells (drive, sort, first search, advance): each thread takes its range and has
//     its own list of what it found, the lists one behind the other. Normals are keyed by id and step
//     already.
//   - Islands may not run side by side just so: a search reads the paths of others. Two islands may change
//     particles near each other at once. Each would then see the other's old path and miss a contact. One
//     after the other, the second sees what the first did.
//   - So cut the slab along y into 2 T strips, each wider than twice the reach of a search. Islands inside
//     even strips run first, a thread to a strip, then those of odd strips. One thread runs what crosses
//     strips. A run that touches a slot beyond its strip gives up, is rolled back, and is kept for that
//     thread. No locks, no atomics, and merges only inside a strip.
//   - Each thread has its IslandRunner with a RunArena, beside one StepContext and one StepState. Still
//     shared, and to be divided: blocks of memory, stamps and lists of changed slots in LocalMotion, chained
//     neighbours, and predictions filed for later windows. An island then names its arena beside its ranges.
//     The union-find stays one array, of which a thread writes its strip's islands.
//   - Merged after each window: flags by or, extents by max, counts by sum, pools in the order of the strips.
//     Contacts have no order yet, and observables are sums of integers (core/exact_sum.hpp).
//   - Ranks: one thread speaks to MPI, and remote events are distributed to strips. The balancer's clock must
//     add up the CPU time of all threads (slabs/work_meter.hpp).
// Worth: the serial part is what crosses, about reach over width of a strip, and the exchange. Cost: memory
// for T sets of pools, and every search must say how far it read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/core/phase_clock.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/engine/step_counters.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

// What slabs and the engine tell each other: private (src/engine). A caller that has the whole box calls resolve_step.
struct BoundaryEvent;
struct Coverage;
struct SweptPaths;
class Holders;
template <class T>
class BlockVector;

/// Owned particles and copies of one rank in one step: 2^32 - 64. Numbers from here on are no slots.
inline constexpr std::uint32_t most_local_particles = 0xfc000000u;

/// A particle reached the cap on contacts per step: the system is jammed, or an inelastic one collapses. Or it became
/// too wide for the body that it is in.
struct CapHit {
    ContactKey key;           ///< of the contact at which it did
    ParticleId particle = 0;  ///< the partner that did
    std::uint64_t count = 0;
    ParticleId outgrown = 0;  ///< the surface of that body, as in contact keys; 0: the cap
    double radius = 0;        ///< of the particle, and
    double room = 0;          ///< the radius of the body's inside
};

/// Whether particles may touch infinitely often in a finite time.
enum class CollapseState : std::uint8_t {
    impossible,  ///< no contact loses energy
    slow,        ///< fast contacts do, slow ones are elastic (RestitutionLaw): no, but there may be many
    possible,    ///< some do at any speed
    prevented    ///< some do, but not soon after another contact (World::collapse_duration)
};

struct EngineOptions {
    SearchMethod search = SearchMethod::automatic;
    SearchOptions search_options = {};
    SearchLoop loop = SearchLoop::automatic;  ///< must be possible for the search (is_possible)
    Kicks kicks = {};  ///< what `time_bounds` expects of drives; others cost time, and no contact
    std::uint64_t contact_cap = 100'000;  ///< contacts per particle and step
    std::uint64_t num_intervals = 0;      ///< how often a step is searched (search_interval.hpp); 0: chosen
    /// Changes of particles per rank and step, those that are undone included: 32 bits number them. Less only in tests.
    std::uint64_t most_changes = std::uint64_t{1} << 31;
    bool use_research_rule = true;  ///< off only in the test that shows what the rule prevents
    bool use_generations = true;    ///< likewise
    PhaseClock* clock = nullptr;    ///< takes the time of binning and searching; null: no times are taken
};

/// What the caller wants done: a step, or a part of one.
struct StepTask {
    TimeSpan span;
    ContactDetail detail = ContactDetail::records;
    std::uint64_t number = 0;  ///< of the step, by which random responses are drawn
    double reach = 0;          ///< StepEngine::reach of all particles, the largest
    /// Radii grow: at time t of the step they are 1 + growth t times those of the particles. Contacts are then elastic,
    /// whatever their rules, and `reach` holds what the largest radius grows by. 1/time, >= 0.
    double growth = 0;
    bool ends_step = true;  ///< false: another part of the same step follows
};

/// The contacts that straight paths have in the first part of a step.
struct ContactForecast {
    std::uint64_t num_contacts = 0;    ///< with an owned particle
    double time = 0;                   ///< how long that part is
    std::uint64_t num_of_busiest = 0;  ///< of the particle that has most; 0 where they are not counted
};

/// A sub-window of a step, open until it is committed. It belongs to the engine.
class StepWindow {
  public:
    /// Runs all islands that are not up to date with the remote events. False where it gives up: in dense or
    /// jammed systems islands merge again and again when the window is too long. The window must then be
    /// halved and resolved again. A matter of speed only.
    virtual bool resolve() = 0;
    /// Undoes everything in the window and makes it half as long; the other half becomes the next window.
    /// Requires: all ranks do so in the same window.
    virtual void halve() = 0;
    /// Appends the boundary events of this window that the given neighbour must know, in the order of (key,
    /// particle).
    virtual void collect_boundary_events(unsigned neighbour, std::vector<BoundaryEvent>& events) const = 0;
    /// Replaces the whole list of remote events of this window, in any order; events of particles that are
    /// not local are ignored. True if that changes anything: resolve again then.
    virtual bool set_remote_events(std::span<const BoundaryEvent> events) = 0;
    /// Whether a contact was found too late to be in its place, so that contacts before may be wrong. Then the step
    /// must be abandoned and done again. The engine finds its candidates in another way from then on, until a step has
    /// ended.
    virtual bool has_lost_contact() const { return false; }
    /// Whether this rank can hardly number more changes in this step (EngineOptions::most_changes). Then it must end.
    virtual bool is_exhausted() const = 0;
    /// The earliest contact cap that the window runs into as it stands.
    virtual std::optional<CapHit> cap_hit() const = 0;
    /// Along each axis, the largest sum of an owned particle's radius and the rest of its path after a
    /// contact. 0 without contacts. Of the windows before and of this one as it stands. O(islands
    /// open).
    virtual Vec3 max_extent() const = 0;
    /// Whether no other follows, as things stand.
    virtual bool is_last() const = 0;
    /// Makes the window's contacts final and gives each, unordered, to `contacts`, on one rank only. The
    /// window is closed afterwards.
    /// Requires: a window is open.
    virtual void commit(ContactSink& contacts) = 0;

  protected:
    StepWindow() = default;
    StepWindow(const StepWindow&) = default;
    StepWindow& operator=(const StepWindow&) = default;
    ~StepWindow() = default;
};

class StepEngine {
  public:
    virtual ~StepEngine() = default;
    StepEngine(const StepEngine&) = delete;
    StepEngine& operator=(const StepEngine&) = delete;

    /// Whether its rules change species, radii or masses, or end particles.
    bool changes_matter() const { return changes_matter_; }
    /// Whether Brownian particles react at rates. A step must then not be divided.
    bool has_rates() const { return rules_.have_rates(); }
    /// Whether its rules tether particles. A step's particles then keep their tethers (TrackList::keep_tethers).
    bool has_tethers() const { return rules_.have_tethers(); }
    /// Whether its particles keep the times of their latest contacts (TrackList::keep_latest_contacts).
    bool prevents_collapse() const { return rules_.collapse_duration() > 0; }
    CollapseState collapse() const {
        if (!rules_.have_losses()) return CollapseState::impossible;
        if (prevents_collapse()) return CollapseState::prevented;
        return rules_.may_collapse() ? CollapseState::possible : CollapseState::slow;
    }
    /// As the rules name a species.
    std::string name_of(SpeciesIndex species) const { return rules_.name_of(species); }
    /// A wall or body, in sentences.
    /// Requires: `id` is that of an obstacle in contact keys.
    virtual std::string name_of_obstacle(ParticleId id) const = 0;
    /// How far beyond their surfaces reactions and tethers of these particles, and of all that they may become, reach
    /// at most (ContactRules::reach). Where particles fall, also how far they come beyond walls in the frame of the
    /// step: midpoints stay in the box. O(particles) where Brownian reactions have rates or particles are tethered,
    /// else O(1).
    double reach(const Particles& particles) const;

    /// Starts a step, or a part of one. `local` holds the owned particles first, [0, num_owned), then the copies,
    /// all at the begin of the span. They are worked on in place, and belong to the engine until end_step or
    /// abandon_step. `holders` names the neighbours that have a local particle too. It is not read where the
    /// coverage is the whole box. O(local particles).
    /// Requires: no step is open; at most most_local_particles; `holders` stays as it is until the step's end.
    virtual ContactForecast begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                                       const StepTask& task, const Coverage& coverage) = 0;
    /// Divides the step into `count` equal sub-windows.
    /// Requires: the same count on all ranks.
    virtual void plan_windows(std::uint64_t count) = 0;
    /// Opens the next sub-window, [end of the previous one, end of this one); null where none is left.
    virtual StepWindow* next_window() = 0;

    virtual SweptPaths swept_paths() const = 0;
    virtual const StepStatistics& statistics() const = 0;
    /// Without the particles, which are the caller's. O(1).
    virtual EngineMemory memory() const = 0;
    /// The number of owned particles that the latest step has left absent.
    virtual std::size_t num_ended() const = 0;

    /// Brings the owned particles to the end of the step: advanced, wrapped, images counted, time 0.
    /// Those that have ended are absent (is_absent), for the caller to remove before anything else is done with them.
    /// The copies are left in no defined state.
    /// Requires: the last window is committed.
    virtual void end_step() = 0;
    /// Gives the step up: the owned particles are as they were when it began, the copies in no defined state.
    /// Requires: a step is open.
    virtual void abandon_step() = 0;

    /// The order of the owned particles in which neighbours in space are neighbours in memory, as of the
    /// latest step. Element k is the index of the particle that should come k-th, those that have ended removed. No
    /// elements where the search had better keep the order there is.
    /// Bringing the particles into it every steps_between_sorts keeps the engine fast. To be used up before the next
    /// step.
    virtual BlockVector<std::uint32_t> spatial_order() = 0;

  protected:
    /// `beyond_walls`: most_beyond_walls (src/model/wall_path.hpp).
    StepEngine(const ContactRules& rules, double beyond_walls)
        : rules_(rules), beyond_walls_(beyond_walls), changes_matter_(rules.change_matter()) {}
    const ContactRules& rules() const { return rules_; }
    double beyond_walls() const { return beyond_walls_; }

  private:
    ContactRules rules_;
    double beyond_walls_;
    bool changes_matter_;
};

/// Rarer sorts make steps of large systems longer (note 21 of tests/bench/notes.md).
inline constexpr std::uint64_t steps_between_sorts = 4;

/// The sentence that ends a run at the contact cap; the same on every rank that passes the same hit.
std::string cap_message(std::uint64_t step, const CapHit& hit, const StepEngine& engine);
/// The message about a step with too many changes on some rank.
std::string exhaustion_message(std::uint64_t step);

/// One whole step of a system that is not cut into slabs: all contacts, then the end-of-step state. Returns
/// the contacts in the order of their keys; those that have ended are removed. `number`: of the step. Throws RunError
/// when the contact cap is reached.
std::vector<Contact> resolve_step(StepEngine& engine, Particles& particles, double dt,
                                  std::uint64_t num_windows, std::uint64_t number = 0);

}  // namespace ricochet
