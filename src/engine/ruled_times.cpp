// SPDX-License-Identifier: BSD-3-Clause
#include "engine/ruled_times.hpp"

#include <utility>

#include "engine/surface_gaps.hpp"
#include "geometry/contact_time.hpp"
#include "model/rounding.hpp"

namespace ricochet {

// --- rules and tethers -------------------------------------------------------------------------------------

bool RuledTimes::is_suspended(Slot a, Slot b) const {
    const SlotMatter& matter = local_.matter();
    if (!matter.has_tethers()) return false;
    const bool is_free_a = matter.num_tethers(a) == 0, is_free_b = matter.num_tethers(b) == 0;
    if (is_free_a && is_free_b) return false;
    const SpeciesIndex species_a = species(a), species_b = species(b);
    const ContactRule& rule = context_.rules.pair(species_a, species_b);
    return (!is_free_a && changes_partner(rule, species_a, species_b)) ||
           (!is_free_b && changes_partner(rule, species_b, species_a));
}

bool RuledTimes::is_suspended_at(Slot slot, BodyNumber body) const {
    if (local_.matter().num_tethers(slot) == 0) return false;
    return changes_partner(context_.rules.at_body(species(slot), body), species(slot), wall_species);
}

ContactRule RuledTimes::rule_at(Slot slot, BodyNumber body) const {
    const ContactRule& rule = context_.rules.at_body(species(slot), body);
    return is_suspended_at(slot, body) ? bounce_by(rule) : rule;
}

Overlap RuledTimes::overlap_of(Slot a, Slot b) const {
    return is_suspended(a, b) ? Overlap::bounces : context_.rules.pair_overlap(species(a), species(b));
}

bool RuledTimes::may_become_tethered(Slot a, Slot b, const Stick& rule) const {
    const SlotMatter& matter = local_.matter();
    return matter.num_tethers(a) < std::min(rule.valence_of(species(a)), Tethers::most) &&
           matter.num_tethers(b) < std::min(rule.valence_of(species(b)), Tethers::most) &&
           !local_.are_tethered(a, b);
}

/// None where the pair cannot react.
std::optional<double> RuledTimes::rate_of(Slot a, Slot b) const {
    const SpeciesIndex species_a = species(a), species_b = species(b);
    const auto rate = context_.rules.pair_rate(species_a, species_b);
    if (!rate || is_suspended(a, b)) return std::nullopt;
    const Stick* const stick = context_.rules.stick(species_a, species_b);
    return stick == nullptr || may_become_tethered(a, b, *stick) ? rate : std::nullopt;
}

/// The time at which the tether of two tethered slots becomes taut.
double RuledTimes::tether_time_of(Slot a, Slot b) const {
    const Stick* const rule = context_.rules.stick(species(a), species(b));
    RICOCHET_CHECK(rule != nullptr);
    return tether_time(local_.motion(a), local_.motion(b), rule->length * local_.contact_distance(a, b),
                       context_.images);
}

TetherState RuledTimes::tether_of(Slot a, Slot b) const {
    const Stick* const rule = context_.rules.stick(species(a), species(b));
    if (rule == nullptr) return TetherState::none;
    if (!local_.are_tethered(a, b))
        return may_become_tethered(a, b, *rule) ? TetherState::forms : TetherState::none;
    return tether_time_of(a, b) < touching_time_of(a, b) ? TetherState::taut : TetherState::slack;
}

/// Two slots in the order of their ids, at a contact at `time`.
PairContact RuledTimes::pair_contact(Slot low, Slot high, double time) const {
    return {time,
            local_.motion(low),
            local_.motion(high),
            local_.attributes(low),
            local_.attributes(high),
            context_.images,
            context_.setting(),
            local_.status(low).num_contacts,
            local_.status(high).num_contacts};
}

std::optional<RatedEvent> RuledTimes::rated_event_of(Slot a, Slot b) const {
    const auto rate = rate_of(a, b);
    if (!rate) return std::nullopt;
    if (local_.motion(b).id < local_.motion(a).id) std::swap(a, b);
    const Overlap overlap = context_.rules.pair_overlap(species(a), species(b));  // not suspended
    const double touching = touching_time_of(a, b, overlap);
    const double chord_time = touching < context_.span.end ? touching : never;
    const RatedEvent event = rated_event(*rate, pair_contact(a, b, touching), chord_time);
    if (event.reacts && !event.touches && are_parted(a, b, event.time))
        return RatedEvent{never, false, false};
    return event;
}

/// At no rate, or an infinite one.
bool RuledTimes::always_passes(Slot slot, BodyNumber body) const {
    return may_pass(slot, body) && context_.rules.body_rate(species(slot), body).value_or(never) == never;
}

/// Whether a surface that neither of them passes freely is between both centres at `time`. A centre in a surface, as
/// receptors have it, is on both of its sides.
bool RuledTimes::are_parted(Slot low, Slot high, double time) const {
    const ObstacleSearch& obstacles = context_.obstacles;
    if (!obstacles.has_bodies()) return false;
    const auto place_of = [&](Slot slot) {
        return context_.place_seen(context_.seen_by_bodies(local_.motion(slot)), time);
    };
    constexpr double in_surface = 0x1p-20;  // of the way from one to the other
    const Vec3 from = place_of(low), way = minimum_image(place_of(high) - from, context_.images);
    Motion path =
        obstacles.in_box({.position = from, .velocity = way, .time = 0, .id = local_.motion(low).id});
    path.position = advanced(path.position, way, in_surface);
    bool is_crossed = false;
    obstacles.for_each_surface(path, 0, 1 - 2 * in_surface, [&](ObstacleIndex, const Obstacle& surface) {
        if (always_passes(low, surface.body) || always_passes(high, surface.body)) return;
        is_crossed = is_crossed || obstacle_contact_time(path, 0, surface.shape) < 1 - 2 * in_surface;
    });
    return is_crossed;
}

ObstacleContact RuledTimes::contact_at(Slot slot, const Motion& motion, const Obstacle& obstacle,
                                       double time) const {
    return {time,
            motion,
            local_.attributes(slot),
            surface_at(motion.position, obstacle.shape).normal,
            obstacle_id(obstacle.number),
            context_.setting(),
            local_.status(slot).num_contacts};
}

/// Which part of the body the slot would touch: where its straight path does, or where it would react without.
BodyNumber RuledTimes::part_met(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
    const SurfacePatches& patches = context_.obstacles.patches();
    if (!patches.are_on(obstacle.body) || may_pass(slot, obstacle.body)) return obstacle.body;
    const Attributes& own = local_.attributes(slot);
    const auto part_at = [&](double time) {
        return patches.part_at(obstacle, context_.touching_surface(motion, own, obstacle, time).point);
    };
    const bool is_new = local_.matter().latest_partner(slot) != obstacle_id(obstacle.number);
    if (is_new && context_.gap_to(obstacle, own, motion.position) <= 0) {
        const BodyNumber here = part_at(motion.time);
        if (context_.rules.body_overlap(own.species, here) == Overlap::reacts) return here;
    }
    const double chord_time = context_.touching_time(motion, own, obstacle);
    if (chord_time < context_.span.end) return part_at(chord_time);
    if (!context_.has_rates || distance_to(motion.position, obstacle.shape) == never) return obstacle.body;
    const double radius = context_.radius_towards(obstacle, own);
    const Gaps gaps = gaps_at_surface(motion, radius, obstacle.shape, never, context_.span.end);
    return part_at(time_of_miss(contact_at(slot, motion, obstacle, never), gaps));
}

std::optional<RatedEvent> RuledTimes::rated_event_of(Slot slot, const Motion& motion,
                                                     const Obstacle& obstacle) const {
    const Attributes& own = local_.attributes(slot);
    const BodyNumber part = part_met(slot, motion, obstacle);
    const auto rate = context_.rules.body_rate(own.species, part);
    if (!rate || is_suspended_at(slot, part)) return std::nullopt;
    const bool passes = may_pass(slot, obstacle.body);
    const double radius = passes ? 0 : own.radius, end = context_.span.end;
    const double straight = straight_time_at(slot, motion, obstacle, part);
    const double chord_time = straight < end ? straight : never;
    const ObstacleContact contact = contact_at(slot, motion, obstacle, straight);
    const double distance = distance_to(motion.position, obstacle.shape);
    if (obstacle.body < first_body)
        return rated_event(*rate, contact, gaps_at_plane(contact, distance, chord_time), {}, chord_time);
    const bool has_met = passes ? has_met_membrane(slot, obstacle.body)
                                : local_.matter().latest_partner(slot) == contact.obstacle;
    if (*rate < never && has_met) return RatedEvent{chord_time, false, true};
    // Where another surface of the body is nearer, that one decides.
    if (chord_time == never && distance == never) return RatedEvent{never, false, false};
    const Gaps gaps = passes ? gaps_of_centre(motion, obstacle.shape, end)
                             : gaps_at_surface(motion, radius, obstacle.shape, chord_time, end);
    const Vec3 at_end = position_at(motion, end);
    if (passes && chord_time == never && !have_one_mirror(obstacle.shape, motion.position, at_end))
        return RatedEvent{never, false, false};
    const auto bend_at = [&](Vec3 place) {
        return bend_at_contact(obstacle.shape, place, radius, context_.rules.dimension());
    };
    const Bend bend = bend_at(chord_time < never ? position_at(motion, chord_time) : motion.position);
    if (!passes) return rated_event(*rate, contact, gaps, bend, chord_time);
    return passing_event(*rate, contact, gaps, bend, bend_at(at_end), chord_time);
}

// --- times -------------------------------------------------------------------------------------------------

double RuledTimes::touching_time_of(Slot a, Slot b, Overlap overlap) const {
    if (shaped_.has_shape(a, b)) return shaped_.touch_of(a, b, overlap).time;
    return pair_contact_time(local_.motion(a), local_.motion(b), local_.contact_distance(a, b),
                             context_.images, overlap);
}

bool RuledTimes::are_latest_partners(Slot a, Slot b) const {
    const SlotMatter& matter = local_.matter();
    return matter.latest_partner(a) == local_.motion(b).id && matter.latest_partner(b) == local_.motion(a).id;
}

/// Whether both are present, one of them moves, and their latest contact was not with each other. Two that rest may
/// overlap for ever.
bool RuledTimes::may_touch(Slot a, Slot b) const {
    return !local_.is_absent(a) && !local_.is_absent(b) && !are_latest_partners(a, b) &&
           !(local_.attributes(a).rests() && local_.attributes(b).rests());
}

/// Whether the particle moves along the normal of the surface, so that it may meet it.
bool RuledTimes::may_meet(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
    const std::uint32_t frozen = local_.attributes(slot).frozen_axes;
    if (frozen == 0) return true;
    const Vec3 normal = surface_at(motion.position, obstacle.shape).normal;
    return without_axes(normal, frozen) != Vec3{};
}

/// Whether latest partners bounce at `time`. Products of a reaction at a distance may still approach each other,
/// and touch later. Those that overlap do not: a contact at the instant of their latest one is none.
bool RuledTimes::may_meet_again(Slot a, Slot b, double time) const {
    if (local_.is_absent(a) || local_.is_absent(b)) return false;
    const ContactRule& rule = context_.rules.pair(species(a), species(b));
    return std::holds_alternative<Bounce>(rule) &&
           time > std::max(local_.motion(a).time, local_.motion(b).time);
}

double RuledTimes::time_of(Slot a, Slot b, double time_of_bounce) const {
    if ((special_.special(species(a)) & set_of(species(b))) == 0)
        return may_touch(a, b) || may_meet_again(a, b, time_of_bounce) ? time_of_bounce : never;
    if (local_.are_tethered(a, b)) return std::min(time_of_bounce, tether_time_of(a, b));
    if (!may_touch(a, b)) return may_meet_again(a, b, time_of_bounce) ? time_of_bounce : never;
    if (const auto event = rated_event_of(a, b)) return event->time;
    const Overlap overlap = overlap_of(a, b);
    if (overlap == Overlap::bounces) return time_of_bounce;
    return touching_time_of(a, b, overlap);
}

bool RuledTimes::has_met_membrane(Slot slot, BodyNumber body) const {
    const ParticleId latest = local_.matter().latest_partner(slot);
    return latest == membrane_id(body, false) || latest == membrane_id(body, true);
}

/// When a centre crosses the surface of a body that it may pass. What has just met it comes back only from within.
/// What has passed at a rate does so no more in this step.
double RuledTimes::crossing_time(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
    if (!has_met_membrane(slot, obstacle.body)) return obstacle_contact_time(motion, 0, obstacle.shape);
    const bool has_rate =
        context_.rules.body_rate(local_.attributes(slot).species, obstacle.body).has_value();
    const bool has_passed = local_.matter().latest_partner(slot) == membrane_id(obstacle.body, true);
    return has_rate && has_passed ? never : time_across_shell(motion, obstacle.shape);
}

/// When a particle bounces off an obstacle. A contact that rounding alone puts later than its latest one is at the same
/// time. So what is caught between two surfaces bounces at one instant, and is known by that.
double RuledTimes::touching_time_at(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
    const Attributes& own = local_.attributes(slot);
    const double time = context_.touching_time(motion, own, obstacle), now = motion.time;
    if (!(time > now) || time == never || local_.generation_at(slot, now) == 0) return time;
    const double approach =
        dot(motion.velocity, context_.touching_surface(motion, own, obstacle, now).normal);
    const bool is_at_once = approach > 0 && approach * (time - now) <= separation_slack(context_.box);
    return is_at_once ? now : time;
}

/// Of the straight path alone.
double RuledTimes::straight_time_at(Slot slot, const Motion& motion, const Obstacle& obstacle,
                                    BodyNumber part) const {
    if (may_pass(slot, obstacle.body)) return crossing_time(slot, motion, obstacle);
    const Attributes& own = local_.attributes(slot);
    const Overlap overlap = context_.rules.body_overlap(own.species, part);
    if (overlap == Overlap::reacts && context_.gap_to(obstacle, own, motion.position) <= 0)
        return motion.time;
    return touching_time_at(slot, motion, obstacle);
}

/// A particle may meet an obstacle again at once: the sign of the approach decides. Overlaps that react would repeat
/// for ever. A reaction at a rate is decided once for the rest of the step: inside a curve the chord then only bounces.
double RuledTimes::time_at(Slot slot, const Motion& motion, const Obstacle& obstacle) const {
    if (local_.matter().is_absent(slot)) return never;
    const Attributes& own = local_.attributes(slot);
    const BodyNumber part = part_met(slot, motion, obstacle);
    const bool only_bounces = std::holds_alternative<Bounce>(context_.rules.at_body(own.species, part)) ||
                              is_suspended_at(slot, part);
    if (only_bounces) return touching_time_at(slot, motion, obstacle);
    if (!may_meet(slot, motion, obstacle)) return never;
    const bool passes = may_pass(slot, obstacle.body);
    if (!passes && local_.matter().latest_partner(slot) == obstacle_id(obstacle.number)) {
        const bool has_rate = context_.rules.body_rate(own.species, part).has_value();
        if (has_rate && obstacle.body < first_body) return never;
        return touching_time_at(slot, motion, obstacle);
    }
    if (const auto event = rated_event_of(slot, motion, obstacle)) return event->time;
    return straight_time_at(slot, motion, obstacle, part);
}

/// The contact time of two of which the vector functions find none before `until`; never, if there is none. Such pairs
/// overlap and part, or react at a rate although their straight paths do not touch, or are tethered.
double RuledTimes::time_without_approach(Slot a, Slot b, double until) const {
    const SpeciesIndex species_a = species(a), species_b = species(b);
    if ((special_.unseen(species_a) & set_of(species_b)) == 0) return never;
    if (local_.is_absent(a) || local_.is_absent(b)) return never;
    const bool is_held = local_.are_tethered(a, b);
    if (!is_held && context_.rules.pair_rate(species_a, species_b) &&
        is_beyond_cut(context_.rules, context_.span.end, local_.motion(a), local_.motion(b),
                      local_.attributes(a), local_.attributes(b), context_.images))
        return never;  // nearly always; or their straight paths touch, which has been found
    if (!is_held && (!context_.rules.react_without_approach(species_a, species_b) || !may_touch(a, b)))
        return never;
    const double time = time_of(a, b, never);
    if (!(time < until)) return never;
    const bool has_been_found = touching_time_of(a, b) < until;
    return has_been_found ? never : time;
}

std::size_t RuledTimes::correct(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                                const FoundTimes& found) const {
    if (only_bounces(slot)) return found.count;
    std::size_t count = 0;
    const auto add = [&](Slot other, double time) {
        found.places[count] = other;
        found.times[count++] = time;
    };
    for (std::size_t k = 0; k < found.count; ++k) {
        const Slot other = found.places[k];
        const double time = time_of(slot, other, found.times[k]);
        if (time < until)
            add(other, time);
        else if (local_.motion(other).time > ahead_of)
            add(other, never);
    }
    if ((special_.unseen(species(slot)) & local_.matter().present()) == 0) return count;
    for (const Slot other : others) {
        if (local_.motion(other).time > ahead_of) continue;  // it has been found
        const double time = time_without_approach(slot, other, until);
        if (time < until) add(other, time);
    }
    return count;
}

}  // namespace ricochet
