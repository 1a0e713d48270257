// SPDX-License-Identifier: BSD-3-Clause
#include "engine/island_runner.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "geometry/path.hpp"
#include "model/rounding.hpp"

namespace ricochet {

void IslandRunner::run(std::uint32_t root) {
    for (;;) {
        const std::uint32_t conflict = attempt(root);
        ++arena_.statistics.num_island_runs;
        if (conflict == no_conflict) return;
        file_later_contacts();
        const std::uint32_t other = state_.forest.find(conflict);
        state_.forest.roll_back(state_.local, arena_.pools, root);
        state_.forest.roll_back(state_.local, arena_.pools, other);
        root = state_.forest.unite(root, other);
        ++arena_.statistics.num_merges;
        if (is_overloaded()) return;
    }
}

std::uint32_t IslandRunner::attempt(std::uint32_t root) {
    const Run run{root, state_.local.latest_stamp()};
    EventHeap<LaterByIds>& heap = arena_.heap;
    heap.clear();
    latest_recorded_only_ = {};
    state_.forest.begin_run(root, arena_.pools);
    state_.forest.for_each_pending(root, [&heap](const Prediction& prediction) { heap.push(prediction); });
    state_.forest.for_each_remote(root, [&](std::uint32_t k) {
        const auto& [slot, event] = context_.remote[k];
        heap.push({event.key.time, static_cast<std::uint32_t>(event.key.generation), slot,
                   Partner::of_remote_event(), 0, 0, k});
    });
    std::uint32_t conflict = state_.forest.has_changed(root) ? search_changed(run) : no_conflict;
    while (conflict == no_conflict && !heap.empty() && !state_.forest[root].has_cap_hit)
        conflict = apply(run, heap.pop());
    state_.forest.end_run(root, arena_.pools);
    return conflict;
}

std::uint32_t IslandRunner::search_changed(Run run) {
    if (!context_.options.use_research_rule) return no_conflict;
    std::uint32_t conflict = no_conflict;
    state_.forest.for_each_changed(run.root, [&](Slot slot) {
        conflict = search_from(run, slot, slot, Tie::possible);
        return conflict == no_conflict;
    });
    return conflict;
}

/// Lets the event take effect, and searches those that it changes.
std::uint32_t IslandRunner::apply(Run run, const Prediction& event) {
    if (!arena_.later_contacts.empty()) file_later_contacts();
    if (event.b.is_of_remote_event()) return apply_remote(run, event);
    if (state_.local.is_stale(event)) return no_conflict;
    DueContact contact = due_contact(event);
    if (context_.changes_matter) return apply_changing(run, contact);
    const Tie tie = note_instant(contact.key.time);
    take_effect_as_bounce(run, contact);
    keep_in_sphere(contact.low);
    // Two that have bounced part: they are not tested again.
    if (contact.high.is_obstacle()) return search_from(run, contact.low, contact.low, tie);
    keep_in_sphere(contact.high.slot());
    const std::uint32_t conflict = search_from(run, contact.low, contact.high.slot(), tie);
    return conflict != no_conflict ? conflict : search_from(run, contact.high.slot(), contact.low, tie);
}

/// Where rules change matter.
std::uint32_t IslandRunner::apply_changing(Run run, DueContact& contact) {
    if (changes_nothing(contact)) return record_once(contact);
    const Tie tie = note_instant(contact.key.time);
    take_effect(run, contact);
    const auto& [impact, low, high, effect, matter] = contact.outcome;
    if (low) keep_in_sphere(contact.low);
    if (high) keep_in_sphere(contact.high.slot());
    // The first search tests the pair too: a tether may hold the two, or they have reacted at a distance and touch
    // later. The second search leaves it out.
    const std::uint32_t conflict = low ? search_from(run, contact.low, contact.low, tie) : no_conflict;
    if (!high || conflict != no_conflict) return conflict;
    return search_from(run, contact.high.slot(), low ? contact.low : contact.high.slot(), tie);
}

std::uint32_t IslandRunner::apply_remote(Run run, const Prediction& event) {
    if (!take_remote_effect(run, event)) return no_conflict;
    const Tie tie = note_instant(event.time);
    keep_in_sphere(event.a);
    return search_from(run, event.a, event.a, tie);
}

/// A search repeated after a rollback finds a contact that changed nothing once more, also in later windows. It is
/// recorded when due, once.
std::uint32_t IslandRunner::record_once(DueContact& contact) {
    if (contact.key.time < context_.window.begin || contact.key == latest_recorded_only_) return no_conflict;
    latest_recorded_only_ = contact.key;
    record_only(contact);
    return no_conflict;
}

// --- the search after a change -----------------------------------------------------------------------------

/// Finds the contacts of the slot's path, until the interval ends, with all slots but `skip`.
std::uint32_t IslandRunner::search_from(Run run, Slot slot, Slot skip, Tie tie) {
    if (context_.changes_matter && state_.local.is_absent(slot)) return no_conflict;
    const double query_time = std::max(state_.local.motion(slot).time, context_.window.begin);
    const double not_ahead = latest_not_ahead(query_time, tie);
    const std::span<const Slot> others = state_.neighbours.of(slot, arena_.slot_scratch);
    const FoundContacts found = state_.pair_times.find_contacts(slot, others, context_.interval.end,
                                                                not_ahead, arena_.contact_scratch);
    ++arena_.statistics.num_searches;
    arena_.statistics.num_candidates += others.size();
    for (std::size_t k = 0; k < found.slots.size(); ++k) {
        if (found.slots[k] == skip) continue;
        const std::uint32_t conflict =
            test(run, slot, found.slots[k], found.times[k], {query_time, not_ahead});
        if (conflict != no_conflict) return conflict;
    }
    if (context_.obstacles.is_empty()) return no_conflict;
    std::uint32_t conflict = no_conflict;
    state_.obstacle_times.for_each_contact(slot, context_.interval.end, [&](const Prediction& prediction) {
        if (conflict == no_conflict) conflict = add_prediction(run, prediction);
    });
    return conflict;
}

/// Tests whether a slot that the search has found is of another island; predicts the contact if it is not.
std::uint32_t IslandRunner::test(Run run, Slot slot, Slot other, double time, Query query) {
    if (state_.local.motion(other).time > query.latest_not_ahead) {
        const std::uint32_t island = state_.local.status(other).island;
        if (island != no_island && state_.forest.find(island) != run.root &&
            could_have_touched(slot, other, query.time))
            return island;
    }
    if (!(time < context_.interval.end)) return no_conflict;
    if (time < context_.window.end) return add_prediction(run, state_.local.predict_pair(slot, other, time));
    state_.local.prefetch_status(other);
    arena_.later_contacts.push_back({time, slot, Partner::particle(other)});
    return no_conflict;
}

/// A prediction holds the stamps of both partners. Those of slots that searches find come from anywhere in
/// memory. So they are fetched at once, and read just before anything changes (note 15 of
/// tests/bench/notes.md).
void IslandRunner::file_later_contacts() {
    for (const InitialPrediction& contact : arena_.later_contacts)
        state_.schedule.file(state_.local.predict_pair(contact.a, contact.b.slot(), contact.time));
    arena_.later_contacts.clear();
}

/// Puts a predicted contact where it belongs: on the heap, or aside for a later window.
std::uint32_t IslandRunner::add_prediction(Run run, const Prediction& prediction) {
    if (prediction.time >= context_.window.end) {
        state_.schedule.file(prediction);
        return no_conflict;
    }
    std::uint32_t conflict = claim(run, prediction.a);
    if (conflict == no_conflict && prediction.b.is_particle()) conflict = claim(run, prediction.b.slot());
    if (conflict == no_conflict) arena_.heap.push(prediction);
    return conflict;
}

std::uint32_t IslandRunner::claim(Run run, Slot slot) {
    std::uint32_t& island = state_.local.status(slot).island;
    if (island != no_island) return state_.forest.find(island) == run.root ? no_conflict : island;
    island = run.root;
    arena_.pools.claims.push_back(slot);
    return no_conflict;
}

/// A bound on the path of the slot ahead, from the time of the search to its own. A product has jumped besides, and had
/// another radius before.
bool IslandRunner::could_have_touched(Slot slot, Slot ahead, double query_time) const {
    const Motion& own = state_.local.motion(slot);
    const Motion& other = state_.local.motion(ahead);
    const Vec3 here = advanced(own.position, own.velocity, query_time - own.time);
    const double distance = norm(minimum_image(here - other.position, context_.images));
    const double span = other.time - query_time;
    const std::uint32_t island = state_.forest.find(state_.local.status(ahead).island);
    const double peak_speed = state_.forest.peak_speed(state_.local, arena_.pools, island, ahead);
    double closest =
        (norm(own.velocity) + peak_speed) * span + state_.local.radius(slot) + 2 * context_.reach;
    if (context_.changes_matter)
        closest += state_.local.matter().largest_radius(ahead) + state_.forest.jumps(island);
    else
        closest += state_.local.radius(ahead);
    return distance <= closest_up * closest + separation_slack(context_.box);
}

/// Makes sure that the slot's neighbours are all that it can touch until the interval ends.
void IslandRunner::keep_in_sphere(Slot slot) {
    const Motion& motion = state_.local.motion(slot);
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, context_.interval.end - motion.time)};
    const double radius = state_.local.radius(slot) + context_.reach;
    if (!context_.search->outgrows(context_.spheres[slot], path, radius)) return;
    ++arena_.statistics.num_enlarged;
    arena_.slot_scratch.clear();
    context_.search->enlarge(slot, path, radius, arena_.slot_scratch);
    arena_.statistics.num_found += arena_.slot_scratch.size();
    state_.neighbours.extend(slot, arena_.slot_scratch);
}

}  // namespace ricochet
