// SPDX-License-Identifier: BSD-3-Clause
//
// See reference_step.hpp. Read from top to bottom: when do two particles touch (`time_of_pair`), when does one touch a
// wall or a body (reference_obstacles.cpp), what happens then (`process`, with reference_rules.hpp), how a step ends
// (`finish`).
//
// The time of a pair is t_ref + c / (-b + sqrt(b^2 - a c)) with a = u.u, b = r.u, c = r.r - s^2 at t_ref, the
// later of the two records' times.
#include "tests/support/reference_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/math.hpp"
#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_rates.hpp"
#include "tests/support/reference_tethers.hpp"

namespace ricochet::test {

double ReferenceStep::time_of_pair(std::size_t i, std::size_t j) const {
    const Motion& low = particles_.motion[i];
    const Motion& high = particles_.motion[j];
    const Attributes& of_low = particles_.attributes[i];
    const Attributes& of_high = particles_.attributes[j];
    const double reference_time = std::max(low.time, high.time);
    const Vec3 x_low = advanced(low.position, low.velocity, reference_time - low.time);
    const Vec3 x_high = advanced(high.position, high.velocity, reference_time - high.time);
    const Vec3 r = minimum_image(x_high - x_low, images_);
    const Vec3 u = high.velocity - low.velocity;
    if (have_shape(scene(), of_low, of_high)) return time_of_shapes(i, j);
    const double b = dot(r, u);
    const double c = separation_beyond_touch(r, of_low.radius + of_high.radius);
    if (c <= 0) {
        const AtOverlap contact = at_overlap(rule_of_pair(i, j));
        const bool is_now = contact == AtOverlap::always || (contact == AtOverlap::if_approaching && b < 0);
        return is_now ? reference_time : never;
    }
    if (!(b < 0)) return never;
    const double disc = discriminant(dot(u, u), b, c);
    if (!(disc >= 0)) return never;
    return reference_time + c / (-b + std::sqrt(disc));
}

double ReferenceStep::time_of_shapes(std::size_t i, std::size_t j) const {
    const AtOverlap contact = at_overlap(rule_of_pair(i, j));
    const Overlap overlap = contact == AtOverlap::always  ? Overlap::reacts
                            : contact == AtOverlap::never ? Overlap::passes
                                                          : Overlap::bounces;
    return shapes_
        .touch_of(particles_.motion[i], particles_.attributes[i], particles_.motion[j],
                  particles_.attributes[j], images_, overlap)
        .time;
}

ContactRule ReferenceStep::rule_of_pair(std::size_t i, std::size_t j) const {
    if (has_tethers_) return rule_of(rules_, participant(i), participant(j));
    return rules_.pair(particles_.attributes[i].species, particles_.attributes[j].species);
}

ContactRule ReferenceStep::rule_at(std::size_t i, BodyNumber body) const {
    if (has_tethers_) return rule_at_wall(rules_, participant(i), static_cast<int>(body));
    return rules_.at_body(particles_.attributes[i].species, body);
}

/// A pair that may only bounce has none.
std::optional<double> ReferenceStep::rate_of_pair(std::size_t i, std::size_t j) const {
    if (has_tethers_) {
        const Participant low = participant(i), high = participant(j);
        const ContactRule rule = rule_of(rules_, low, high);
        const Stick* const stick = std::get_if<Stick>(&rule);
        if (std::holds_alternative<Bounce>(rule) || (stick && !may_become_tethered(*stick, low, high)))
            return std::nullopt;
    }
    return rules_.pair_rate(particles_.attributes[i].species, particles_.attributes[j].species);
}

std::optional<double> ReferenceStep::rate_of_wall(std::size_t i, int face) const {
    if (std::holds_alternative<Bounce>(rule_at(i, static_cast<BodyNumber>(face)))) return std::nullopt;
    return rules_.body_rate(particles_.attributes[i].species, static_cast<std::size_t>(face));
}

bool ReferenceStep::are_tethered(std::size_t i, std::size_t j) const {
    return has_tethers_ && particles_.track.tethers()[i].holds(id(j));
}

Prospect ReferenceStep::prospect_of_tethered(std::size_t i, std::size_t j) const {
    const double touching = never_after_the_end(time_of_pair(i, j));
    const double taut = never_after_the_end(time_when_taut(rules_, images_, participant(i), participant(j)));
    return taut < touching ? Prospect{taut, std::nullopt, true} : Prospect{touching};
}

Prospect ReferenceStep::prospect_of_pair(std::size_t i, std::size_t j) const {
    if (are_tethered(i, j)) return prospect_of_tethered(i, j);
    const double chord = never_after_the_end(time_of_pair(i, j));
    const std::optional<double> rate = rate_of_pair(i, j);
    if (!rate) return {chord};
    const Prospect prospect = rated_prospect_of_pair(scene(), *rate, chord, participant(i), participant(j));
    if (prospect.is_miss && is_body_between(i, j, prospect.time)) return {never, false};
    return prospect;
}

Prospect ReferenceStep::prospect_at_wall(std::size_t i, int face) const {
    const double chord = never_after_the_end(time_at_wall(i, face));
    const std::optional<double> rate = rate_of_wall(i, face);
    return rate ? rated_prospect_at_wall(scene(), *rate, chord, participant(i), face) : Prospect{chord};
}

/// Whether the latest contact of each was with the other.
bool ReferenceStep::were_latest_partners(std::size_t i, std::size_t j) const {
    return history_[i].latest_partner == id(j) && history_[j].latest_partner == id(i);
}

/// The generation that a contact of particle i at `time` has at least.
std::uint64_t ReferenceStep::next_generation(std::size_t i, double time) const {
    const bool just_changed = history_[i].num_contacts > 0 && particles_.motion[i].time == time;
    return just_changed && settings_.count_generations ? history_[i].generation + 1 : 0;
}

ContactKey ReferenceStep::unless_let_pass(const ContactKey& key) const {
    return let_pass_.contains(key) ? no_contact : key;
}

double ReferenceStep::straight_reach(std::size_t i) const {
    if (!only_bounce_) return never;
    const Motion& motion = particles_.motion[i];
    return particles_.attributes[i].radius + norm(motion.velocity) * (settings_.dt - motion.time);
}

bool ReferenceStep::may_touch(std::size_t i, std::size_t j, double reach_of_both) const {
    constexpr double more_than_rounding = 1 + 1e-6;
    const double reach = more_than_rounding * reach_of_both;
    const Vec3 r = minimum_image(particles_.motion[j].position - particles_.motion[i].position, images_);
    return !(dot(r, r) > reach * reach);
}

ContactKey ReferenceStep::predict_pair(std::size_t i, std::size_t j) const {
    if (id(i) > id(j)) std::swap(i, j);
    if (is_absent(i) || is_absent(j)) return no_contact;
    if (never_meet(particles_.attributes[i], particles_.attributes[j])) return no_contact;
    const bool have_just_met = were_latest_partners(i, j) && !are_tethered(i, j);
    const auto species = [this](std::size_t k) { return particles_.attributes[k].species; };
    const bool may_only_bounce = std::holds_alternative<Bounce>(rules_.pair(species(i), species(j)));
    if (have_just_met && !may_only_bounce) return no_contact;
    const double time = prospect_of_pair(i, j).time;
    if (!(time < settings_.dt)) return no_contact;
    // Products of a reaction at a distance meet later; an overlap since the reaction is no contact.
    if (have_just_met && time <= std::max(particles_.motion[i].time, particles_.motion[j].time))
        return no_contact;
    const std::uint64_t generation = std::max(next_generation(i, time), next_generation(j, time));
    return unless_let_pass({time, generation, id(i), id(j)});
}

ContactKey ReferenceStep::predict_wall(std::size_t i, int face) const {
    const ParticleId wall = first_obstacle_id + static_cast<ParticleId>(face);
    if (!box_.has_walls(face / 2) || is_absent(i)) return no_contact;
    if (is_fixed(particles_.attributes[i], face / 2)) return no_contact;
    const bool may_only_bounce = std::holds_alternative<Bounce>(rule_at(i, static_cast<BodyNumber>(face)));
    if (history_[i].latest_partner == wall && !may_only_bounce && !falls_) return no_contact;
    const double time = prospect_at_wall(i, face).time;
    if (!(time < settings_.dt)) return no_contact;
    return unless_let_pass({time, next_generation(i, time), id(i), wall});
}

Vec3 ReferenceStep::wrapped_into_box(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis)
        if (box_.is_periodic(axis)) take_into_box(x[axis], box_.size[axis]);
    return x;
}

/// Its prospect is what it was when the key was made: since then neither of the partners has changed.
Outcome ReferenceStep::outcome_of(const ContactKey& key, std::size_t i, std::size_t j,
                                  std::size_t surface) const {
    if (key.high < first_obstacle_id)
        return outcome_of_pair(scene(), prospect_of_pair(i, j), participant(i), participant(j));
    Touched at = touched(key, i, surface);
    const double at_contact = at.at_contact.value_or(particles_.attributes[i].radius);
    const bool reaches_into_it = at.depth ? *at.depth > 0 : at.distance < (1 - 1e-9) * at_contact;
    at.holds_what_bounces = rules_.change_matter() && key.generation >= held_generation && reaches_into_it &&
                            history_[i].latest_partner >= first_obstacle_id && !may_pass(i, at.body);
    at.stops_what_bounces = key.generation >= 2 * held_generation && !(at.least_parting > 0);
    const Prospect prospect = at.body < 6 ? prospect_at_wall(i, static_cast<int>(at.body))
                                          : prospect_at_body(i, surfaces_[surface]);
    return outcome_at_surface(scene(), prospect, participant(i), at);
}

/// The partners are as before.
void ReferenceStep::record(const ContactKey& key, std::size_t i, std::size_t j, std::size_t surface,
                           const Outcome& outcome) {
    const Attributes& before = particles_.attributes[i];
    Contact contact;
    contact.key = key;
    contact.normal = outcome.normal;
    contact.impulse = outcome.impulse;
    contact.speed = outcome.speed;
    contact.distance = outcome.distance;
    contact.effect = outcome.effect;
    contact.species_low = before.species;
    contact.product_low = outcome.low.attributes.species;
    if (key.high >= first_obstacle_id) {
        const Touched at = touched(key, i, surface);
        const bool is_shape_at_wall =
            at.body < first_body && shapes_.has_shapes() && shapes_.shape(before.species) != nullptr;
        const auto face = static_cast<int>(at.body);
        contact.point = wrapped_into_box(is_shape_at_wall ? at.point + middle_along_wall(i, face) : at.point);
        if (is_shape_at_wall && contact.distance > 0) contact.distance = reach_to_wall(i, face);
        if (at.depth && contact.distance > 0)
            contact.distance = dot(at.point - centre_in_space(i, key.time), at.normal);
        contact.species_high = contact.product_high = wall_species;
        contact.rule = rules_.body_rule_number(before.species, at.body);
        contact.body = static_cast<std::uint16_t>(at.body);
    } else {
        const bool has_shape = have_shape(scene(), before, particles_.attributes[j]);
        const Vec3 r = minimum_image(outcome.touching_to - outcome.touching_from, images_);
        const Vec3 point = has_shape
                               ? outcome.touching_from + shapes_.touching_point(r, outcome.normal, before,
                                                                                particles_.attributes[j])
                               : advanced(outcome.touching_from, outcome.normal, before.radius);
        contact.point = wrapped_into_box(falls_ ? point + shift_at(key.time) : point);
        contact.species_high = particles_.attributes[j].species;
        contact.product_high = outcome.high.attributes.species;
        contact.rule = rules_.pair_number(contact.species_low, contact.species_high);
    }
    result_.contacts.push_back(contact);
}

void ReferenceStep::remember_contacts_before() {
    if (!(rules_.collapse_duration() > 0)) return;
    particles_.track.keep_latest_contacts();
    for (std::size_t i = 0; i < size(); ++i) history_[i].touched_at = particles_.track.latest_contacts()[i];
}

/// Before any are removed: as the next part, or the next step, counts time.
void ReferenceStep::keep_times_of_contacts() {
    if (!(rules_.collapse_duration() > 0)) return;
    for (std::size_t i = 0; i < size(); ++i) {
        double& kept = particles_.track.latest_contacts()[i];
        kept = history_[i].touched_at;
        if (settings_.is_last_part) kept -= settings_.dt;
    }
}

void ReferenceStep::change(std::size_t i, const Participant& after) {
    particles_.motion[i] = after.motion;
    if (has_tethers_) particles_.track.tethers()[i] = after.tethers;
    if (!(particles_.attributes[i] == after.attributes)) particles_.attributes.set(i, after.attributes);
}

/// Includes the paths of the two particles that reach farthest if nothing happens, each with the largest reach of
/// reactions.
void ReferenceStep::include_straight_paths() {
    largest_reach_ = rules_.largest_reach_of_products();
    for (const Attributes& a : particles_.attributes)
        largest_reach_ = std::max(largest_reach_, rules_.reach(a));
    Vec3 across_walls;
    for (int axis = 0; axis < 3; ++axis)
        if (box_.has_walls(axis)) across_walls[axis] = settings_.gravity[axis];
    double overshoot = 0;
    for (const WallMotion& wall : settings_.walls) {
        const double omega = 2 * fixed::pi * wall.frequency;
        overshoot = std::max(overshoot,
                             0.125 * wall.amplitude * (omega * omega) * (settings_.whole * settings_.whole));
    }
    largest_reach_ += 0.125 * (settings_.whole * settings_.whole) * norm(across_walls) + overshoot;
    double second = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec3 v = particles_.motion[i].velocity;
        const double speed = std::sqrt(std::fma(v.z, v.z, std::fma(v.y, v.y, v.x * v.x)));
        const double extent = speed * (settings_.dt - settings_.begin) + particles_.attributes[i].radius;
        second = std::max(second, std::min(largest_extent_, extent));
        largest_extent_ = std::max(largest_extent_, extent);
    }
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (box_.is_periodic(axis) &&
            !(0.5 * box_.size[axis] > largest_extent_ + second + 2 * largest_reach_))
            result_.is_too_long = true;
    largest_extent_ += largest_reach_;
}

/// Includes the path of a particle that has just had a contact, beside that of any other.
void ReferenceStep::include_path(std::size_t i) {
    const Motion& motion = particles_.motion[i];
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double path = (settings_.dt - motion.time) * motion.velocity[axis];
        const double extent = particles_.attributes[i].radius + largest_reach_ + std::abs(path);
        if (box_.is_periodic(axis) && !(0.5 * box_.size[axis] > extent + std::max(extent, largest_extent_)))
            result_.is_too_long = true;
    }
}

void ReferenceStep::count(std::size_t i, const ContactKey& key, ParticleId other, bool is_changed) {
    if (!is_absent(i)) include_path(i);
    history_[i].generation = key.generation;
    history_[i].latest_partner = other;
    history_[i].touched_at = key.time;
    history_[i].membrane.reset();
    const bool reaches_cap = ++history_[i].num_contacts >= settings_.contact_cap;
    const ParticleId outgrown = is_changed && !is_absent(i) ? outgrown_by(i) : 0;
    if (outgrown != 0 && !result_.exhausted) result_.exhausted = CapReached{id(i), other, key.time, outgrown};
    if (reaches_cap && !result_.exhausted) result_.exhausted = CapReached{id(i), other, key.time};
}

void ReferenceStep::process(const ContactKey& key, std::size_t i, std::size_t j, std::size_t surface) {
    const bool with_wall = key.high >= first_obstacle_id;
    Outcome outcome = outcome_of(key, i, j, surface);
    if (rules_.change_matter() && key.generation >= wedged_generation &&
        outcome.effect == ContactEffect::bounce && outcome.overlaps_deeply &&
        (with_wall ? !outcome.is_caught : !are_tethered(i, j))) {
        outcome.effect = ContactEffect::let_pass;
        outcome.impulse = 0;
        let_pass_.insert(key);
        return record(key, i, j, surface, outcome);
    }
    record(key, i, j, surface, outcome);
    if (outcome.effect == ContactEffect::pass && !with_wall) {
        let_pass_.insert(key);
        return;
    }
    const bool is_at_membrane =
        with_wall && key.high >= first_obstacle_id + 6 && may_pass(i, surfaces_[surface].body);
    const double touched_before = history_[i].touched_at;
    const auto is_to_change = [&](std::size_t k, const Participant& after) {
        return !(particles_.attributes[k] == after.attributes);
    };
    const bool low_changes = is_to_change(i, outcome.low);
    const bool high_changes = !with_wall && is_to_change(j, outcome.high);
    change(i, outcome.low);
    if (!with_wall) change(j, outcome.high);
    if (!with_wall && rules_.remember_absorbed()) remember_absorbed(i, j);
    count(i, key, key.high, low_changes);
    if (is_at_membrane) history_[i].membrane = surfaces_[surface].body;
    history_[i].has_passed = outcome.effect == ContactEffect::pass;
    if (history_[i].has_passed) history_[i].touched_at = touched_before;
    if (!with_wall) count(j, key, key.low, high_changes);
}

/// After a contact of the two: if one has ended, the other remembers it.
void ReferenceStep::remember_absorbed(std::size_t i, std::size_t j) {
    if (is_absent(i) && !is_absent(j)) particles_.track.set_absorbed(j, id(i));
    if (is_absent(j) && !is_absent(i)) particles_.track.set_absorbed(i, id(j));
}

/// In the order of those that go on.
void ReferenceStep::remove_absent() {
    std::size_t num_kept = 0;
    for (std::size_t i = 0; i < size(); ++i)
        if (!is_absent(i)) particles_.move_within(i, num_kept++);
    particles_.resize(num_kept);
}

StepResult ReferenceStep::finish() {
    keep_times_of_contacts();
    remove_absent();
    if (is_exhausted()) return std::move(result_);
    for (std::size_t i = 0; i < size(); ++i) {
        Motion& motion = particles_.motion[i];
        motion.position = advanced(motion.position, motion.velocity, settings_.dt - motion.time);
        motion.time = 0;
        TrackList::Image images = particles_.track.image(i);
        for (int axis = 0; axis < 3; ++axis)
            if (box_.is_periodic(axis))
                images[static_cast<std::size_t>(axis)] +=
                    take_into_box(motion.position[axis], box_.size[axis]);
        particles_.track.set_image(i, images);
    }
    return std::move(result_);
}

}  // namespace ricochet::test
