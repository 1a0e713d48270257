// SPDX-License-Identifier: BSD-3-Clause
//
// Runs islands: takes an island's events in the order of ContactKey, and lets each take effect
// (contact_applier.hpp). Then searches again for every particle that has changed, and merges islands that turn out to
// be one.
//
// A contact changes one or two slots. Each is then searched along the rest of its path. A contact found
// inside the window goes on the heap and claims its partner. One beyond it is filed for its own window, by
// discarded runs too: it is then stale, or true all the same. A search can find a slot of another island:
//  * with a contact inside the window: the islands are one;
//  * or already *ahead* of the time of the search, its earlier path no longer at hand. Could the two have
//    touched before, by a bound on both speeds, the islands are one. If not, the contact time counts from the
//    other's own, later time, as the canonical function does by itself. Nothing is ever extrapolated back.
// Where islands are one, both are rolled back and run again together.
//
// Invariant: a run writes the step's state of its own slots and islands, and its arena. It reads the context.
//
// Not done: several runners at once. What it takes: step_engine.hpp.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/contact_applier.hpp"

namespace ricochet {

class IslandRunner : private ContactApplier {
  public:
    /// Refers to both.
    IslandRunner(const StepContext& context, StepState& state) : ContactApplier(context, state) {}

    /// Runs the island, merging it with whatever it touches, until a run stands; or gives up when the window
    /// is overloaded and must be halved.
    void run(std::uint32_t root);

    using ContactApplier::arena;

    /// Whether more has been searched in this window than its contacts explain.
    bool is_overloaded() const { return arena_.statistics.num_searches > context_.most_searches; }

    /// Files the contacts found for later windows; to be called when the islands of a window have been run.
    void file_later_contacts();

  private:
    /// When a search asks, and the latest own time at which a slot is not ahead of it.
    struct Query {
        double time, latest_not_ahead;
    };
    static constexpr std::uint32_t no_conflict = no_island;

    /// Whether another contact of the window may have the same time as the one that a search follows.
    enum class Tie : bool { no, possible };

    /// The latest own time at which a slot is not ahead of a search. One that another contact changed at the very time
    /// is ahead: just before, it may have come nearer, been larger, or elsewhere.
    static double latest_not_ahead(double query_time, Tie tie) {
        if (tie == Tie::no) return query_time;
        if (!(query_time > 0)) return -1;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(query_time) - 1);  // the next lower one
    }

    // Events. Each returns an island to merge with, or no_conflict.
    std::uint32_t attempt(std::uint32_t root);
    std::uint32_t search_changed(Run run);
    std::uint32_t apply(Run run, const Prediction& event);
    std::uint32_t apply_changing(Run run, DueContact& contact);
    std::uint32_t apply_remote(Run run, const Prediction& event);
    std::uint32_t record_once(DueContact& contact);

    // The search after a change.
    Tie note_instant(double time) { return arena_.instants.note(time) ? Tie::possible : Tie::no; }
    std::uint32_t search_from(Run run, Slot slot, Slot skip, Tie tie);
    std::uint32_t test(Run run, Slot slot, Slot other, double time, Query query);
    std::uint32_t add_prediction(Run run, const Prediction& prediction);
    std::uint32_t claim(Run run, Slot slot);
    bool could_have_touched(Slot slot, Slot ahead, double query_time) const;

    void keep_in_sphere(Slot slot);

    ContactKey latest_recorded_only_;  ///< of the run; both ids 0: none so far
};

}  // namespace ricochet
