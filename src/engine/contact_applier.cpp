// SPDX-License-Identifier: BSD-3-Clause
#include "engine/contact_applier.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "model/size_distribution.hpp"

namespace ricochet {

/// From this generation on a partner has bounced over and over at one instant.
static constexpr std::uint64_t many_generations = 64;
/// From this generation on a particle is caught, if it reaches into surfaces and touches one after another.
static constexpr std::uint64_t caught_generations = 8;

/// The only place where contact rules have any effect: changes those that the contact changes.
void ContactApplier::take_effect(Run run, const DueContact& contact) {
    report(contact);
    const auto& [impact, low, high, effect, matter] = contact.outcome;
    const bool is_at_membrane = context_.changes_matter && contact.high.is_obstacle() &&
                                state_.ruled.may_pass(contact.low, obstacle_of(contact).body);
    const double latest_contact = is_at_membrane ? state_.local.matter().latest_contact(contact.low) : 0;
    if (low) change(run, contact.low, contact.key, *low, matter ? &matter->low : nullptr);
    if (high) change(run, contact.high.slot(), contact.key, *high, matter ? &matter->high : nullptr);
    if (matter) note_absorbed(contact);
    if (effect == ContactEffect::stick) note_tether(contact);
    if (is_at_membrane) note_membrane(contact, latest_contact);
}

bool ContactApplier::take_remote_effect(Run run, const Prediction& event) {
    const BoundaryEvent& remote = context_.remote[event.remote_event].event;
    if (state_hash(event.a) != remote.state_hash) return false;
    const Attributes after =
        context_.changes_matter ? attributes_after(event.a, remote.matter) : Attributes();
    change(run, event.a, remote.key, {remote.position, remote.velocity}, &after);
    if (remote.matter.has_absorbed != 0) state_.local.matter().set_absorbed(event.a, remote.partner());
    if (remote.matter.tethered_to != 0)
        state_.local.matter().add_tether(event.a, remote.partner(), remote.matter.tethered_to - 1u);
    return true;
}

// --- what comes of a contact -------------------------------------------------------------------------------

ContactApplier::DueContact ContactApplier::pair_contact(const Prediction& event) const {
    const LocalMotion& local = state_.local;
    Slot low = event.a, high = event.b.slot();
    if (local.motion(high).id < local.motion(low).id) std::swap(low, high);
    const Attributes& attributes_low = local.attributes(low);
    const Attributes& attributes_high = local.attributes(high);
    PairContact pair{event.time,     local.motion(low), local.motion(high),
                     attributes_low, attributes_high,   context_.images};
    if (context_.collapse_duration > 0)
        pair.is_elastic = has_just_touched(low, event.time) || has_just_touched(high, event.time);
    if (context_.falls) pair.gravity = &context_.frame.acceleration;
    std::optional<TouchingSurfaces> surfaces;
    if (context_.has_shapes) [[unlikely]] {
        surfaces = surfaces_of(low, high, event.time);
        if (surfaces) pair.surfaces = &*surfaces;
    }
    const ContactKey key{event.time, event.generation, local.motion(low).id, local.motion(high).id};
    const ContactRules::Entry& entry =
        context_.rules.pair_entry(attributes_low.species, attributes_high.species);
    if (context_.has_plain_contacts)
        return {key, low, Partner::particle(high), entry.number, outcome_by(entry.rule, pair)};
    if (context_.growth > 0)
        return {key, low, Partner::particle(high), entry.number, outcome_of_growing(pair, context_.growth)};
    complete(pair, low, high);
    return {key, low, Partner::particle(high), entry.number,
            state_.ruled.is_suspended(low, high) ? outcome(bounce_by(entry.rule), pair)
                                                 : outcome_by(entry.rule, pair)};
}

/// None where both are spheres.
std::optional<TouchingSurfaces> ContactApplier::surfaces_of(Slot low, Slot high, double time) const {
    if (!state_.shaped.has_shape(low, high)) return std::nullopt;
    const Overlap overlap = context_.changes_matter ? state_.ruled.overlap_of(low, high) : Overlap::bounces;
    return state_.shaped.surfaces_of(low, high, time, overlap);
}

/// Adds what rules that change matter ask for.
void ContactApplier::complete(PairContact& pair, Slot low, Slot high) const {
    const LocalMotion& local = state_.local;
    pair.setting = context_.setting();
    pair.num_before_low = local.status(low).num_contacts;
    pair.num_before_high = local.status(high).num_contacts;
    if (context_.has_rates) pair.rated = state_.ruled.rated_event_of(low, high);
    if (local.matter().has_tethers()) pair.tether = state_.ruled.tether_of(low, high);
}

void ContactApplier::complete(ObstacleContact& contact, Slot slot, const Obstacle& obstacle) const {
    contact.obstacle = obstacle_id(obstacle.number);
    contact.setting = context_.setting();
    contact.num_before = state_.local.status(slot).num_contacts;
    if (!context_.has_rates) return;
    const Motion& motion = state_.local.motion(slot);
    if (obstacle.body < first_body) {
        contact.rated = state_.ruled.rated_event_of(slot, motion, obstacle);
        return;
    }
    const Motion in_box = context_.obstacles.in_box(motion);
    contact.rated = state_.ruled.rated_event_of(slot, in_box, obstacle);
    const Vec3 at_end = position_at(in_box, contact.setting.end);
    contact.to_mirror_image =
        (2 * distance_to_whole(at_end, obstacle.shape)) * surface_at(at_end, obstacle.shape).normal;
}

/// The least speed at which a particle parts from a surface that it met with `approach`, and towards which `pull`
/// accelerates it. What rests there, or fell from no higher than places are rounded, hops, and is back after 1/32 of
/// the timestep. What reaches into the surface parts from it with 9/8 of the energy that leads out. Else both would
/// touch again without end.
double ContactApplier::least_parting(double approach, double pull, double rounding, double overlap) const {
    if (pull <= 0) return rounding;
    const double from_rounding = pull * (2 * separation_slack(context_.box));
    const bool rests = approach <= rounding || approach * approach <= from_rounding;
    const double to_hop = context_.keeps_hopping && rests ? 0x1p-6 * (pull * context_.frame.timestep) : 0;
    return std::max({rounding, to_hop, std::sqrt(2.25 * (pull * overlap))});
}

/// Its velocity in the frame of the step. A velocity of parting that is lost to rounding is set to what leads away from
/// the surface for longer than the rounding of times.
std::optional<MovingSurface> ContactApplier::moving_surface(const Prediction& event, Vec3 normal) const {
    const Obstacle& obstacle = context_.obstacles[event.b.obstacle_index()];
    const Motion& motion = state_.local.motion(event.a);
    const double time = event.time;
    const bool moves = context_.is_moving(obstacle);
    if (!moves && !context_.falls) return std::nullopt;
    const FallingFrame& frame = context_.frame;
    const Vec3 speeds = abs(motion.velocity) + frame.timestep * abs(frame.acceleration);
    double sum = speeds.x + speeds.y + speeds.z;
    Vec3 velocity = Vec3{} - frame.velocity_at(time), acceleration = frame.acceleration;
    if (moves) {
        const int axis = static_cast<int>(obstacle.body / 2);
        const WallPath& wall = context_.walls[obstacle.body];
        velocity[axis] += wall.velocity_at(time);
        acceleration[axis] -= wall.acceleration;
        sum += std::abs(wall.velocity) + frame.timestep * std::abs(wall.acceleration);
    }
    const double approach = dot(motion.velocity - velocity, normal), pull = dot(acceleration, normal);
    const double overlap = surfaces_.overlap(event.a, obstacle, time);
    return MovingSurface{velocity, least_parting(approach, pull, 0x1p-46 * sum, overlap)};
}

ContactApplier::DueContact ContactApplier::obstacle_contact(const Prediction& event) const {
    const Motion& motion = state_.local.motion(event.a);
    const Attributes& attributes = state_.local.attributes(event.a);
    const Obstacle& obstacle = context_.obstacles[event.b.obstacle_index()];
    const Surface surface = surfaces_.surface(event.a, obstacle, event.time);
    ObstacleContact contact{event.time, motion, attributes, surface.normal};
    contact.is_hollow = surface.is_hollow;
    if (context_.collapse_duration > 0) contact.is_elastic = has_just_touched(event.a, event.time);
    contact.moving = moving_surface(event, surface.normal);
    const ContactKey key{event.time, event.generation, motion.id, obstacle_id(obstacle.number)};
    const BodyNumber part = state_.ruled.part_at(event.a, obstacle, surface.point);
    const ContactRules::Entry& entry = context_.rules.body_entry(attributes.species, part);
    if (context_.has_plain_contacts)
        return {key, event.a, event.b, entry.number, outcome_by(entry.rule, contact)};
    if (context_.growth > 0)
        return {key, event.a, event.b, entry.number, outcome_of_growing(contact, context_.growth)};
    complete(contact, event.a, obstacle);
    DueContact due{key, event.a, event.b, entry.number,
                   outcome_by(state_.ruled.rule_at(event.a, part), contact)};
    if (is_pressed_into_obstacle(due) && is_between_surfaces(event.a)) {
        contact.is_elastic = false;
        due.outcome = outcome(Bounce{0}, contact);
        const bool is_at_mouth =
            event.generation >= 2 * caught_generations;  // where surfaces are not parallel
        if (is_at_mouth && !contact.moving) due.outcome.low->velocity = {};
    }
    return due;
}

// --- what a change entails ---------------------------------------------------------------------------------

/// Not divided further: every contact passes here (note 42 of tests/bench/notes.md).
void ContactApplier::change(Run run, Slot slot, const ContactKey& key, const NewMotion& after,
                            const Attributes* matter) {
    LocalMotion& local = state_.local;
    Motion& motion = local.motion(slot);
    Island& island = state_.forest[run.root];
    const bool is_first = local.status(slot).stamp <= run.stamp_before;  // change in this run
    if (context_.changes_matter) {
        if (is_first) arena_.pools.matter_undo.push_back(local.matter().undo_record(slot));
        local.matter().set_latest_partner(slot, key.partner_of(motion.id));
        local.matter().set_latest_contact(slot, key.time);
        if (matter != nullptr) change_matter(run, slot, key, after.position, *matter);
    }
    if (is_first) {
        arena_.pools.undo.push_back(local.undo_record(slot));
        local.keep_start(slot);
        island.include_speed(norm(motion.velocity));
    }
    motion.position = after.position;
    motion.velocity = after.velocity;
    motion.time = key.time;
    local.mark_changed(slot, static_cast<std::uint32_t>(key.generation));
    island.include_speed(norm(after.velocity));
    // The cap ends runs of copies too. They would else stall this rank before events of their owner arrive.
    const std::uint64_t count = local.status(slot).num_contacts;
    if (count >= context_.options.contact_cap && !island.has_cap_hit)
        state_.forest.note_cap(run.root, {.key = key, .particle = motion.id, .count = count});
    if (!local.is_owned(slot)) return;
    const double radius = local.radius(slot) + context_.reach;
    const Vec3 onwards = (context_.span.end - key.time) * after.velocity;
    if (!context_.coverage.is_whole_box) watch_faces(slot, radius, onwards.x);
    island.include(Vec3{radius, radius, radius} + abs(onwards));
}

/// Before the motion changes.
void ContactApplier::change_matter(Run run, Slot slot, const ContactKey& key, Vec3 position,
                                   const Attributes& matter) {
    const Motion& motion = state_.local.motion(slot);
    if (!(state_.local.attributes(slot) == matter)) note_outgrown(run, slot, key, position, matter);
    state_.local.set_attributes(slot, matter);
    state_.forest.add_jump(run.root, norm(position - position_at(motion, key.time)));
}

/// Where the new matter of a particle is too wide for the body that it is in, the step ends with a sentence.
void ContactApplier::note_outgrown(Run run, Slot slot, const ContactKey& key, Vec3 position,
                                   const Attributes& matter) {
    Motion now = state_.local.motion(slot);
    now.position = position;
    const Vec3 in_box = context_.obstacles.in_box(now).position;
    const Vec3 centre = context_.falls ? in_box + context_.frame.place_at(key.time) : in_box;
    const auto note = [&](ObstacleIndex, const Obstacle& surface) {
        if (is_absent(matter) || matter.rests() || state_.forest[run.root].has_cap_hit) return;
        if (std::holds_alternative<Pass>(context_.rules.at_body(matter.species, surface.body))) return;
        state_.forest.note_cap(run.root, {.key = key,
                                          .particle = now.id,
                                          .count = state_.local.status(slot).num_contacts,
                                          .outgrown = obstacle_id(surface.number),
                                          .radius = matter.radius,
                                          .room = hollow_radius(surface.shape)});
    };
    context_.obstacles.for_each_too_narrow(centre, matter.radius, note);
}

/// When two particles become one, the one that stays remembers the other.
void ContactApplier::note_absorbed(const DueContact& contact) {
    const NewMatter& matter = *contact.outcome.matter;
    if (contact.high.is_obstacle() || !matter.has_survivor()) return;
    const bool low_stays = !is_absent(matter.low);
    state_.local.matter().set_absorbed(low_stays ? contact.low : contact.high.slot(),
                                       low_stays ? contact.key.high : contact.key.low);
}

/// Both partners have each other in their lists from now on.
void ContactApplier::note_tether(const DueContact& contact) {
    LocalMotion& local = state_.local;
    const Slot low = contact.low, high = contact.high.slot();
    local.matter().add_tether(low, contact.key.high, local.attributes(high).species);
    local.matter().add_tether(high, contact.key.low, local.attributes(low).species);
}

/// One that may pass a body remembers the body, and whether it passed. To pass is not to touch: its latest contact
/// stays the one that was the latest before.
void ContactApplier::note_membrane(const DueContact& contact, double latest_contact_before) {
    const bool has_passed = contact.outcome.effect == ContactEffect::pass;
    if (has_passed) state_.local.matter().set_latest_contact(contact.low, latest_contact_before);
    state_.local.matter().set_latest_partner(contact.low, membrane_id(obstacle_of(contact).body, has_passed));
}

/// Those of a slot after a contact that only a neighbour has seen.
Attributes ContactApplier::attributes_after(Slot slot, const Matter& matter) const {
    if (matter.species == absent_species) return absent_attributes;
    Attributes after = state_.local.attributes(slot);
    if (after.species != matter.species || after.radius != matter.radius)
        after.diffusion = diffusion_of(context_.rules.species(matter.species), matter.radius);
    if (after.species != matter.species)
        after.frozen_axes = context_.rules.species(matter.species).frozen_axes;
    after.radius = matter.radius;
    after.mass = matter.mass;
    after.species = matter.species;
    return after;
}

std::uint64_t ContactApplier::state_hash(Slot slot) const {
    const LocalMotion& local = state_.local;
    if (!context_.changes_matter) return state_hash_of(local.motion(slot));
    const SlotMatter& matter = local.matter();
    const std::uint32_t num_tethers = matter.num_tethers(slot);
    return state_hash_of(local.motion(slot), matter_of(local.attributes(slot)), matter.latest_partner(slot),
                         local.status(slot).num_contacts, num_tethers,
                         num_tethers == 0 ? no_id : matter.tethers(slot).partner(num_tethers - 1),
                         matter.latest_contact(slot));
}

/// Whether a particle that reaches into a surface only bounces, over and over at one instant.
bool ContactApplier::is_pressed_into_obstacle(const DueContact& contact) const {
    if (contact.key.generation < caught_generations || contact.outcome.effect != ContactEffect::bounce ||
        !context_.changes_matter)
        return false;
    return surfaces_.overlap(contact.low, obstacle_of(contact), contact.key.time) > 0;
}

/// Whether the two only bounce, over and over at one instant, because they are pressed into each other. Tethered ones
/// do not pass: they might leave their tether. What is caught between surfaces does not: it might leave them.
bool ContactApplier::is_wedged(const DueContact& contact) const {
    if (contact.key.generation < many_generations || contact.outcome.effect != ContactEffect::bounce)
        return false;
    const LocalMotion& local = state_.local;
    if (!contact.high.is_obstacle())
        return overlap_deeply(contact) && !local.are_tethered(contact.low, contact.high.slot());
    if (state_.ruled.may_pass(contact.low, obstacle_of(contact).body)) return true;
    return is_pressed_into_obstacle(contact) && !is_between_surfaces(contact.low);
}

/// Whether two particles overlap by more than rounding where they touch.
bool ContactApplier::overlap_deeply(const DueContact& contact) const {
    const Slot low = contact.low, high = contact.high.slot();
    if (state_.shaped.has_shape(low, high)) return state_.shaped.overlap_deeply(low, high, contact.key.time);
    return contact.outcome.impact.distance < deep_overlap_down * state_.local.contact_distance(low, high);
}

void ContactApplier::record_only(DueContact& contact) {
    if (contact.outcome.effect != ContactEffect::pass) contact.outcome.effect = ContactEffect::let_pass;
    contact.outcome.impact.impulse = 0;
    contact.outcome.low.reset();
    contact.outcome.high.reset();
    report(contact);
}

/// Notes how far the rest of the path, `onwards` along x, leads beyond the faces of the slab.
void ContactApplier::watch_faces(Slot slot, double radius, double onwards) {
    const Motion& motion = state_.local.motion(slot);
    const double surface = radius + face_slack(context_.box);
    if (arena_.faces.stays_deep(motion.position.x, std::abs(onwards) + surface)) return;
    const double midpoint = context_.step_midpoint_x(slot);
    const double here = midpoint + minimum_image_x(motion.position.x - midpoint, context_.images);
    const double there = here + onwards;
    arena_.faces.include({context_.coverage.lower - (std::min(here, there) - surface),
                          std::max(here, there) + surface - context_.coverage.upper},
                         (*context_.holders)[slot]);
}

// --- the record and the neighbours -------------------------------------------------------------------------

/// Before the contact takes effect: to the record, and to neighbours that have one partner only.
void ContactApplier::report(const DueContact& contact) {
    if (contact.high.is_obstacle()) {
        if (state_.local.is_owned(contact.low)) record(contact);
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

void ContactApplier::record(const DueContact& contact) {
    const auto& [key, low, high, rule, outcome] = contact;
    const bool is_with_obstacle = high.is_obstacle();
    const SpeciesIndex species_low = state_.local.attributes(low).species;
    const SpeciesIndex species_high =
        is_with_obstacle ? wall_species : state_.local.attributes(high.slot()).species;
    const auto body = static_cast<std::uint16_t>(is_with_obstacle ? part_of(contact) : 0);
    const Impact& impact = outcome.impact;
    const std::optional<NewMatter>& matter = outcome.matter;
    ContactPool& contacts = arena_.pools.contacts;
    if (contacts.detail() == ContactDetail::briefs) {
        contacts.push_back(ContactBrief{.impulse = impact.impulse,
                                        .distance = distance_at(contact),
                                        .species_low = species_low,
                                        .species_high = species_high,
                                        .body = body,
                                        .effect = outcome.effect,
                                        .rule = rule});
    } else {
        const SpeciesIndex product_high = matter && !is_with_obstacle ? matter->high.species : species_high;
        contacts.push_back(Contact{.key = key,
                                   .point = touching_point(contact),
                                   .normal = impact.normal,
                                   .impulse = impact.impulse,
                                   .speed = impact.speed,
                                   .distance = distance_at(contact),
                                   .species_low = species_low,
                                   .species_high = species_high,
                                   .product_low = matter ? matter->low.species : species_low,
                                   .product_high = product_high,
                                   .rule = rule,
                                   .effect = outcome.effect,
                                   .body = body});
    }
    if (contacts.has_energies()) contacts.push_back_energy(energy_given(contact, body));
}

/// In the laboratory. 0 for bodies that rest and have no temperature.
GivenEnergy ContactApplier::energy_given(const DueContact& contact, std::uint16_t body) const {
    if (!contact.high.is_obstacle() || contact.outcome.effect != ContactEffect::bounce) return {};
    const Attributes& attributes = state_.local.attributes(contact.low);
    const bool moves = body < first_body && !context_.wall_motions[body].rests();
    if (!moves && !std::holds_alternative<Thermal>(context_.rules.at_body(attributes.species, body)))
        return {};
    const Vec3 frame = context_.frame.velocity_at(contact.key.time);
    const Vec3 before = state_.local.motion(contact.low).velocity, after = contact.outcome.low->velocity;
    return {energy_gained(attributes.mass, before + frame, after + frame), body};
}

/// The body that is touched, or its patch.
BodyNumber ContactApplier::part_of(const DueContact& contact) const {
    const Obstacle& obstacle = obstacle_of(contact);
    if (!context_.obstacles.patches().are_on(obstacle.body)) return obstacle.body;
    const Vec3 point = surfaces_.surface(contact.low, obstacle, contact.key.time).point;
    return state_.ruled.part_at(contact.low, obstacle, point);
}

/// The virial takes how far the centre of a shape is from a surface, not the radius of the sphere around it.
double ContactApplier::distance_at(const DueContact& contact) const {
    const double distance = contact.outcome.impact.distance;
    if (!context_.has_shapes || !contact.high.is_obstacle() || distance == 0) return distance;
    return surfaces_.distance(contact.low, obstacle_of(contact), contact.key.time);
}

/// Where the surfaces touch, wrapped into the box.
Vec3 ContactApplier::touching_point(const DueContact& contact) const {
    const auto& [key, low, high, rule, outcome] = contact;
    const Box& box = context_.box;
    const Motion& motion = state_.local.motion(low);
    Vec3 point;
    if (high.is_obstacle()) {
        const Obstacle& obstacle = obstacle_of(contact);
        point = surfaces_.surface(low, obstacle, key.time).point;
        if (context_.is_moving(obstacle))
            point[static_cast<int>(obstacle.body / 2)] += context_.walls[obstacle.body].place_at(key.time);
    } else {
        const Vec3 centre = position_at(motion, key.time), normal = outcome.impact.normal;
        point = state_.shaped.has_shape(low, high.slot())
                    ? centre + state_.shaped.touching_point(low, high.slot(), key.time, normal)
                    : advanced(centre, normal, state_.local.radius(low));
        if (context_.falls) point = point + context_.frame.place_at(key.time);
    }
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (box.is_periodic(axis)) point[axis] = wrapped(point[axis], box.size[axis]);
    }
    return point;
}

/// Notes for the neighbours that have one partner, but not the other, how it goes on. Before that takes effect.
void ContactApplier::record_outgoing(const DueContact& contact, bool of_low) {
    const Slot low = contact.low, high = contact.high.slot();
    const Slot slot = of_low ? low : high, partner = of_low ? high : low;
    const NeighbourMask receivers = (*context_.holders)[slot] & ~(*context_.holders)[partner];
    if (receivers == 0) return;
    const auto& [impact, after_low, after_high, effect, matter] = contact.outcome;
    const NewMotion& after = of_low ? *after_low : *after_high;
    Matter matter_after;
    if (context_.changes_matter) {
        matter_after = matter_of(!matter  ? state_.local.attributes(slot)
                                 : of_low ? matter->low
                                          : matter->high);
        if (matter && matter->has_survivor())
            matter_after.has_absorbed = matter_after.species != absent_species;
        if (effect == ContactEffect::stick)
            matter_after.tethered_to =
                static_cast<std::uint16_t>(state_.local.attributes(partner).species + 1);
    }
    arena_.pools.outgoing.push_back({receivers,
                                     {contact.key, state_.local.motion(slot).id, after.position,
                                      after.velocity, state_hash(slot), matter_after}});
}

}  // namespace ricochet
