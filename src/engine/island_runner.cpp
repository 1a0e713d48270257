// SPDX-License-Identifier: BSD-3-Clause
#include "engine/island_runner.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

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
        state_.forest.roll_back(state_.set, arena_.pools, root);
        state_.forest.roll_back(state_.set, arena_.pools, other);
        root = state_.forest.unite(root, other);
        ++arena_.statistics.num_merges;
        if (is_overloaded()) return;
    }
}

std::uint32_t IslandRunner::attempt(std::uint32_t root) {
    const Run run{root, state_.set.latest_stamp()};
    EventHeap<LaterByIds>& heap = arena_.heap;
    heap.clear();
    state_.forest.begin_run(root, arena_.pools);
    state_.forest.for_each_pending(root, [&heap](const Prediction& prediction) { heap.push(prediction); });
    state_.forest.for_each_remote(root, [&](std::uint32_t k) {
        const auto& [slot, event] = context_.remote[k];
        heap.push({event.key.time, static_cast<std::uint32_t>(event.key.generation), slot,
                   Partner::of_remote_event(), 0, 0, k});
    });
    std::uint32_t conflict = search_changed(run);
    while (conflict == no_conflict && !heap.empty() && !state_.forest[root].has_cap_hit)
        conflict = apply(run, heap.pop());
    state_.forest.end_run(root, arena_.pools);
    return conflict;
}

std::uint32_t IslandRunner::search_changed(Run run) {
    if (!context_.options.use_research_rule) return no_conflict;
    std::uint32_t conflict = no_conflict;
    state_.forest.for_each_changed(run.root, [&](Slot slot) {
        conflict = search_from(run, slot, slot);
        return conflict == no_conflict;
    });
    return conflict;
}

/// The only place where contact rules have any effect: changes those that the contact changes, and searches
/// them.
std::uint32_t IslandRunner::apply(Run run, const Prediction& event) {
    file_later_contacts();
    if (event.b.is_of_remote_event()) return apply_remote(run, event);
    if (state_.set.is_stale(event)) return no_conflict;
    const DueContact contact = event.b.is_particle() ? pair_contact(event) : obstacle_contact(event);
    report(contact);
    const auto& low = contact.outcome.low;
    const auto& high = contact.outcome.high;
    if (low) change(run, contact.low, contact.key, *low);
    if (high) change(run, contact.high.slot(), contact.key, *high);
    const std::uint32_t conflict = low ? search_from(run, contact.low, contact.low) : no_conflict;
    if (!high || conflict != no_conflict) return conflict;
    // Where both have changed, the first search has dealt with the pair.
    return search_from(run, contact.high.slot(), low ? contact.low : contact.high.slot());
}

std::uint32_t IslandRunner::apply_remote(Run run, const Prediction& event) {
    const BoundaryEvent& remote = context_.remote[event.remote_event].event;
    if (state_hash_of(state_.set.motion(event.a)) != remote.state_hash) return no_conflict;
    change(run, event.a, remote.key, {remote.position, remote.velocity});
    return search_from(run, event.a, event.a);
}

IslandRunner::DueContact IslandRunner::pair_contact(const Prediction& event) const {
    const LocalSet& set = state_.set;
    Slot low = event.a, high = event.b.slot();
    if (set.motion(high).id < set.motion(low).id) std::swap(low, high);
    const Attributes& attributes_low = set.attributes(low);
    const Attributes& attributes_high = set.attributes(high);
    return {{event.time, event.generation, set.motion(low).id, set.motion(high).id},
            low,
            Partner::particle(high),
            outcome_by(context_.rules.pair(attributes_low.species, attributes_high.species),
                       PairContact{event.time, set.motion(low), set.motion(high), attributes_low,
                                   attributes_high, set.images()})};
}

IslandRunner::DueContact IslandRunner::obstacle_contact(const Prediction& event) const {
    const Motion& motion = state_.set.motion(event.a);
    const Attributes& attributes = state_.set.attributes(event.a);
    const ObstacleNumber number = event.b.obstacle_number();
    const Vec3 normal = surface_at(position_at(motion, event.time), context_.obstacles[number].shape).normal;
    return {{event.time, event.generation, motion.id, obstacle_id(number)},
            event.a,
            event.b,
            outcome_by(context_.rules.wall(attributes.species, number),
                       ObstacleContact{event.time, motion, attributes, normal})};
}

// --- the search after a change -----------------------------------------------------------------------------

/// Finds the contacts of the slot's path, until the interval ends, with all slots but `skip`.
std::uint32_t IslandRunner::search_from(Run run, Slot slot, Slot skip) {
    const double query_time = std::max(state_.set.motion(slot).time, context_.window.begin);
    const std::span<const Slot> others = state_.neighbours.of(slot, arena_.slot_scratch);
    const FoundContacts found =
        state_.set.find_contacts(slot, others, context_.interval.end, query_time, arena_.contact_scratch);
    ++arena_.statistics.num_searches;
    arena_.statistics.num_candidates += others.size();
    for (std::size_t k = 0; k < found.slots.size(); ++k) {
        if (found.slots[k] == skip) continue;
        const std::uint32_t conflict = test(run, slot, found.slots[k], found.times[k], query_time);
        if (conflict != no_conflict) return conflict;
    }
    std::uint32_t conflict = no_conflict;
    state_.set.for_each_obstacle_contact(slot, context_.obstacles, context_.interval.end,
                                         [&](const Prediction& prediction) {
                                             if (conflict == no_conflict)
                                                 conflict = add_prediction(run, prediction);
                                         });
    return conflict;
}

/// Tests whether a slot that the search has found is of another island; predicts the contact if it is not.
std::uint32_t IslandRunner::test(Run run, Slot slot, Slot other, double time, double query_time) {
    if (state_.set.motion(other).time > query_time) {
        const std::uint32_t island = state_.set.status(other).island;
        if (island != no_island && state_.forest.find(island) != run.root &&
            could_have_touched(slot, other, query_time))
            return island;
    }
    if (!(time < context_.interval.end)) return no_conflict;
    if (time < context_.window.end) return add_prediction(run, state_.set.predict_pair(slot, other, time));
    state_.set.prefetch_status(other);
    arena_.later_contacts.push_back({time, slot, Partner::particle(other)});
    return no_conflict;
}

/// A prediction holds the stamps of both partners. Those of slots that searches find come from anywhere in
/// memory. So they are fetched at once, and read just before anything changes (note 15 of
/// tests/bench/notes.md).
void IslandRunner::file_later_contacts() {
    for (const InitialPrediction& contact : arena_.later_contacts)
        state_.schedule.file(state_.set.predict_pair(contact.a, contact.b.slot(), contact.time));
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
    std::uint32_t& island = state_.set.status(slot).island;
    if (island != no_island) return state_.forest.find(island) == run.root ? no_conflict : island;
    island = run.root;
    arena_.pools.claims.push_back(slot);
    return no_conflict;
}

bool IslandRunner::could_have_touched(Slot slot, Slot ahead, double query_time) const {
    const Motion& own = state_.set.motion(slot);
    const Motion& other = state_.set.motion(ahead);
    const Vec3 here = advanced(own.position, own.velocity, query_time - own.time);
    const double distance = norm(minimum_image(here - other.position, state_.set.images()));
    const double span = other.time - query_time;
    const std::uint32_t island = state_.forest.find(state_.set.status(ahead).island);
    const double peak_speed = state_.forest.peak_speed(state_.set, arena_.pools, island, ahead);
    const double closest = (norm(own.velocity) + peak_speed) * span;
    return distance <=
           closest_up * (state_.set.contact_distance(slot, ahead) + closest) + separation_slack(context_.box);
}

// --- what a change entails ---------------------------------------------------------------------------------

/// Not divided further: every contact passes here (note 42 of tests/bench/notes.md).
void IslandRunner::change(Run run, Slot slot, const ContactKey& key, const NewMotion& after) {
    LocalSet& set = state_.set;
    Motion& motion = set.motion(slot);
    Island& island = state_.forest[run.root];
    if (set.status(slot).stamp <= run.stamp_before) {  // unchanged so far in this run
        arena_.pools.undo.push_back(set.undo_record(slot));
        set.keep_start(slot);
        island.include_speed(norm(motion.velocity));
    }
    motion.position = after.position;
    motion.velocity = after.velocity;
    motion.time = key.time;
    set.mark_changed(slot, static_cast<std::uint32_t>(key.generation));
    keep_in_sphere(slot);
    island.include_speed(norm(after.velocity));
    // The cap ends runs of copies too. They would else stall this rank before events of their owner arrive.
    const std::uint64_t count = set.status(slot).num_contacts;
    if (count >= context_.options.contact_cap && !island.has_cap_hit)
        state_.forest.note_cap(run.root, {key, motion.id, count});
    if (!set.is_owned(slot)) return;
    const double radius = set.radius(slot);
    const Vec3 onwards = (context_.span.end - key.time) * after.velocity;
    if (!context_.coverage.is_whole_box) watch_faces(slot, radius, onwards.x);
    island.include(Vec3{radius, radius, radius} + abs(onwards));
}

/// Makes sure that the slot's neighbours are all that it can touch until the interval ends.
void IslandRunner::keep_in_sphere(Slot slot) {
    const Motion& motion = state_.set.motion(slot);
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, context_.interval.end - motion.time)};
    const double radius = state_.set.radius(slot);
    if (!context_.search->outgrows(context_.spheres[slot], path, radius)) return;
    ++arena_.statistics.num_enlarged;
    arena_.slot_scratch.clear();
    context_.search->enlarge(slot, path, radius, arena_.slot_scratch);
    state_.neighbours.extend(slot, arena_.slot_scratch);
}

/// Notes how far the rest of the path, `onwards` along x, leads beyond the faces of the slab.
void IslandRunner::watch_faces(Slot slot, double radius, double onwards) {
    const Motion& motion = state_.set.motion(slot);
    const double surface = radius + face_slack(context_.box);
    if (arena_.faces.stays_deep(motion.position.x, std::abs(onwards) + surface)) return;
    const double midpoint = context_.step_midpoint_x(slot);
    const double here = midpoint + minimum_image_x(motion.position.x - midpoint, state_.set.images());
    const double there = here + onwards;
    arena_.faces.include({context_.coverage.lower - (std::min(here, there) - surface),
                          std::max(here, there) + surface - context_.coverage.upper},
                         (*context_.holders)[slot]);
}

// --- the record and the neighbours -------------------------------------------------------------------------

/// Before the contact takes effect: to the record, and to neighbours that have one partner only.
void IslandRunner::report(const DueContact& contact) {
    if (contact.high.is_obstacle()) {
        if (state_.set.is_owned(contact.low)) record(contact);
        return;
    }
    const Slot low = contact.low, high = contact.high.slot();
    const bool is_near_faces = context_.may_be_shared(low) || context_.may_be_shared(high);
    if (!is_near_faces || context_.is_reporting_rank(low, high)) record(contact);
    if (is_near_faces && context_.must_report(low, high)) {
        if (contact.outcome.low) record_outgoing(contact.key, low, high, *contact.outcome.low);
        if (contact.outcome.high) record_outgoing(contact.key, high, low, *contact.outcome.high);
    }
}

void IslandRunner::record(const DueContact& contact) {
    const auto& [key, low, high, outcome] = contact;
    const bool is_with_obstacle = high.is_obstacle();
    const SpeciesIndex species_low = state_.set.attributes(low).species;
    const SpeciesIndex species_high =
        is_with_obstacle ? wall_species : state_.set.attributes(high.slot()).species;
    const Impact& impact = outcome.impact;
    ContactPool& contacts = arena_.pools.contacts;
    if (contacts.detail() == ContactDetail::briefs) {
        contacts.push_back(ContactBrief{
            .impulse = impact.impulse,
            .distance = impact.distance,
            .species_low = species_low,
            .species_high = species_high,
            .obstacle = static_cast<std::uint16_t>(is_with_obstacle ? high.obstacle_number() : 0),
            .effect = outcome.effect});
        return;
    }
    contacts.push_back(Contact{.key = key,
                               .point = touching_point(contact),
                               .normal = impact.normal,
                               .impulse = impact.impulse,
                               .speed = impact.speed,
                               .distance = impact.distance,
                               .species_low = species_low,
                               .species_high = species_high,
                               .product_low = species_low,
                               .product_high = species_high,
                               .effect = outcome.effect});
}

/// Where the surfaces touch, wrapped into the box.
Vec3 IslandRunner::touching_point(const DueContact& contact) const {
    const auto& [key, low, high, outcome] = contact;
    const Box& box = context_.box;
    const Vec3 centre = position_at(state_.set.motion(low), key.time);
    Vec3 point = high.is_obstacle()
                     ? surface_at(centre, context_.obstacles[high.obstacle_number()].shape).point
                     : advanced(centre, outcome.impact.normal, state_.set.radius(low));
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (box.is_periodic(axis)) point[axis] = wrapped(point[axis], box.size[axis]);
    }
    return point;
}

/// Notes for the neighbours that have `slot`, but not its partner, how it goes on. Before that takes effect.
void IslandRunner::record_outgoing(const ContactKey& key, Slot slot, Slot partner, const NewMotion& after) {
    const NeighbourMask receivers = (*context_.holders)[slot] & ~(*context_.holders)[partner];
    if (receivers == 0) return;
    const Motion& before = state_.set.motion(slot);
    arena_.pools.outgoing.push_back(
        {receivers, {key, before.id, after.position, after.velocity, state_hash_of(before)}});
}

}  // namespace ricochet
