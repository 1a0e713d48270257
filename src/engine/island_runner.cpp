// SPDX-License-Identifier: BSD-3-Clause
#include "engine/island_runner.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "model/size_distribution.hpp"

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
    latest_let_pass_ = {};
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
    DueContact contact = event.b.is_particle() ? pair_contact(event) : obstacle_contact(event);
    if (context_.changes_matter && is_wedged(contact)) return let_pass(contact);
    report(contact);
    const auto& [impact, low, high, effect, matter] = contact.outcome;
    if (low) change(run, contact.low, contact.key, *low, matter ? &matter->low : nullptr);
    if (high) change(run, contact.high.slot(), contact.key, *high, matter ? &matter->high : nullptr);
    if (matter) note_absorbed(contact);
    if (effect == ContactEffect::stick) note_tether(contact);
    // Two that have bounced part: they are not tested again, nor where the first search has tested the pair.
    const Slot known = high && !context_.changes_matter ? contact.high.slot() : contact.low;
    const std::uint32_t conflict = low ? search_from(run, contact.low, known) : no_conflict;
    if (!high || conflict != no_conflict) return conflict;
    return search_from(run, contact.high.slot(), low ? contact.low : contact.high.slot());
}

std::uint32_t IslandRunner::apply_remote(Run run, const Prediction& event) {
    const BoundaryEvent& remote = context_.remote[event.remote_event].event;
    if (state_hash(event.a) != remote.state_hash) return no_conflict;
    const Attributes after =
        context_.changes_matter ? attributes_after(event.a, remote.matter) : Attributes();
    change(run, event.a, remote.key, {remote.position, remote.velocity}, &after);
    if (remote.matter.has_absorbed != 0) state_.set.matter().set_absorbed(event.a, remote.partner());
    if (remote.matter.tethered_to != 0)
        state_.set.matter().add_tether(event.a, remote.partner(), remote.matter.tethered_to - 1u);
    return search_from(run, event.a, event.a);
}

IslandRunner::DueContact IslandRunner::pair_contact(const Prediction& event) const {
    const LocalSet& set = state_.set;
    Slot low = event.a, high = event.b.slot();
    if (set.motion(high).id < set.motion(low).id) std::swap(low, high);
    const Attributes& attributes_low = set.attributes(low);
    const Attributes& attributes_high = set.attributes(high);
    PairContact pair{event.time,     set.motion(low), set.motion(high),
                     attributes_low, attributes_high, set.images()};
    const ContactKey key{event.time, event.generation, set.motion(low).id, set.motion(high).id};
    if (!context_.changes_matter)
        return {key, low, Partner::particle(high),
                outcome_by(context_.rules.pair(attributes_low.species, attributes_high.species), pair)};
    complete(pair, low, high);
    return {key, low, Partner::particle(high), outcome_by(set.rule_of(low, high), pair)};
}

/// Adds what rules that change matter ask for.
void IslandRunner::complete(PairContact& pair, Slot low, Slot high) const {
    const LocalSet& set = state_.set;
    pair.setting = context_.setting();
    pair.num_before_low = set.status(low).num_contacts;
    pair.num_before_high = set.status(high).num_contacts;
    if (const auto event = set.rated_event_of(low, high)) pair.reacts = event->reacts;
    if (set.matter().has_tethers()) pair.tether = set.tether_of(low, high);
}

void IslandRunner::complete(ObstacleContact& contact, Slot slot, ObstacleNumber number) const {
    contact.obstacle = obstacle_id(number);
    contact.setting = context_.setting();
    contact.num_before = state_.set.status(slot).num_contacts;
    if (const auto event = state_.set.rated_event_of(slot, context_.obstacles[number]))
        contact.reacts = event->reacts;
}

IslandRunner::DueContact IslandRunner::obstacle_contact(const Prediction& event) const {
    const Motion& motion = state_.set.motion(event.a);
    const Attributes& attributes = state_.set.attributes(event.a);
    const ObstacleNumber number = event.b.obstacle_number();
    const Vec3 normal = surface_at(position_at(motion, event.time), context_.obstacles[number].shape).normal;
    ObstacleContact contact{event.time, motion, attributes, normal};
    const ContactKey key{event.time, event.generation, motion.id, obstacle_id(number)};
    if (!context_.changes_matter)
        return {key, event.a, event.b, outcome_by(context_.rules.wall(attributes.species, number), contact)};
    complete(contact, event.a, number);
    return {key, event.a, event.b, outcome_by(state_.set.rule_at(event.a, number), contact)};
}

// --- the search after a change -----------------------------------------------------------------------------

/// Finds the contacts of the slot's path, until the interval ends, with all slots but `skip`.
std::uint32_t IslandRunner::search_from(Run run, Slot slot, Slot skip) {
    if (context_.changes_matter && state_.set.matter().is_absent(slot)) return no_conflict;
    const double query_time = std::max(state_.set.motion(slot).time, context_.window.begin);
    const double not_ahead = latest_not_ahead(query_time);
    const std::span<const Slot> others = state_.neighbours.of(slot, arena_.slot_scratch);
    const FoundContacts found =
        state_.set.find_contacts(slot, others, context_.interval.end, not_ahead, arena_.contact_scratch);
    ++arena_.statistics.num_searches;
    arena_.statistics.num_candidates += others.size();
    for (std::size_t k = 0; k < found.slots.size(); ++k) {
        if (found.slots[k] == skip) continue;
        const std::uint32_t conflict =
            test(run, slot, found.slots[k], found.times[k], {query_time, not_ahead});
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
std::uint32_t IslandRunner::test(Run run, Slot slot, Slot other, double time, Query query) {
    if (state_.set.motion(other).time > query.latest_not_ahead) {
        const std::uint32_t island = state_.set.status(other).island;
        if (island != no_island && state_.forest.find(island) != run.root &&
            could_have_touched(slot, other, query.time))
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

/// A bound on the path of the slot ahead, from the time of the search to its own. A product has jumped besides, and had
/// another radius before.
bool IslandRunner::could_have_touched(Slot slot, Slot ahead, double query_time) const {
    const Motion& own = state_.set.motion(slot);
    const Motion& other = state_.set.motion(ahead);
    const Vec3 here = advanced(own.position, own.velocity, query_time - own.time);
    const double distance = norm(minimum_image(here - other.position, state_.set.images()));
    const double span = other.time - query_time;
    const std::uint32_t island = state_.forest.find(state_.set.status(ahead).island);
    const double peak_speed = state_.forest.peak_speed(state_.set, arena_.pools, island, ahead);
    double closest = (norm(own.velocity) + peak_speed) * span + state_.set.radius(slot);
    if (context_.changes_matter)
        closest +=
            state_.set.matter().largest_radius(ahead) + state_.forest.jumps(island) + 2 * context_.reach;
    else
        closest += state_.set.radius(ahead);
    return distance <= closest_up * closest + separation_slack(context_.box);
}

// --- what a change entails ---------------------------------------------------------------------------------

/// Not divided further: every contact passes here (note 42 of tests/bench/notes.md).
void IslandRunner::change(Run run, Slot slot, const ContactKey& key, const NewMotion& after,
                          const Attributes* matter) {
    LocalSet& set = state_.set;
    Motion& motion = set.motion(slot);
    Island& island = state_.forest[run.root];
    if (set.status(slot).stamp <= run.stamp_before) {  // unchanged so far in this run
        arena_.pools.undo.push_back(set.undo_record(slot));
        if (context_.changes_matter) arena_.pools.matter_undo.push_back(set.matter().undo_record(slot));
        set.keep_start(slot);
        island.include_speed(norm(motion.velocity));
    }
    if (context_.changes_matter) change_matter(run, slot, key, after.position, matter);
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
    const double radius = set.radius(slot) + context_.reach;
    const Vec3 onwards = (context_.span.end - key.time) * after.velocity;
    if (!context_.coverage.is_whole_box) watch_faces(slot, radius, onwards.x);
    island.include(Vec3{radius, radius, radius} + abs(onwards));
}

/// Before the motion changes. `matter`: where it changes.
void IslandRunner::change_matter(Run run, Slot slot, const ContactKey& key, Vec3 position,
                                 const Attributes* matter) {
    LocalSet& set = state_.set;
    const Motion& motion = set.motion(slot);
    set.matter().set_latest_partner(slot, key.partner_of(motion.id));
    if (matter == nullptr) return;
    set.matter().set_attributes(slot, *matter);
    state_.forest.add_jump(run.root, norm(position - position_at(motion, key.time)));
}

/// Of two that become one, the one that stays remembers the other.
void IslandRunner::note_absorbed(const DueContact& contact) {
    const NewMatter& matter = *contact.outcome.matter;
    if (contact.high.is_obstacle() || !matter.has_survivor()) return;
    const bool low_stays = !is_absent(matter.low);
    state_.set.matter().set_absorbed(low_stays ? contact.low : contact.high.slot(),
                                     low_stays ? contact.key.high : contact.key.low);
}

/// Both partners have each other in their lists from now on.
void IslandRunner::note_tether(const DueContact& contact) {
    LocalSet& set = state_.set;
    const Slot low = contact.low, high = contact.high.slot();
    set.matter().add_tether(low, contact.key.high, set.attributes(high).species);
    set.matter().add_tether(high, contact.key.low, set.attributes(low).species);
}

/// Those of a slot after a contact that only a neighbour has seen.
Attributes IslandRunner::attributes_after(Slot slot, const Matter& matter) const {
    if (matter.species == absent_species) return absent_attributes;
    Attributes after = state_.set.attributes(slot);
    if (after.species != matter.species || after.radius != matter.radius)
        after.diffusion = diffusion_of(context_.rules.species(matter.species), matter.radius);
    after.radius = matter.radius;
    after.mass = matter.mass;
    after.species = matter.species;
    return after;
}

std::uint64_t IslandRunner::state_hash(Slot slot) const {
    const LocalSet& set = state_.set;
    if (!context_.changes_matter) return state_hash_of(set.motion(slot));
    const SlotMatter& matter = set.matter();
    const std::uint32_t num_tethers = matter.num_tethers(slot);
    return state_hash_of(set.motion(slot), matter_of(set.attributes(slot)), matter.latest_partner(slot),
                         set.status(slot).num_contacts, num_tethers,
                         num_tethers == 0 ? no_id : matter.tethers(slot).partner(num_tethers - 1));
}

/// Whether the two only bounce, over and over at one instant, because they are pressed into each other. Tethered ones do
/// not pass: they might leave their tether.
bool IslandRunner::is_wedged(const DueContact& contact) const {
    constexpr std::uint64_t many_generations = 64;
    if (contact.key.generation < many_generations || contact.outcome.effect != ContactEffect::bounce)
        return false;
    const LocalSet& set = state_.set;
    if (!contact.high.is_obstacle())
        return contact.outcome.impact.distance <
                   deep_overlap_down * set.contact_distance(contact.low, contact.high.slot()) &&
               !set.are_tethered(contact.low, contact.high.slot());
    const Vec3 centre = position_at(set.motion(contact.low), contact.key.time);
    return distance_to(centre, context_.obstacles[contact.high.obstacle_number()].shape) <
           deep_overlap_down * set.radius(contact.low);
}

/// Nothing changes. Who searches again after a rollback finds the same contact once more, also in later windows: it is
/// recorded when it is due, once.
std::uint32_t IslandRunner::let_pass(DueContact& contact) {
    if (contact.key.time < context_.window.begin || contact.key == latest_let_pass_) return no_conflict;
    latest_let_pass_ = contact.key;
    contact.outcome.effect = ContactEffect::let_pass;
    contact.outcome.impact.impulse = 0;
    contact.outcome.low.reset();
    contact.outcome.high.reset();
    report(contact);
    return no_conflict;
}

/// Makes sure that the slot's neighbours are all that it can touch until the interval ends.
void IslandRunner::keep_in_sphere(Slot slot) {
    const Motion& motion = state_.set.motion(slot);
    const PathPart path{motion.position,
                        advanced(motion.position, motion.velocity, context_.interval.end - motion.time)};
    const double radius = state_.set.radius(slot) + context_.reach;
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
        if (contact.outcome.low) record_outgoing(contact, true);
        if (contact.outcome.high) record_outgoing(contact, false);
    }
}

void IslandRunner::record(const DueContact& contact) {
    const auto& [key, low, high, outcome] = contact;
    const bool is_with_obstacle = high.is_obstacle();
    const SpeciesIndex species_low = state_.set.attributes(low).species;
    const SpeciesIndex species_high =
        is_with_obstacle ? wall_species : state_.set.attributes(high.slot()).species;
    const Impact& impact = outcome.impact;
    const std::optional<NewMatter>& matter = outcome.matter;
    ContactPool& contacts = arena_.pools.contacts;
    if (contacts.detail() == ContactDetail::briefs) {
        contacts.push_back(ContactBrief{
            .impulse = impact.impulse,
            .distance = impact.distance,
            .species_low = species_low,
            .species_high = species_high,
            .obstacle = static_cast<std::uint16_t>(is_with_obstacle ? high.obstacle_number() : 0),
            .effect = outcome.effect,
            .rule = rule_number(contact)});
        return;
    }
    contacts.push_back(
        Contact{.key = key,
                .point = touching_point(contact),
                .normal = impact.normal,
                .impulse = impact.impulse,
                .speed = impact.speed,
                .distance = impact.distance,
                .species_low = species_low,
                .species_high = species_high,
                .product_low = matter ? matter->low.species : species_low,
                .product_high = matter && !is_with_obstacle ? matter->high.species : species_high,
                .rule = rule_number(contact),
                .effect = outcome.effect});
}

RuleNumber IslandRunner::rule_number(const DueContact& contact) const {
    const SpeciesIndex low = state_.set.attributes(contact.low).species;
    if (contact.high.is_obstacle()) return context_.rules.wall_number(low, contact.high.obstacle_number());
    return context_.rules.pair_number(low, state_.set.attributes(contact.high.slot()).species);
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

/// Notes for the neighbours that have one partner, but not the other, how it goes on. Before that takes effect.
void IslandRunner::record_outgoing(const DueContact& contact, bool of_low) {
    const Slot low = contact.low, high = contact.high.slot();
    const Slot slot = of_low ? low : high, partner = of_low ? high : low;
    const NeighbourMask receivers = (*context_.holders)[slot] & ~(*context_.holders)[partner];
    if (receivers == 0) return;
    const auto& [impact, after_low, after_high, effect, matter] = contact.outcome;
    const NewMotion& after = of_low ? *after_low : *after_high;
    Matter matter_after;
    if (context_.changes_matter) {
        matter_after = matter_of(!matter ? state_.set.attributes(slot) : of_low ? matter->low : matter->high);
        if (matter && matter->has_survivor())
            matter_after.has_absorbed = matter_after.species != absent_species;
        if (effect == ContactEffect::stick)
            matter_after.tethered_to = static_cast<std::uint16_t>(state_.set.attributes(partner).species + 1);
    }
    arena_.pools.outgoing.push_back({receivers,
                                     {contact.key, state_.set.motion(slot).id, after.position, after.velocity,
                                      state_hash(slot), matter_after}});
}

}  // namespace ricochet
