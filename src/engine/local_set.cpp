// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times where rules change matter. The vector functions know bounces only, so what they find is held against
// the rule of the pair. What they cannot find are pairs that overlap, part, and react all the same, and pairs that a
// tether holds.
#include "engine/local_set.hpp"

namespace ricochet {

// --- rules and tethers -------------------------------------------------------------------------------------

bool LocalSet::is_suspended(Slot a, Slot b) const {
    if (!matter_.has_tethers()) return false;
    const bool is_free_a = matter_.num_tethers(a) == 0, is_free_b = matter_.num_tethers(b) == 0;
    if (is_free_a && is_free_b) return false;
    const SpeciesIndex species_a = attributes(a).species, species_b = attributes(b).species;
    const ContactRule& rule = rules_->pair(species_a, species_b);
    return (!is_free_a && changes_partner(rule, species_a, species_b)) ||
           (!is_free_b && changes_partner(rule, species_b, species_a));
}

bool LocalSet::is_suspended_at(Slot slot, ObstacleNumber number) const {
    if (matter_.num_tethers(slot) == 0) return false;
    const SpeciesIndex species = attributes(slot).species;
    return changes_partner(rules_->wall(species, number), species, wall_species);
}

ContactRule LocalSet::rule_at(Slot slot, ObstacleNumber number) const {
    const ContactRule& rule = rules_->wall(attributes(slot).species, number);
    return is_suspended_at(slot, number) ? bounce_by(rule) : rule;
}

Overlap LocalSet::overlap_of(Slot a, Slot b) const {
    return is_suspended(a, b) ? Overlap::bounces
                              : rules_->pair_overlap(attributes(a).species, attributes(b).species);
}

bool LocalSet::may_become_tethered(Slot a, Slot b, const Stick& rule) const {
    return matter_.num_tethers(a) < std::min(rule.valence_of(attributes(a).species), Tethers::most) &&
           matter_.num_tethers(b) < std::min(rule.valence_of(attributes(b).species), Tethers::most) &&
           !are_tethered(a, b);
}

/// None where the pair cannot react.
std::optional<double> LocalSet::rate_of(Slot a, Slot b) const {
    const SpeciesIndex species_a = attributes(a).species, species_b = attributes(b).species;
    const auto rate = rules_->pair_rate(species_a, species_b);
    if (!rate || is_suspended(a, b)) return std::nullopt;
    const Stick* const stick = rules_->stick(species_a, species_b);
    return stick == nullptr || may_become_tethered(a, b, *stick) ? rate : std::nullopt;
}

/// The time at which the tether of two tethered slots becomes taut.
double LocalSet::tether_time_of(Slot a, Slot b) const {
    const Stick* const rule = rules_->stick(attributes(a).species, attributes(b).species);
    RICOCHET_CHECK(rule != nullptr);
    return tether_time(motion_[a], motion_[b], rule->length * contact_distance(a, b), images_);
}

TetherState LocalSet::tether_of(Slot a, Slot b) const {
    const Stick* const rule = rules_->stick(attributes(a).species, attributes(b).species);
    if (rule == nullptr) return TetherState::none;
    if (!are_tethered(a, b)) return may_become_tethered(a, b, *rule) ? TetherState::forms : TetherState::none;
    const double touch = pair_contact_time(motion_[a], motion_[b], contact_distance(a, b), images_);
    return tether_time_of(a, b) < touch ? TetherState::taut : TetherState::slack;
}

// --- times -------------------------------------------------------------------------------------------------

std::optional<RatedEvent> LocalSet::rated_event_of(Slot a, Slot b) const {
    const auto rate = rate_of(a, b);
    if (!rate) return std::nullopt;
    if (motion_[b].id < motion_[a].id) std::swap(a, b);
    const Overlap overlap =
        rules_->pair_overlap(attributes(a).species, attributes(b).species);  // not suspended
    const double chord_time =
        pair_contact_time(motion_[a], motion_[b], contact_distance(a, b), images_, overlap);
    return rated_event(*rate, pair_contact(a, b, chord_time), chord_time < setting_.end ? chord_time : never);
}

std::optional<RatedEvent> LocalSet::rated_event_of(Slot slot, const Obstacle& obstacle) const {
    const Attributes& own = attributes(slot);
    const auto rate = rules_->wall_rate(own.species, obstacle.number);
    if (!rate || is_suspended_at(slot, obstacle.number)) return std::nullopt;
    const Motion& motion = motion_[slot];
    const double chord_time = obstacle_contact_time(motion, own.radius, obstacle.shape,
                                                    rules_->wall_overlap(own.species, obstacle.number));
    return rated_event(
        *rate,
        ObstacleContact{chord_time, motion, own, surface_at(motion.position, obstacle.shape).normal,
                        obstacle_id(obstacle.number), setting_, status_[slot].num_contacts},
        distance_to(motion.position, obstacle.shape), chord_time < setting_.end ? chord_time : never);
}

/// The contact time of the pair, of which that of a bounce is known.
double LocalSet::time_by_rules(Slot a, Slot b, double time_of_bounce) const {
    if ((special_.special(attributes(a).species) & set_of(attributes(b).species)) == 0)
        return may_touch(a, b) || may_meet_again(a, b, time_of_bounce) ? time_of_bounce : never;
    if (are_tethered(a, b)) return std::min(time_of_bounce, tether_time_of(a, b));
    if (!may_touch(a, b)) return may_meet_again(a, b, time_of_bounce) ? time_of_bounce : never;
    if (const auto event = rated_event_of(a, b)) return event->time;
    const Overlap overlap = overlap_of(a, b);
    if (overlap == Overlap::bounces) return time_of_bounce;
    return pair_contact_time(motion_[a], motion_[b], contact_distance(a, b), images_, overlap);
}

/// A particle that only bounces off an obstacle may meet it again at once: the sign of the approach decides. Reactions
/// and overlaps that pass would repeat for ever.
double LocalSet::time_by_rules(Slot slot, const Obstacle& obstacle) const {
    if (matter_.is_absent(slot)) return never;
    const Attributes& own = attributes(slot);
    const bool only_bounces = std::holds_alternative<Bounce>(rules_->wall(own.species, obstacle.number)) ||
                              is_suspended_at(slot, obstacle.number);
    if (only_bounces) return obstacle_contact_time(motion_[slot], own.radius, obstacle.shape);
    if (matter_.latest_partner(slot) == obstacle_id(obstacle.number)) return never;
    if (const auto event = rated_event_of(slot, obstacle)) return event->time;
    return obstacle_contact_time(motion_[slot], own.radius, obstacle.shape,
                                 rules_->wall_overlap(own.species, obstacle.number));
}

/// The contact time of two of which the vector functions find none before `until`; never, if there is none. Such pairs
/// overlap and part, or react at a rate although their straight paths do not touch, or are tethered.
double LocalSet::time_without_approach(Slot a, Slot b, double until) const {
    const SpeciesIndex species_a = attributes(a).species, species_b = attributes(b).species;
    if ((special_.unseen(species_a) & set_of(species_b)) == 0) return never;
    if (is_absent(a) || is_absent(b)) return never;
    const bool is_held = are_tethered(a, b);
    if (!is_held && rules_->pair_rate(species_a, species_b) &&
        is_beyond_cut(*rules_, setting_.end, motion_[a], motion_[b], attributes(a), attributes(b), images_))
        return never;  // nearly always; or their straight paths touch, which has been found
    if (!is_held && (!rules_->react_without_approach(species_a, species_b) || !may_touch(a, b))) return never;
    const double time = time_by_rules(a, b, never);
    if (!(time < until)) return never;
    const bool has_been_found =
        pair_contact_time(motion_[a], motion_[b], contact_distance(a, b), images_) < until;
    return has_been_found ? never : time;
}

/// Corrects the times of those found, keeps those that are ahead or touch, and adds what was not found. Returns their
/// number, at most that of the others.
std::size_t LocalSet::apply_rules(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                                  std::size_t num_found, ContactScratch& scratch) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < num_found; ++k) {
        const Slot other = scratch.found[k];
        const double time = time_by_rules(slot, other, scratch.times[k]);
        if (!(time < until) && !(motion_[other].time > ahead_of)) continue;
        scratch.found[count] = other;
        scratch.times[count++] = time < until ? time : never;
    }
    if ((special_.unseen(attributes(slot).species) & matter_.present()) == 0) return count;
    for (const Slot other : others) {
        if (motion_[other].time > ahead_of) continue;  // it has been found
        const double time = time_without_approach(slot, other, until);
        if (!(time < until)) continue;
        scratch.found[count] = other;
        scratch.times[count++] = time;
    }
    return count;
}

}  // namespace ricochet
