// SPDX-License-Identifier: BSD-3-Clause
//
// Runs islands: pops an island's events in the order of ContactKey, applies them, searches again for every
// particle that has changed, and merges islands that meet.
//
// Applying a contact changes one or two slots; each is then searched along the rest of its path. What a
// search finds inside the window goes on the heap and claims its partner; what lies beyond is filed for its
// window, also by runs that are discarded: their predictions are stale, or true all the same. A search can
// meet a slot of another island:
//  * a contact inside the window with it: the islands are one;
//  * it is already *ahead* of the time of the search: its earlier path is no longer at hand. If the two could
//  have met
//    before, by a bound on both speeds, the islands are one; if not, the contact time counts from its own,
//    later time, which the canonical function does by itself. Nothing is ever extrapolated back.
// In both cases both islands are rolled back and run again as one.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "ricochet/contact/response.hpp"
#include "ricochet/engine/step_state.hpp"
#include "ricochet/events/event_heap.hpp"
#include "ricochet/geometry/path.hpp"

namespace ricochet {

template <BroadPhase Search>
class IslandRunner {
  public:
    explicit IslandRunner(StepState<Search>& state) : state_(state), heap_(TieBreak{this}) {}
    IslandRunner(const IslandRunner&) = delete;
    IslandRunner& operator=(const IslandRunner&) = delete;
    ~IslandRunner() = default;

    /// Runs the island, merging it with whatever it meets, until a run stands; or gives up when the window is
    /// overloaded and must be halved.
    void run(std::uint32_t root);

    /// Files the contacts expected in later windows; to be called when the islands of a window have been run.
    void file_expected();

  private:
    struct Ids {
        ParticleId low, high;
        friend auto operator<=>(const Ids&, const Ids&) = default;
    };
    /// Later of two events of equal time and generation, by ids.
    struct TieBreak {
        const IslandRunner* runner;
        bool operator()(const Prediction& p, const Prediction& q) const {
            return runner->ids_of(p) > runner->ids_of(q);
        }
    };
    static constexpr std::uint32_t no_conflict = no_island;

    // Events. Each returns an island to merge with, or no_conflict.
    std::uint32_t attempt(std::uint32_t root);
    std::uint32_t search_changed(std::uint32_t root);
    std::uint32_t apply(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_pair(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_wall(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_imposed(std::uint32_t root, const Prediction& event);

    // Search after a change.
    std::uint32_t search_from(std::uint32_t root, Slot slot, Slot skip);
    std::uint32_t meet(std::uint32_t root, Slot slot, Slot other, double time, double query_time);
    std::uint32_t expect(std::uint32_t root, const Prediction& prediction);
    std::uint32_t take_in(std::uint32_t root, Slot slot);
    bool could_have_met(Slot slot, Slot ahead, double query_time) const;

    // Bookkeeping of one contact.
    void prepare_change(std::uint32_t root, Slot slot);
    void finish_change(std::uint32_t root, Slot slot, const ContactKey& key);
    void keep_in_ball(Slot slot);
    void watch_faces(Slot slot, double radius, double onwards);
    void record(const ContactKey& key, Slot low, Slot high, const Impact& impact);
    Vec3 touching_point(Slot low, Slot high, Vec3 normal) const;
    void record_straddling(const ContactKey& key, Slot slot, Slot partner, const Motion& before);
    Ids ids_of(const Prediction& p) const;
    ContactKey key_of(const Prediction& p) const;

    std::array<Motion, 2> before_;  ///< the contact under way, where it is to be told
    StepState<Search>& state_;
    EventHeap<TieBreak> heap_;
    std::vector<PrimaryContact> to_file_;  ///< expected in later windows
};

template <BroadPhase Search>
void IslandRunner<Search>::run(std::uint32_t root) {
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

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::attempt(std::uint32_t root) {
    state_.stamp_at_run = state_.set.latest_stamp();
    heap_.clear();
    state_.forest.begin_run(root);
    state_.forest.for_each_pending(root, [&](const Prediction& prediction) { heap_.push(prediction); });
    state_.forest.for_each_imposed(root, [&](std::uint32_t k) {
        const ImposedEvent& imposed = state_.imposed[k];
        heap_.push({imposed.event.key.time, static_cast<std::uint32_t>(imposed.event.key.generation),
                    imposed.slot, imposed_marker, 0, k});
    });
    std::uint32_t conflict = search_changed(root);
    while (conflict == no_conflict && !heap_.empty() && !state_.forest[root].has_cap_hit) {
        conflict = apply(root, heap_.pop());
    }
    state_.forest.end_run(root);
    return conflict;
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::search_changed(std::uint32_t root) {
    if (!state_.options.use_research_rule) return no_conflict;
    std::uint32_t conflict = no_conflict;
    state_.forest.for_each_changed(root, [&](Slot slot) {
        conflict = search_from(root, slot, slot);
        return conflict == no_conflict;
    });
    return conflict;
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::apply(std::uint32_t root, const Prediction& event) {
    file_expected();
    if (event.b == imposed_marker) return apply_imposed(root, event);
    if (state_.set.is_stale(event)) return no_conflict;
    return is_wall(event.b) ? apply_wall(root, event) : apply_pair(root, event);
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::apply_pair(std::uint32_t root, const Prediction& event) {
    const bool in_order = state_.set.motion(event.a).id < state_.set.motion(event.b).id;
    const Slot low = in_order ? event.a : event.b;
    const Slot high = in_order ? event.b : event.a;
    const Attributes& matter_low = state_.set.attributes(low);
    const Attributes& matter_high = state_.set.attributes(high);
    const ContactKey key = key_of(event);
    const bool is_near_faces = state_.may_be_shared(low) || state_.may_be_shared(high);
    const bool is_told = is_near_faces && state_.is_told(low, high);
    if (is_told) before_ = {state_.set.motion(low), state_.set.motion(high)};
    prepare_change(root, low);
    prepare_change(root, high);
    const Impact impact = collide_pair(
        state_.set.motion(low), state_.set.motion(high), event.time,
        {matter_low.mass, matter_high.mass, state_.rules.pair(matter_low.species, matter_high.species)},
        state_.set.images());
    finish_change(root, low, key);
    finish_change(root, high, key);
    if (!is_near_faces || state_.speaks_for(low, high)) record(key, low, high, impact);
    if (is_told) {
        record_straddling(key, low, high, before_[0]);
        record_straddling(key, high, low, before_[1]);
    }
    const std::uint32_t conflict = search_from(root, low, low);
    return conflict != no_conflict ? conflict : search_from(root, high, low);
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::apply_wall(std::uint32_t root, const Prediction& event) {
    const Attributes& matter = state_.set.attributes(event.a);
    const ContactKey key = key_of(event);
    prepare_change(root, event.a);
    const Impact impact = collide_wall(state_.set.motion(event.a), event.time, wall_face(event.b), matter,
                                       state_.rules.wall(matter.species));
    finish_change(root, event.a, key);
    if (state_.set.is_owned(event.a)) record(key, event.a, event.b, impact);
    return search_from(root, event.a, event.a);
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::apply_imposed(std::uint32_t root, const Prediction& event) {
    const BoundaryEvent& imposed = state_.imposed[event.stamp_b].event;
    Motion& motion = state_.set.motion(event.a);
    if (premise_of(motion) != imposed.premise) return no_conflict;
    prepare_change(root, event.a);
    motion.position = imposed.position;
    motion.velocity = imposed.velocity;
    motion.time = imposed.key.time;
    finish_change(root, event.a, imposed.key);
    return search_from(root, event.a, event.a);
}

// --------------------------------------------------------------------------------------- search after a
// change

/// Finds the contacts of the slot's path, until the leg ends, with all slots but `skip`.
template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::search_from(std::uint32_t root, Slot slot, Slot skip) {
    const double query_time = std::max(state_.set.motion(slot).time, state_.window_begin);
    const std::span<const Slot> others = state_.neighbours.of(slot, state_.candidates);
    const Meetings met = state_.set.meetings(slot, others, state_.leg_end, query_time);
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

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::meet(std::uint32_t root, Slot slot, Slot other, double time,
                                         double query_time) {
    if (state_.set.motion(other).time > query_time) {
        const std::uint32_t island = state_.set.status(other).island;
        if (island != no_island && state_.forest.find(island) != root &&
            could_have_met(slot, other, query_time))
            return island;
    }
    if (!(time < state_.leg_end)) return no_conflict;
    if (time < state_.window_end) return expect(root, state_.set.predict_pair(slot, other, time));
    state_.set.prefetch_status(other);
    to_file_.push_back({time, slot, other});
    return no_conflict;
}

/// A prediction holds the stamps of both, and that of whom the search has met comes from anywhere in memory:
/// so it is read when it has arrived, just before anything changes. Measured: 7 % less time for a million.
template <BroadPhase Search>
void IslandRunner<Search>::file_expected() {
    for (const PrimaryContact& contact : to_file_)
        state_.schedule.file(state_.set.predict_pair(contact.a, contact.b, contact.time));
    to_file_.clear();
}

/// Puts a predicted contact where it belongs: on the heap, or aside for a later window.
template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::expect(std::uint32_t root, const Prediction& prediction) {
    if (prediction.time >= state_.window_end) {
        state_.schedule.file(prediction);
        return no_conflict;
    }
    std::uint32_t conflict = take_in(root, prediction.a);
    if (conflict == no_conflict && prediction.b < first_wall_slot) conflict = take_in(root, prediction.b);
    if (conflict == no_conflict) heap_.push(prediction);
    return conflict;
}

template <BroadPhase Search>
std::uint32_t IslandRunner<Search>::take_in(std::uint32_t root, Slot slot) {
    std::uint32_t& island = state_.set.status(slot).island;
    if (island != no_island) return state_.forest.find(island) == root ? no_conflict : island;
    island = root;
    state_.forest.claims.push_back(slot);
    return no_conflict;
}

template <BroadPhase Search>
bool IslandRunner<Search>::could_have_met(Slot slot, Slot ahead, double query_time) const {
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

template <BroadPhase Search>
void IslandRunner<Search>::prepare_change(std::uint32_t root, Slot slot) {
    if (state_.set.status(slot).stamp > state_.stamp_at_run) return;  // done before in this run
    state_.forest.undo.push_back(state_.set.undo_record(slot));
    state_.set.keep_start(slot);
    state_.forest[root].include_speed(norm(state_.set.motion(slot).velocity));
}

template <BroadPhase Search>
void IslandRunner<Search>::finish_change(std::uint32_t root, Slot slot, const ContactKey& key) {
    state_.set.mark_changed(slot, static_cast<std::uint32_t>(key.generation));
    const Motion& motion = state_.set.motion(slot);
    const Vec3 onwards = (state_.span.end - motion.time) * motion.velocity;
    keep_in_ball(slot);
    Island& island = state_.forest[root];
    island.include_speed(norm(motion.velocity));
    // The cap also ends runs of copies, which would otherwise stall this rank before their owner is heard.
    const std::uint64_t count = state_.set.status(slot).num_contacts;
    if (count >= state_.options.contact_cap && !island.has_cap_hit) {
        state_.forest.note_cap(root, {key, motion.id, count});
    }
    if (!state_.set.is_owned(slot)) return;
    const double radius = state_.set.radius(slot);
    if (!state_.coverage.is_whole_box) watch_faces(slot, radius, onwards.x);
    island.include(Vec3{radius, radius, radius} + abs(onwards));
}

/// Makes sure that the slot's neighbours are all that it can touch until the leg ends.
template <BroadPhase Search>
void IslandRunner<Search>::keep_in_ball(Slot slot) {
    const Motion& motion = state_.set.motion(slot);
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, state_.leg_end - motion.time)};
    const double radius = state_.set.radius(slot);
    if (!state_.search.outgrows(slot, path, radius)) return;
    ++state_.statistics.num_enlarged;
    state_.candidates.clear();
    state_.search.enlarge(slot, path, radius, state_.candidates);
    state_.neighbours.extend(slot, state_.candidates);
}

/// Notes how far the rest of the path, `onwards` along x, leads beyond the faces of the slab.
template <BroadPhase Search>
void IslandRunner<Search>::watch_faces(Slot slot, double radius, double onwards) {
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

template <BroadPhase Search>
typename IslandRunner<Search>::Ids IslandRunner<Search>::ids_of(const Prediction& p) const {
    const ContactKey key = key_of(p);
    return {key.low, key.high};
}

template <BroadPhase Search>
ContactKey IslandRunner<Search>::key_of(const Prediction& p) const {
    if (p.b == imposed_marker) return state_.imposed[p.stamp_b].event.key;
    const ParticleId a = state_.set.motion(p.a).id;
    const ParticleId b =
        is_wall(p.b) ? first_wall_id + static_cast<ParticleId>(wall_face(p.b)) : state_.set.motion(p.b).id;
    return {p.time, p.generation, std::min(a, b), std::max(a, b)};
}

/// The contact's entry in the record. `high` may be a wall.
template <BroadPhase Search>
void IslandRunner<Search>::record(const ContactKey& key, Slot low, Slot high, const Impact& impact) {
    const bool is_with_wall = is_wall(high);
    const SpeciesIndex species_low = state_.set.attributes(low).species;
    const SpeciesIndex species_high = is_with_wall ? wall_species : state_.set.attributes(high).species;
    if (state_.forest.contacts.detail() == ContactDetail::briefs) {
        const std::uint32_t face = is_with_wall ? static_cast<std::uint32_t>(wall_face(high)) : 0;
        state_.forest.contacts.push_back(
            ContactBrief{impact.impulse, impact.distance, species_low, species_high, face, 0});
        return;
    }
    state_.forest.contacts.push_back(Contact{.key = key,
                                             .point = touching_point(low, high, impact.normal),
                                             .normal = impact.normal,
                                             .impulse = impact.impulse,
                                             .speed = impact.speed,
                                             .distance = impact.distance,
                                             .species_low = species_low,
                                             .species_high = species_high});
}

/// Where the surfaces touch, wrapped into the box.
template <BroadPhase Search>
Vec3 IslandRunner<Search>::touching_point(Slot low, Slot high, Vec3 normal) const {
    Vec3 point = state_.set.motion(low).position;
    if (!is_wall(high)) point = advanced(point, normal, state_.set.radius(low));
    for (int axis = 0; axis < state_.box.dimension; ++axis) {
        if (state_.box.is_periodic(axis)) point[axis] = wrapped(point[axis], state_.box.size[axis]);
    }
    if (is_wall(high)) {
        const int axis = wall_face(high) / 2;
        point[axis] = wall_face(high) % 2 == 1 ? state_.box.size[axis] : 0;
    }
    return point;
}

/// Notes a contact for the neighbours that have `slot` but not its partner.
template <BroadPhase Search>
void IslandRunner<Search>::record_straddling(const ContactKey& key, Slot slot, Slot partner,
                                             const Motion& before) {
    const NeighbourMask receivers = (*state_.holders)[slot] & ~(*state_.holders)[partner];
    if (receivers == 0) return;
    const Motion& motion = state_.set.motion(slot);
    state_.forest.straddling.push_back(
        {receivers, {key, motion.id, motion.position, motion.velocity, premise_of(before)}});
}

}  // namespace ricochet
