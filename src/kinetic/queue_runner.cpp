// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/queue_runner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kinetic/event_count.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

QueueRunner::QueueRunner(const StepContext& context, StepState& state,
                         std::unique_ptr<KineticStructure> structure,
                         std::unique_ptr<KineticStructure> reserve)
    : ContactApplier(context, state),
      restarts_(context.options.loop == SearchLoop::restart || context.options.loop == SearchLoop::precheck),
      prechecks_(context.options.loop == SearchLoop::precheck),
      own_(std::move(structure)),
      reserve_(std::move(reserve)),
      current_(own_.get()),
      precheck_(context.box),
      overlaps_(context.box, state.memory) {}

std::size_t QueueRunner::memory_bytes() const {
    return arena_.heap.memory_bytes() + topological_.memory_bytes() + start_.contacts.memory_bytes() +
           start_.topological.memory_bytes() + bytes_of(kept_) + precheck_.memory_bytes() +
           overlaps_.memory_bytes();
}

// --- the start ---------------------------------------------------------------------------------------------

void QueueRunner::begin(const KineticSetting& setting) {
    setting_ = setting;
    latest_ = {.time = -1};
    begun_ = setting.now;
    is_broken_ = false;
    is_replaced_ = is_replaced_ || has_lost_contact_;
    arena_.statistics.num_replaced += is_replaced_ ? 1 : 0;
    has_lost_contact_ = false;
    arena_.heap.clear();
    current_ = is_replaced_ ? reserve_.get() : own_.get();
    const std::uint64_t num_before = current_->num_certificates();
    begin_structure();
    arena_.statistics.num_first_certificates += current_->num_certificates() - num_before;
    shows_overlaps_ = !is_replaced_ && !context_.changes_matter && !context_.has_shapes &&
                      !context_.options.search_options.is_study;
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

void QueueRunner::begin_structure() {
    current_->begin(setting_, topological_);
    const bool is_empty = setting_.motion.empty();  // there is no triangulation without particles
    if (current_->uses_cells() && !is_empty) arena_.statistics.num_on_cells = 1;
}

/// Without neighbours, nearly no window is run again. Then a copy in each costs more than all else.
void QueueRunner::save() {
    if (context_.coverage.is_whole_box) return;
    start_ = {arena_.heap, topological_};
    current_->save();
}

// --- a window ----------------------------------------------------------------------------------------------

void QueueRunner::run(std::uint32_t root) {
    const Run run{root, state_.local.latest_stamp()};
    IslandForest& forest = state_.forest;
    forest.begin_run(root, arena_.pools);
    const std::uint64_t num_before = current_->num_certificates();
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
    arena_.statistics.num_certificates += current_->num_certificates() - num_before;
}

/// A pair that was not named again shows at the end of the step.
void QueueRunner::watch_overlaps() {
    if (!shows_overlaps_ || has_lost_contact_ || context_.window.end < context_.span.end) return;
    has_lost_contact_ = overlaps_.some_overlap(state_.local, context_.span.end);
}

void QueueRunner::roll_back(std::uint32_t root) {
    state_.forest.roll_back(state_.local, arena_.pools, root);
    if (context_.coverage.is_whole_box) return start_anew();
    arena_.heap = start_.contacts;
    topological_ = start_.topological;
    current_->restore();
}

/// At the start of the window, with all particles as they were then.
void QueueRunner::start_anew() {
    latest_ = {.time = -1};
    begun_ = setting_.now = context_.window.begin;
    arena_.heap.clear();
    rebuild();
    if (!own_->foresees_walls())
        for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
}

void QueueRunner::apply(Run run, const Prediction& event) {
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

void QueueRunner::apply_remote(Run run, const Prediction& event) {
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

void QueueRunner::apply_contact(Run run, const DueContact& contact) {
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

void QueueRunner::cross(const TopologicalEvent& event) {
    std::vector<Slot>& found = arena_.slot_scratch;
    found.clear();
    begun_ = std::max(begun_, event.time);
    const std::optional<Slot> slot = current_->process(event, topological_, found);
    if (current_->is_broken()) {
        setting_.now = event.time;
        return rebuild();
    }
    if (!slot) return;
    const BoundEventKind kind = current_->latest_kind();
    count_event(arena_.statistics, kind);
    if (!found.empty()) search(*slot, found, *slot);
    if (kind != BoundEventKind::other && kind != BoundEventKind::enters && kind != BoundEventKind::leaves)
        search_obstacles(*slot);
}

void QueueRunner::note_changed(Slot slot) {
    const std::uint64_t num_before = current_->num_certificates();
    if (!current_->changed(slot, setting_.now, topological_)) is_broken_ = true;
    arena_.statistics.num_changed_certificates += current_->num_certificates() - num_before;
}

/// Pairs that become neighbours by that are searched; so are all others, once more.
void QueueRunner::rebuild() {
    ++arena_.statistics.num_rebuilt;
    is_broken_ = false;
    setting_.is_rebuilt = true;
    begin_structure();
    setting_.is_rebuilt = false;
    search_all();
    if (own_->foresees_walls())
        for (Slot slot = 0; slot < state_.local.size(); ++slot) search_obstacles(slot);
}

/// Forgets all contacts and finds them again.
void QueueRunner::restart() {
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

void QueueRunner::begin_precheck() {
    setting_.now = present();
    precheck_.begin(setting_, context_.span.end);
    for (const Prediction& event : arena_.heap.events()) precheck_.note(event.time);
}

// --- the search --------------------------------------------------------------------------------------------

/// Each pair once.
void QueueRunner::search_all() {
    std::vector<Slot>& others = arena_.slot_scratch;
    for (Slot slot = 0; slot < state_.local.size(); ++slot) {
        if (is_absent(slot)) continue;
        others.clear();
        current_->neighbours(slot, others);
        std::erase_if(others, [slot](Slot other) { return other < slot; });
        const std::size_t num_named = others.size();
        if (precheck_.is_on()) precheck_.drop_distant(slot, others);
        arena_.statistics.num_found += num_named - others.size();
        search(slot, others, slot);
    }
}

void QueueRunner::search_neighbours(Slot slot, Slot skip) {
    if (is_absent(slot)) return;
    std::vector<Slot>& others = arena_.slot_scratch;
    others.clear();
    current_->neighbours(slot, others);
    search(slot, others, skip);
}

void QueueRunner::search_obstacles(Slot slot) {
    if (is_absent(slot) || context_.obstacles.is_empty()) return;
    // What reacts with walls at a rate does so from afar. No structure knows bodies.
    // What falls may come back to a wall that it flies away from.
    const bool has_only_walls = context_.has_plain_walls && !context_.obstacles.has_bodies();
    if (has_only_walls && !current_->may_touch_wall(slot)) return;
    state_.obstacle_times.for_each_contact(slot, context_.span.end,
                                           [this](const Prediction& event) { arena_.heap.push(event); });
}

void QueueRunner::search(Slot slot, std::span<const Slot> others, Slot skip) {
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
