// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a sub-window with one queue: takes contacts, remote events and topological events in the order of ContactKey,
// topological ones first at equal times. It is one island that holds all slots. So nothing is ever merged, and no slot
// is ahead of a search.
//
// Invariant: all contacts of neighbours in the structure, as the slots are now, are on the heap. So each contact is
// there before it is due. A pair may be there twice: the second one is stale when its turn comes.
//
// A contact of two that pass has changed nothing. A repeated search of the pair finds it once more, at its old time: it
// is due before what has been done, and is dropped.
//
// A contact that is found after its place in the order shows that the structure has lost a pair. Its place is after all
// contacts, remote events and topological events so far, and in the window. Where all only bounce and none overlap at
// the start, two that overlap show it too (overlap_watch.hpp). Neighbours are asked when they are searched, and all at
// the end of the step. Whatever was done since may be wrong, also in windows that are final. So the run gives up, and
// the step must be done again: then a reserve names the candidates (replaceable_structure.hpp).
//
// In the loop `restart` all is searched again after each contact. Then only the next contact must be found. In the loop
// `precheck`, pairs are not tested that are too far apart to touch before the earliest contact found so far.
//
// Cost: O(log events) and a search of the neighbours per contact and per topological event. With neighbours also a copy
// of structure and queues per window. Without, a window that is run again begins with a structure that is built anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/contact_applier.hpp"
#include "engine/event_count.hpp"
#include "engine/overlap_watch.hpp"
#include "engine/precheck.hpp"
#include "engine/replaceable_structure.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "search/kinetic_structure.hpp"

namespace ricochet {

template <KineticStructure Structure>
class QueueRunner : private ContactApplier {
  public:
    /// Refers to the first two.
    QueueRunner(const StepContext& context, StepState& state, const EngineOptions& options)
        : ContactApplier(context, state),
          restarts_(options.loop == SearchLoop::restart || options.loop == SearchLoop::precheck),
          prechecks_(options.loop == SearchLoop::precheck),
          structure_(context.box, options),
          precheck_(context.box),
          overlaps_(context.box, state.memory) {}

    using ContactApplier::arena;
    const ReplaceableStructure<Structure>& structure() const { return structure_; }
    /// Since begin: the step must be done again.
    bool has_lost_contact() const { return has_lost_contact_; }
    /// Bytes of the queues, and of what a window may be run again from.
    std::size_t memory_bytes() const {
        return arena_.heap.memory_bytes() + topological_.memory_bytes() + start_.contacts.memory_bytes() +
               start_.topological.memory_bytes() + bytes_of(kept_) + precheck_.memory_bytes() +
               overlaps_.memory_bytes();
    }

    /// Builds the structure at the start of the step, and finds the contacts of all neighbours. After a contact was
    /// lost, builds the reserve, until end_step.
    void begin(const KineticSetting& setting);
    /// Keeps what a window may have to be run again from, where there are neighbours.
    void save();
    /// Runs the window as the root of an island, from what was saved.
    void run(std::uint32_t root);
    /// Undoes that.
    void roll_back(std::uint32_t root);
    void end_step() { is_replaced_ = false; }

  private:
    void apply(Run run, const Prediction& event);
    void apply_remote(Run run, const Prediction& event);
    void apply_contact(Run run, const DueContact& contact);
    /// The latest time of what has been done in the window.
    double present() const { return std::max(latest_.time, begun_); }
    bool is_late(const ContactKey& key) const { return !(latest_ < key) || key.time < begun_; }
    void start_anew();
    void watch_overlaps();
    void cross(const TopologicalEvent& event);
    void note_changed(Slot slot);
    void begin_structure();
    void rebuild();
    void restart();
    void begin_precheck();
    void search_neighbours(Slot slot, Slot skip);
    void search_obstacles(Slot slot);
    void search_all();
    void search(Slot slot, std::span<const Slot> others, Slot skip);
    bool is_absent(Slot slot) const {
        return context_.changes_matter && state_.local.matter().is_absent(slot);
    }

    /// What a window starts with.
    struct Start {
        EventHeap<LaterByIds> contacts;
        TopologicalQueue topological;
    };

    bool restarts_, prechecks_;
    ReplaceableStructure<Structure> structure_;
    bool is_replaced_ = false, has_lost_contact_ = false;
    TopologicalQueue topological_;
    KineticSetting setting_;
    ContactKey latest_{.time = -1};  ///< of the contacts and remote events that have been done in the window
    double begun_ = 0;               ///< of the window and its topological events so far, the latest time
    bool shows_overlaps_ = false;    ///< two that overlap have lost a contact
    bool is_broken_ = false;         ///< the structure must be built anew
    bool is_restarting_ =
        false;  ///< all is searched again after a contact, and a test of overlaps costs too much
    std::vector<Prediction> kept_;  ///< scratch: remote events
    Precheck precheck_;             ///< on while all is searched again in the loop `precheck`
    OverlapWatch overlaps_;
    Start start_{arena_.heap, {}};
};

// --- the start ---------------------------------------------------------------------------------------------

template <KineticStructure Structure>
void QueueRunner<Structure>::begin(const KineticSetting& setting) {
    setting_ = setting;
    latest_ = {.time = -1};
    begun_ = setting.now;
    is_broken_ = false;
    is_replaced_ = is_replaced_ || has_lost_contact_;
    arena_.statistics.num_replaced += is_replaced_ ? 1 : 0;
    has_lost_contact_ = false;
    arena_.heap.clear();
    structure_.choose(is_replaced_);
    const std::uint64_t num_before = structure_.num_certificates();
    begin_structure();
    arena_.statistics.num_first_certificates += structure_.num_certificates() - num_before;
    shows_overlaps_ = !is_replaced_ && !context_.changes_matter && !context_.options.search_options.is_study;
    search_all();
    shows_overlaps_ = shows_overlaps_ && !has_lost_contact_;
    has_lost_contact_ = false;
    for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
    const auto is_owned = [this](const Prediction& contact) {
        return state_.local.is_owned(contact.a) ||
               (contact.b.is_particle() && state_.local.is_owned(contact.b.slot()));
    };
    const std::span<const Prediction> contacts = arena_.heap.events();
    arena_.statistics.num_predicted +=
        static_cast<std::uint64_t>(std::count_if(contacts.begin(), contacts.end(), is_owned));
}

template <KineticStructure Structure>
void QueueRunner<Structure>::begin_structure() {
    structure_.begin(setting_, topological_);
    const bool is_empty = setting_.motion.empty();  // there is no triangulation without particles
    if (structure_.uses_cells() && !is_empty) arena_.statistics.num_on_cells = 1;
}

/// Without neighbours, nearly no window is run again. Then a copy in each costs more than all else.
template <KineticStructure Structure>
void QueueRunner<Structure>::save() {
    if (context_.coverage.is_whole_box) return;
    start_ = {arena_.heap, topological_};
    structure_.save();
}

// --- a window ----------------------------------------------------------------------------------------------

template <KineticStructure Structure>
void QueueRunner<Structure>::run(std::uint32_t root) {
    const Run run{root, state_.local.latest_stamp()};
    IslandForest& forest = state_.forest;
    forest.begin_run(root, arena_.pools);
    const std::uint64_t num_before = structure_.num_certificates();
    latest_ = {.time = -1};
    begun_ = setting_.now = context_.window.begin;
    for (std::uint32_t k = 0; k < context_.remote.size(); ++k) {
        const auto& [slot, event] = context_.remote[k];
        arena_.heap.push({event.key.time, static_cast<std::uint32_t>(event.key.generation), slot,
                          Partner::of_remote_event(), 0, 0, k});
    }
    while (!forest[root].has_cap_hit && !has_lost_contact_) {
        const double contact_time = arena_.heap.empty() ? never : arena_.heap.top().time;
        const double crossing_time = topological_.next_time();
        if (!(std::min(contact_time, crossing_time) < context_.window.end)) break;
        if (crossing_time <= contact_time)
            cross(topological_.pop());
        else
            apply(run, arena_.heap.pop());
    }
    if (!forest[root].has_cap_hit) watch_overlaps();
    forest.end_run(root, arena_.pools);
    ++arena_.statistics.num_island_runs;
    arena_.statistics.num_certificates += structure_.num_certificates() - num_before;
}

/// A pair that was not named again shows at the end of the step.
template <KineticStructure Structure>
void QueueRunner<Structure>::watch_overlaps() {
    if (!shows_overlaps_ || has_lost_contact_ || context_.window.end < context_.span.end) return;
    has_lost_contact_ = overlaps_.some_overlap(state_.local, context_.span.end);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::roll_back(std::uint32_t root) {
    state_.forest.roll_back(state_.local, arena_.pools, root);
    if (context_.coverage.is_whole_box) return start_anew();
    arena_.heap = start_.contacts;
    topological_ = start_.topological;
    structure_.restore();
}

/// At the start of the window, with all particles as they were then.
template <KineticStructure Structure>
void QueueRunner<Structure>::start_anew() {
    latest_ = {.time = -1};
    begun_ = setting_.now = context_.window.begin;
    arena_.heap.clear();
    rebuild();
    if constexpr (!ForeseesWalls<Structure>)
        for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::apply(Run run, const Prediction& event) {
    if (event.b.is_of_remote_event()) return apply_remote(run, event);
    if (state_.local.is_stale(event)) return;
    DueContact contact = due_contact(event);
    const bool is_late = this->is_late(contact.key);
    if (context_.changes_matter && changes_nothing(contact)) {
        if (is_late) return;
        latest_ = contact.key;
        record_only(contact);
        if (prechecks_) restart();
        return;
    }
    if (is_late) {
        RICOCHET_CHECK(!is_replaced_);
        has_lost_contact_ = true;
        return;
    }
    latest_ = contact.key;
    setting_.now = event.time;
    apply_contact(run, contact);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::apply_remote(Run run, const Prediction& event) {
    const bool has_changed = take_remote_effect(run, event);
    if (has_changed) {
        latest_ = std::max(latest_, context_.remote[event.remote_event].event.key);
        setting_.now = event.time;
        note_changed(event.a);
    }
    if (prechecks_) return restart();
    if (!has_changed) return;
    if (is_broken_) rebuild();
    search_neighbours(event.a, event.a);
    search_obstacles(event.a);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::apply_contact(Run run, const DueContact& contact) {
    take_effect(run, contact);
    const bool low_changes = contact.outcome.low.has_value(), high_changes = contact.outcome.high.has_value();
    if (low_changes) note_changed(contact.low);
    if (high_changes) note_changed(contact.high.slot());
    if (restarts_) return restart();
    if (is_broken_) rebuild();
    // Two that have bounced part: they are not tested again, nor where the first search has tested the pair.
    const Slot known = high_changes && !context_.changes_matter ? contact.high.slot() : contact.low;
    if (low_changes) {
        search_neighbours(contact.low, known);
        search_obstacles(contact.low);
    }
    if (!high_changes) return;
    search_neighbours(contact.high.slot(), low_changes ? contact.low : contact.high.slot());
    search_obstacles(contact.high.slot());
}

template <KineticStructure Structure>
void QueueRunner<Structure>::cross(const TopologicalEvent& event) {
    std::vector<Slot>& found = arena_.slot_scratch;
    found.clear();
    begun_ = std::max(begun_, event.time);
    const std::optional<Slot> slot = structure_.process(event, topological_, found);
    if (structure_.is_broken()) {
        setting_.now = event.time;
        return rebuild();
    }
    if (!slot) return;
    const BoundEventKind kind = structure_.latest_kind();
    count_event(arena_.statistics, kind);
    if (!found.empty()) search(*slot, found, *slot);
    if (kind != BoundEventKind::other && kind != BoundEventKind::enters && kind != BoundEventKind::leaves)
        search_obstacles(*slot);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::note_changed(Slot slot) {
    const std::uint64_t num_before = structure_.num_certificates();
    if (!structure_.changed(slot, setting_.now, topological_)) is_broken_ = true;
    arena_.statistics.num_changed_certificates += structure_.num_certificates() - num_before;
}

/// Pairs that become neighbours by that are searched; so are all others, once more.
template <KineticStructure Structure>
void QueueRunner<Structure>::rebuild() {
    ++arena_.statistics.num_rebuilt;
    is_broken_ = false;
    setting_.is_rebuilt = true;
    begin_structure();
    setting_.is_rebuilt = false;
    search_all();
    if constexpr (ForeseesWalls<Structure>)
        for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
}

/// Forgets all contacts and finds them again.
template <KineticStructure Structure>
void QueueRunner<Structure>::restart() {
    kept_.clear();
    for (const Prediction& event : arena_.heap.events())
        if (event.b.is_of_remote_event()) kept_.push_back(event);
    arena_.heap.clear();
    for (const Prediction& event : kept_) arena_.heap.push(event);
    for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
    is_restarting_ = true;
    if (prechecks_) begin_precheck();
    if (is_broken_)
        rebuild();
    else
        search_all();
    precheck_.end();
    is_restarting_ = false;
}

template <KineticStructure Structure>
void QueueRunner<Structure>::begin_precheck() {
    setting_.now = present();
    precheck_.begin(setting_, context_.span.end);
    for (const Prediction& event : arena_.heap.events()) precheck_.note(event.time);
}

// --- the search --------------------------------------------------------------------------------------------

/// Each pair once.
template <KineticStructure Structure>
void QueueRunner<Structure>::search_all() {
    std::vector<Slot>& others = arena_.slot_scratch;
    for (Slot slot = 0; slot < state_.local.size(); ++slot) {
        if (is_absent(slot)) continue;
        others.clear();
        structure_.neighbours(slot, others);
        std::erase_if(others, [slot](Slot other) { return other < slot; });
        const std::size_t num_named = others.size();
        if (precheck_.is_on()) precheck_.drop_distant(slot, others);
        arena_.statistics.num_found += num_named - others.size();
        search(slot, others, slot);
    }
}

template <KineticStructure Structure>
void QueueRunner<Structure>::search_neighbours(Slot slot, Slot skip) {
    if (is_absent(slot)) return;
    std::vector<Slot>& others = arena_.slot_scratch;
    others.clear();
    structure_.neighbours(slot, others);
    search(slot, others, skip);
}

template <KineticStructure Structure>
void QueueRunner<Structure>::search_obstacles(Slot slot) {
    if (is_absent(slot) || context_.obstacles.is_empty()) return;
    // What reacts with walls at a rate does so from afar.
    if (!context_.changes_matter && !structure_.may_touch_wall(slot)) return;
    state_.obstacle_times.for_each_contact(slot, context_.span.end,
                                           [this](const Prediction& event) { arena_.heap.push(event); });
}

template <KineticStructure Structure>
void QueueRunner<Structure>::search(Slot slot, std::span<const Slot> others, Slot skip) {
    if (shows_overlaps_ && !is_restarting_ && overlaps_.overlaps_some(state_.local, slot, others, present()))
        has_lost_contact_ = true;
    const FoundContacts found =
        state_.pair_times.find_contacts(slot, others, context_.span.end, never, arena_.contact_scratch);
    ++arena_.statistics.num_searches;
    arena_.statistics.num_candidates += others.size();
    arena_.statistics.num_found += others.size();
    for (std::size_t k = 0; k < found.slots.size(); ++k)
        if (found.slots[k] != skip) {
            const Prediction event = state_.local.predict_pair(slot, found.slots[k], found.times[k]);
            if (precheck_.is_on()) precheck_.note(event.time);
            arena_.heap.push(event);
        }
}

}  // namespace ricochet
