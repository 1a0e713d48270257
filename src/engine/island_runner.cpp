// SPDX-License-Identifier: BSD-3-Clause
#include "engine/island_runner.hpp"

namespace ricochet {

void IslandRunner::run(std::uint32_t root) {
    for (;;) {
        const std::uint32_t conflict = attempt(root);
        ++state_.statistics.num_island_runs;
        if (conflict == no_conflict) return;
        file_expected();
        const std::uint32_t other = state_.forest.find(conflict);
        state_.forest.roll_back(state_.set, root);
        state_.forest.roll_back(state_.set, other);
        root = state_.forest.unite(root, other);
        ++state_.statistics.num_merges;
        if (state_.is_overloaded()) return;
    }
}

std::uint32_t IslandRunner::attempt(std::uint32_t root) {
    state_.stamp_at_run = state_.set.latest_stamp();
    heap_.clear();
    state_.forest.begin_run(root);
    state_.forest.for_each_pending(root, [&](const Prediction& prediction) { heap_.push(prediction); });
    state_.forest.for_each_remote(root, [&](std::uint32_t k) {
        const RemoteEvent& remote = state_.remote[k];
        heap_.push({remote.event.key.time, static_cast<std::uint32_t>(remote.event.key.generation),
                    remote.slot, Partner::of_remote_event(), 0, 0, k});
    });
    std::uint32_t conflict = search_changed(root);
    while (conflict == no_conflict && !heap_.empty() && !state_.forest[root].has_cap_hit) {
        conflict = apply(root, heap_.pop());
    }
    state_.forest.end_run(root);
    return conflict;
}

std::uint32_t IslandRunner::search_changed(std::uint32_t root) {
    if (!state_.options.use_research_rule) return no_conflict;
    std::uint32_t conflict = no_conflict;
    state_.forest.for_each_changed(root, [&](Slot slot) {
        conflict = search_from(root, slot, slot);
        return conflict == no_conflict;
    });
    return conflict;
}

std::uint32_t IslandRunner::apply(std::uint32_t root, const Prediction& event) {
    file_expected();
    if (event.b.is_of_remote_event()) return apply_remote(root, event);
    if (state_.set.is_stale(event)) return no_conflict;
    const DueContact contact = event.b.is_particle() ? pair_contact(event) : wall_contact(event);
    report(contact);
    return take_effect(root, contact);
}

std::uint32_t IslandRunner::apply_remote(std::uint32_t root, const Prediction& event) {
    const BoundaryEvent& remote = state_.remote[event.remote_event].event;
    if (state_hash_of(state_.set.motion(event.a)) != remote.state_hash) return no_conflict;
    change(root, event.a, remote.key, {remote.position, remote.velocity});
    return search_from(root, event.a, event.a);
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
            outcome_by(state_.rules.pair(attributes_low.species, attributes_high.species),
                       PairContact{event.time, set.motion(low), set.motion(high), attributes_low,
                                   attributes_high, set.images()})};
}

IslandRunner::DueContact IslandRunner::wall_contact(const Prediction& event) const {
    const Motion& motion = state_.set.motion(event.a);
    const Attributes& attributes = state_.set.attributes(event.a);
    return {key_of(event), event.a, event.b,
            outcome_by(state_.rules.wall(attributes.species),
                       WallContact{event.time, motion, attributes, event.b.face()})};
}

/// Changes those that the contact changes, and finds what comes of it: the only place where rules have any
/// effect.
std::uint32_t IslandRunner::take_effect(std::uint32_t root, const DueContact& contact) {
    const auto& [impact, low, high] = contact.outcome;
    if (low) change(root, contact.low, contact.key, *low);
    if (high) change(root, contact.high.slot(), contact.key, *high);
    const std::uint32_t conflict = low ? search_from(root, contact.low, contact.low) : no_conflict;
    if (!high || conflict != no_conflict) return conflict;
    // Where both have changed, the first search has dealt with the pair.
    return search_from(root, contact.high.slot(), low ? contact.low : contact.high.slot());
}

// --------------------------------------------------------------------------------------- search after a
// change

/// Finds the contacts of the slot's path, until the interval ends, with all slots but `skip`.
std::uint32_t IslandRunner::search_from(std::uint32_t root, Slot slot, Slot skip) {
    const double query_time = std::max(state_.set.motion(slot).time, state_.window_begin);
    const std::span<const Slot> others = state_.neighbours.of(slot, state_.candidates);
    const FoundContacts met = state_.set.find_contacts(slot, others, state_.interval_end, query_time);
    ++state_.statistics.num_searches;
    state_.statistics.num_candidates += others.size();
    for (std::size_t k = 0; k < met.slots.size(); ++k) {
        if (met.slots[k] == skip) continue;
        const std::uint32_t conflict = meet(root, slot, met.slots[k], met.times[k], query_time);
        if (conflict != no_conflict) return conflict;
    }
    std::uint32_t conflict = no_conflict;
    state_.for_each_wall_contact(slot, [&](const Prediction& prediction) {
        if (conflict == no_conflict) conflict = expect(root, prediction);
    });
    return conflict;
}

std::uint32_t IslandRunner::meet(std::uint32_t root, Slot slot, Slot other, double time, double query_time) {
    if (state_.set.motion(other).time > query_time) {
        const std::uint32_t island = state_.set.status(other).island;
        if (island != no_island && state_.forest.find(island) != root &&
            could_have_touched(slot, other, query_time))
            return island;
    }
    if (!(time < state_.interval_end)) return no_conflict;
    if (time < state_.window_end) return expect(root, state_.set.predict_pair(slot, other, time));
    state_.set.prefetch_status(other);
    to_file_.push_back({time, slot, Partner::particle(other)});
    return no_conflict;
}

/// A prediction holds the stamps of both, and that of whom the search has met comes from anywhere in memory:
/// so it is read when it has arrived, just before anything changes. Measured: 7 % less time for a million.
void IslandRunner::file_expected() {
    for (const InitialPrediction& contact : to_file_)
        state_.schedule.file(state_.set.predict_pair(contact.a, contact.b.slot(), contact.time));
    to_file_.clear();
}

/// Puts a predicted contact where it belongs: on the heap, or aside for a later window.
std::uint32_t IslandRunner::expect(std::uint32_t root, const Prediction& prediction) {
    if (prediction.time >= state_.window_end) {
        state_.schedule.file(prediction);
        return no_conflict;
    }
    std::uint32_t conflict = take_in(root, prediction.a);
    if (conflict == no_conflict && prediction.b.is_particle()) conflict = take_in(root, prediction.b.slot());
    if (conflict == no_conflict) heap_.push(prediction);
    return conflict;
}

std::uint32_t IslandRunner::take_in(std::uint32_t root, Slot slot) {
    std::uint32_t& island = state_.set.status(slot).island;
    if (island != no_island) return state_.forest.find(island) == root ? no_conflict : island;
    island = root;
    state_.forest.claims.push_back(slot);
    return no_conflict;
}

bool IslandRunner::could_have_touched(Slot slot, Slot ahead, double query_time) const {
    const Motion& own = state_.set.motion(slot);
    const Motion& other = state_.set.motion(ahead);
    const Vec3 here = advanced(own.position, own.velocity, query_time - own.time);
    const double distance = norm(minimum_image(here - other.position, state_.set.images()));
    const double span = other.time - query_time;
    const std::uint32_t island = state_.forest.find(state_.set.status(ahead).island);
    const double closest = (norm(own.velocity) + state_.forest.peak_speed(state_.set, island, ahead)) * span;
    constexpr double rounding = 1 + 1e-9;
    return distance <= rounding * (state_.set.contact_distance(slot, ahead) + closest);
}

// ------------------------------------------------------------------------------------ bookkeeping of one
// contact

/// Not divided further: each call in here costs about 0.4 % of all instructions.
void IslandRunner::change(std::uint32_t root, Slot slot, const ContactKey& key, const NewMotion& after) {
    LocalSet& set = state_.set;
    Motion& motion = set.motion(slot);
    Island& island = state_.forest[root];
    if (set.status(slot).stamp <= state_.stamp_at_run) {  // unchanged so far in this run
        state_.forest.undo.push_back(set.undo_record(slot));
        set.keep_start(slot);
        island.include_speed(norm(motion.velocity));
    }
    motion.position = after.position;
    motion.velocity = after.velocity;
    motion.time = key.time;
    set.mark_changed(slot, static_cast<std::uint32_t>(key.generation));
    keep_in_sphere(slot);
    island.include_speed(norm(after.velocity));
    // The cap also ends runs of copies, which would otherwise stall this rank before their owner's events arrive.
    const std::uint64_t count = set.status(slot).num_contacts;
    if (count >= state_.options.contact_cap && !island.has_cap_hit)
        state_.forest.note_cap(root, {key, motion.id, count});
    if (!set.is_owned(slot)) return;
    const double radius = set.radius(slot);
    const Vec3 onwards = (state_.span.end - key.time) * after.velocity;
    if (!state_.coverage.is_whole_box) watch_faces(slot, radius, onwards.x);
    island.include(Vec3{radius, radius, radius} + abs(onwards));
}

/// Makes sure that the slot's neighbours are all that it can touch until the interval ends.
void IslandRunner::keep_in_sphere(Slot slot) {
    const Motion& motion = state_.set.motion(slot);
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, state_.interval_end - motion.time)};
    const double radius = state_.set.radius(slot);
    if (!state_.search->outgrows(state_.spheres[slot], path, radius)) return;
    ++state_.statistics.num_enlarged;
    state_.candidates.clear();
    state_.search->enlarge(slot, path, radius, state_.candidates);
    state_.neighbours.extend(slot, state_.candidates);
}

/// Notes how far the rest of the path, `onwards` along x, leads beyond the faces of the slab.
void IslandRunner::watch_faces(Slot slot, double radius, double onwards) {
    const Motion& motion = state_.set.motion(slot);
    const double surface = radius + state_.face_slack();
    // Nearly all are deep inside the slab: that is seen without fetching more of them from memory.
    if (state_.stays_deep(motion.position.x, std::abs(onwards) + surface)) return;
    const double midpoint = state_.step_midpoint_x(slot);
    const double here = midpoint + minimum_image_x(motion.position.x - midpoint, state_.set.images());
    const double there = here + onwards;
    state_.include_path({state_.coverage.lower - (std::min(here, there) - surface),
                         std::max(here, there) + surface - state_.coverage.upper},
                        (*state_.holders)[slot]);
}

typename IslandRunner::Ids IslandRunner::ids_of(const Prediction& p) const {
    const ContactKey key = key_of(p);
    return {key.low, key.high};
}

ContactKey IslandRunner::key_of(const Prediction& p) const {
    if (p.b.is_of_remote_event()) return state_.remote[p.remote_event].event.key;
    const ParticleId a = state_.set.motion(p.a).id;
    const ParticleId b = p.b.is_particle() ? state_.set.motion(p.b.slot()).id
                                           : first_wall_id + static_cast<ParticleId>(p.b.face());
    return {p.time, p.generation, std::min(a, b), std::max(a, b)};
}

/// Before the contact takes effect: to the record, and to neighbours that have one partner only.
void IslandRunner::report(const DueContact& contact) {
    if (contact.high.is_wall()) {
        if (state_.set.is_owned(contact.low)) record(contact);
        return;
    }
    const Slot low = contact.low, high = contact.high.slot();
    const bool is_near_faces = state_.may_be_shared(low) || state_.may_be_shared(high);
    if (!is_near_faces || state_.is_reporting_rank(low, high)) record(contact);
    if (is_near_faces && state_.must_report(low, high)) {
        if (contact.outcome.low) record_outgoing(contact.key, low, high, *contact.outcome.low);
        if (contact.outcome.high) record_outgoing(contact.key, high, low, *contact.outcome.high);
    }
}

void IslandRunner::record(const DueContact& contact) {
    const auto& [key, low, high, outcome] = contact;
    const bool is_with_wall = high.is_wall();
    const SpeciesIndex species_low = state_.set.attributes(low).species;
    const SpeciesIndex species_high =
        is_with_wall ? wall_species : state_.set.attributes(high.slot()).species;
    const Impact& impact = outcome.impact;
    if (state_.forest.contacts.detail() == ContactDetail::briefs) {
        const std::uint32_t face = is_with_wall ? static_cast<std::uint32_t>(high.face()) : 0;
        state_.forest.contacts.push_back(
            ContactBrief{impact.impulse, impact.distance, species_low, species_high, face, 0});
        return;
    }
    state_.forest.contacts.push_back(Contact{.key = key,
                                             .point = touching_point(contact),
                                             .normal = impact.normal,
                                             .impulse = impact.impulse,
                                             .speed = impact.speed,
                                             .distance = impact.distance,
                                             .species_low = species_low,
                                             .species_high = species_high});
}

/// Where the surfaces touch, wrapped into the box.
Vec3 IslandRunner::touching_point(const DueContact& contact) const {
    const auto& [key, low, high, outcome] = contact;
    Vec3 point = position_at(state_.set.motion(low), key.time);
    if (high.is_particle()) point = advanced(point, outcome.impact.normal, state_.set.radius(low));
    for (int axis = 0; axis < state_.box.dimension; ++axis) {
        if (state_.box.is_periodic(axis)) point[axis] = wrapped(point[axis], state_.box.size[axis]);
    }
    if (high.is_wall()) {
        const int axis = high.face() / 2;
        point[axis] = high.face() % 2 == 1 ? state_.box.size[axis] : 0;
    }
    return point;
}

/// Notes for the neighbours that have `slot`, but not its partner, how it goes on. Before that takes effect.
void IslandRunner::record_outgoing(const ContactKey& key, Slot slot, Slot partner, const NewMotion& after) {
    const NeighbourMask receivers = (*state_.holders)[slot] & ~(*state_.holders)[partner];
    if (receivers == 0) return;
    const Motion& before = state_.set.motion(slot);
    state_.forest.outgoing.push_back(
        {receivers, {key, before.id, after.position, after.velocity, state_hash_of(before)}});
}

}  // namespace ricochet
