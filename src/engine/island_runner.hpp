// SPDX-License-Identifier: BSD-3-Clause
//
// Runs islands: takes an island's events in the order of ContactKey, and lets each take effect. Then searches
// again for every particle that has changed, and merges islands that turn out to be one.
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

#include "contact/response.hpp"
#include "engine/run_arena.hpp"
#include "engine/step_context.hpp"
#include "engine/step_state.hpp"

namespace ricochet {

class IslandRunner {
  public:
    /// Refers to both.
    IslandRunner(const StepContext& context, StepState& state)
        : context_(context), state_(state), arena_(context, state) {}
    IslandRunner(const IslandRunner&) = delete;
    IslandRunner& operator=(const IslandRunner&) = delete;
    ~IslandRunner() = default;

    /// Runs the island, merging it with whatever it touches, until a run stands; or gives up when the window
    /// is overloaded and must be halved.
    void run(std::uint32_t root);

    /// Its own: to be read and emptied between runs.
    RunArena& arena() { return arena_; }

    /// Whether more has been searched in this window than its contacts explain.
    bool is_overloaded() const { return arena_.statistics.num_searches > context_.most_searches; }

    /// Files the contacts found for later windows; to be called when the islands of a window have been run.
    void file_later_contacts();

  private:
    /// One run of an island.
    struct Run {
        std::uint32_t root;
        std::uint32_t stamp_before;  ///< the latest when it began
    };
    /// A contact whose turn has come, and what comes of it.
    struct DueContact {
        ContactKey key;
        Slot low;      ///< the partner with the lower id
        Partner high;  ///< never of a remote event
        ContactOutcome outcome;
    };
    /// When a search asks, and the latest own time at which a slot is not ahead of it.
    struct Query {
        double time, latest_not_ahead;
    };
    static constexpr std::uint32_t no_conflict = no_island;

    /// The latest own time at which a slot is not ahead of a search. A slot that changed at the very time is ahead: just
    /// before, it may have come nearer, been larger, or elsewhere.
    static double latest_not_ahead(double query_time) {
        if (!(query_time > 0)) return -1;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(query_time) - 1);  // the next lower one
    }

    // Events. Each returns an island to merge with, or no_conflict.
    std::uint32_t attempt(std::uint32_t root);
    std::uint32_t search_changed(Run run);
    std::uint32_t apply(Run run, const Prediction& event);
    std::uint32_t apply_remote(Run run, const Prediction& event);
    DueContact pair_contact(const Prediction& event) const;
    DueContact obstacle_contact(const Prediction& event) const;
    void complete(PairContact& pair, Slot low, Slot high) const;
    void complete(ObstacleContact& contact, Slot slot, ObstacleNumber number) const;

    bool is_wedged(const DueContact& contact) const;
    std::uint32_t let_pass(DueContact& contact);

    // The search after a change.
    std::uint32_t search_from(Run run, Slot slot, Slot skip);
    std::uint32_t test(Run run, Slot slot, Slot other, double time, Query query);
    std::uint32_t add_prediction(Run run, const Prediction& prediction);
    std::uint32_t claim(Run run, Slot slot);
    bool could_have_touched(Slot slot, Slot ahead, double query_time) const;

    // What a change entails.
    void change(Run run, Slot slot, const ContactKey& key, const NewMotion& after, const Attributes* matter);
    void change_matter(Run run, Slot slot, const ContactKey& key, Vec3 position, const Attributes* matter);
    void note_absorbed(const DueContact& contact);
    void note_tether(const DueContact& contact);
    Attributes attributes_after(Slot slot, const Matter& matter) const;
    void keep_in_sphere(Slot slot);
    void watch_faces(Slot slot, double radius, double onwards);

    // The record and the neighbours.
    void report(const DueContact& contact);
    void record(const DueContact& contact);
    Vec3 touching_point(const DueContact& contact) const;
    RuleNumber rule_number(const DueContact& contact) const;
    void record_outgoing(const DueContact& contact, bool of_low);
    std::uint64_t state_hash(Slot slot) const;

    const StepContext& context_;
    StepState& state_;
    RunArena arena_;
    ContactKey latest_let_pass_;  ///< of the run; generation 0: none so far
};

}  // namespace ricochet
