// SPDX-License-Identifier: BSD-3-Clause
//
// Walls and bodies in a step of the reference: as what falls sees them, when a particle touches one, and how the
// surface moves there.
#include <algorithm>
#include <cmath>
#include <variant>

#include "core/math.hpp"
#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_rates.hpp"
#include "tests/support/reference_step.hpp"

namespace ricochet::test {

Vec3 ReferenceStep::shift_at(double time) const {
    const double half = 0.5 * (time * (time - settings_.whole));
    return {half * settings_.gravity.x, half * settings_.gravity.y, half * settings_.gravity.z};
}

Vec3 ReferenceStep::drift_at(double time) const {
    const double from_middle = time - 0.5 * settings_.whole;
    return {from_middle * settings_.gravity.x, from_middle * settings_.gravity.y,
            from_middle * settings_.gravity.z};
}

Motion ReferenceStep::in_space(const Motion& motion) const {
    Motion seen = motion;
    if (!falls_) return seen;
    seen.position = motion.position + shift_at(motion.time);
    seen.velocity = motion.velocity + drift_at(motion.time);
    return seen;
}

/// Walls swing as amplitude (1 + sin), and fly inwards.
std::array<MovedWall, 6> ReferenceStep::walls_in_step(const StepSettings& settings) {
    std::array<MovedWall, 6> walls;
    for (std::size_t face = 0; face < 6; ++face) {
        const WallMotion& of = settings.walls[face];
        if (of.velocity == 0 && of.amplitude == 0) continue;
        for (MovedWall& wall : walls) wall.is_used = true;
        const double turn = of.frequency * settings.whole;
        const auto sine = [&](double number) {
            const double turns = number * turn;
            const double lost = std::fma(number, turn, -turns);
            return fixed::sincos_2pi((turns - std::floor(turns)) + lost + of.phase).sin;
        };
        const auto depth = [&](double number) {
            const double flown = of.velocity * (number * settings.whole);
            return of.amplitude == 0 ? flown : of.amplitude * (1 + sine(number)) + flown;
        };
        const double omega = 2 * fixed::pi * of.frequency, most = of.amplitude * (omega * omega);
        const auto now = static_cast<double>(settings.step), next = static_cast<double>(settings.step + 1);
        const double inwards = face % 2 == 1 ? -1 : 1;
        walls[face].from = inwards * depth(now);
        walls[face].velocity = inwards * ((depth(next) - depth(now)) / settings.whole);
        walls[face].acceleration = inwards * (0.5 * (-most * sine(now) + -most * sine(next)));
        walls[face].whole = settings.whole;
    }
    return walls;
}

/// One that reacts for certain does so once while it overlaps: after that the approach decides.
double ReferenceStep::falling_time_at_wall(std::size_t i, int face) const {
    Motion motion = in_space(particles_.motion[i]);
    const int axis = face / 2;
    const double sign = face % 2 == 1 ? -1 : 1;
    double acceleration = settings_.gravity[axis];
    if (is_moved(face)) {
        const MovedWall& wall = walls_[static_cast<std::size_t>(face)];
        motion.position[axis] -= wall.at(motion.time);
        motion.velocity[axis] -= wall.velocity_at(motion.time);
        acceleration -= wall.acceleration;
    }
    const double x = motion.position[axis];
    const double distance = sign < 0 ? box_.size[axis] - x : x, radius = reach_to_wall(i, face);
    const double height = distance - radius;
    const bool reacts_at_once =
        at_overlap(rule_at(i, static_cast<BodyNumber>(face))) == AtOverlap::always &&
        history_[i].latest_partner != first_obstacle_id + static_cast<ParticleId>(face);
    if (reacts_at_once && height <= 0) return motion.time;
    const double time =
        motion.time + time_to_fall(height, sign * motion.velocity[axis], sign * acceleration,
                                   is_sunken(distance, radius) ? Ground::above_it : Ground::under_it);
    return at_once_if_so_near(i, -sign * motion.velocity[axis], time);
}

/// What has just touched something, and needs no longer than rounding may make it to touch this, touches it now.
double ReferenceStep::at_once_if_so_near(std::size_t i, double approach, double time) const {
    const double now = particles_.motion[i].time;
    const bool has_just_touched =
        rules_.change_matter() && history_[i].num_contacts > 0 && settings_.count_generations;
    const double rounding = 1e-14 * std::max({box_.size.x, box_.size.y, box_.size.z});
    const bool is_so_near = time > now && time < never && approach > 0 && approach * (time - now) <= rounding;
    return has_just_touched && is_so_near ? now : time;
}

double ReferenceStep::reach_to_wall(std::size_t i, int face) const {
    const Attributes& attributes = particles_.attributes[i];
    if (!shapes_.has_shapes() || shapes_.shape(attributes.species) == nullptr) return attributes.radius;
    double reach = 0;
    for (const Vec3 corner : shapes_.shape(attributes.species)->corners)
        reach = std::max(reach, face % 2 == 1 ? corner[face / 2] : -corner[face / 2]);
    return reach;
}

/// Of the corners that touch a wall, from the foot of the centre.
Vec3 ReferenceStep::middle_along_wall(std::size_t i, int face) const {
    const std::vector<Vec3>& corners = shapes_.shape(particles_.attributes[i].species)->corners;
    Vec3 sum;
    double count = 0, farthest = 0;
    for (const Vec3 corner : corners) farthest = std::max(farthest, norm(corner));
    for (const Vec3 corner : corners) {
        const double outwards = face % 2 == 1 ? corner[face / 2] : -corner[face / 2];
        if (outwards < reach_to_wall(i, face) - 1e-9 * farthest) continue;
        sum = sum + corner;
        count += 1;
    }
    Vec3 middle = (1 / count) * sum;
    middle[face / 2] = 0;
    return middle;
}

double ReferenceStep::time_at_wall(std::size_t i, int face) const {
    if (falls_ || is_moved(face)) return falling_time_at_wall(i, face);
    const Motion& motion = particles_.motion[i];
    const int axis = face / 2;
    const bool is_high_side = face % 2 == 1;
    const double x = motion.position[axis], v = motion.velocity[axis];
    const double approach = is_high_side ? v : -v;
    const double gap = (is_high_side ? box_.size[axis] - x : x) - reach_to_wall(i, face);
    if (gap <= 0 && at_overlap(rule_at(i, static_cast<BodyNumber>(face))) == AtOverlap::always)
        return motion.time;
    if (!(approach > 0)) return never;
    return at_once_if_so_near(i, approach, gap <= 0 ? motion.time : motion.time + gap / approach);
}

/// `motion`: in space.
double ReferenceStep::flight_time_to(const BodySurface& surface, const Motion& motion, double radius) const {
    if (falls_) return time_at_surface(surface, motion, settings_.gravity, settings_.whole, radius);
    return time_at_surface(surface, motion, radius);
}

namespace {

/// Which of the bodies, or of their patches, has this point of a surface.
BodyNumber part_with(const Box& box, const std::vector<Body>& bodies, const BodySurface& surface,
                     Vec3 point) {
    std::size_t number = 6 + bodies.size();
    for (std::size_t k = 0; k < bodies.size(); ++k)
        for (const BodyPatch& patch : bodies[k].patches) {
            Vec3 r = (point - surface.shift) - patch.centre;
            for (int axis = 0; axis < 3; ++axis)
                if (box.is_periodic(axis)) r[axis] = std::remainder(r[axis], box.size[axis]);
            if (surface.body == 6 + k && dot(r, r) <= patch.radius * patch.radius)
                return static_cast<BodyNumber>(number);
            ++number;
        }
    return surface.body;
}

}  // namespace

/// Which part of a body it touches at this time. What may pass the body does not know its patches.
BodyNumber ReferenceStep::part_at(std::size_t i, const BodySurface& surface, double time) const {
    if (may_pass(i, surface.body)) return surface.body;
    if (is_shape_at(i, surface))
        return part_with(box_, settings_.bodies, surface, touched_by_shape(i, surface, time).point);
    const Motion motion = taken_into_box(box_, particles_.motion[i]);
    const Vec3 place = advanced(motion.position, motion.velocity, time - motion.time);
    return part_with(box_, settings_.bodies, surface,
                     point_at(surface, falls_ ? place + shift_at(time) : place));
}

/// That where it touches the surface next, or would react.
BodyNumber ReferenceStep::part_met(std::size_t i, const BodySurface& surface) const {
    const Motion motion = in_space(taken_into_box(box_, particles_.motion[i]));
    const double radius = particles_.attributes[i].radius, distance = distance_from(surface, motion.position);
    const bool is_shape = is_shape_at(i, surface);
    const double gap = is_shape ? gap_of_shape(i, surface, motion.position).distance : distance - radius;
    if (gap <= 0 && history_[i].latest_partner != surface.id) {
        const BodyNumber here = part_at(i, surface, motion.time);
        if (at_overlap(rule_at(i, here)) == AtOverlap::always) return here;
    }
    const double chord = is_shape ? touch_of_shape(i, surface).time : flight_time_to(surface, motion, radius);
    if (chord < settings_.dt) return part_at(i, surface, chord);
    if (!rules_.have_rates() || std::isinf(distance)) return surface.body;
    Participant particle = participant(i);
    particle.motion = motion;
    return part_at(i, surface, time_of_miss_at_body(scene(), particle, surface));
}

/// One that reacts for certain does so once while it overlaps: after that the approach decides.
double ReferenceStep::time_at_body(std::size_t i, const BodySurface& surface) const {
    const Motion motion = in_space(taken_into_box(box_, particles_.motion[i]));
    const double radius = particles_.attributes[i].radius;
    const bool reacts_at_once = at_overlap(rule_at(i, part_met(i, surface))) == AtOverlap::always &&
                                history_[i].latest_partner != surface.id;
    if (is_shape_at(i, surface)) {
        if (reacts_at_once && gap_of_shape(i, surface, motion.position).distance <= 0) return motion.time;
        const double time = touch_of_shape(i, surface).time;
        return at_once_if_so_near(i, dot(motion.velocity, touched_by_shape(i, surface, motion.time).normal),
                                  time);
    }
    if (reacts_at_once && distance_from(surface, motion.position) - radius <= 0) return motion.time;
    const double time = flight_time_to(surface, motion, radius);
    return at_once_if_so_near(i, dot(motion.velocity, normal_at(surface, motion.position)), time);
}

ParticleId ReferenceStep::outgrown_by(std::size_t i) const {
    const Attributes& attributes = particles_.attributes[i];
    if (never_meet(attributes, attributes)) return 0;
    const Vec3 centre = in_space(taken_into_box(box_, particles_.motion[i])).position;
    using Surf = BodySurface::Kind;
    for (const BodySurface& surface : surfaces_) {
        const bool is_round =
            surface.kind != Surf::flat && surface.kind != Surf::crate && surface.from_inside;
        if (!is_round || attributes.radius < surface.distance || may_pass(i, surface.body)) continue;
        if (surface.kind == Surf::cap || distance_from_whole(surface, centre) > 0) return surface.id;
    }
    return 0;
}

bool ReferenceStep::is_stopped(std::size_t i, BodyNumber body) const {
    if (!may_pass(i, body)) return true;
    const auto rate = rules_.body_rate(particles_.attributes[i].species, body);
    return rate && *rate < never;
}

/// The two ends of the line, a 2^20th of it each, do not count: a centre may be in a surface.
bool ReferenceStep::is_body_between(std::size_t low, std::size_t high, double time) const {
    const auto centre_of = [&](std::size_t k) {
        const Motion& motion = particles_.motion[k];
        const Vec3 place = advanced(motion.position, motion.velocity, time - motion.time);
        return falls_ ? place + shift_at(time) : place;
    };
    const double left_out = std::ldexp(1.0, -20);
    Motion line = particles_.motion[low];
    line.time = 0;
    line.velocity = minimum_image(centre_of(high) - centre_of(low), images_);
    line.position = centre_of(low);
    line = taken_into_box(box_, line);
    line.position = advanced(line.position, line.velocity, left_out);
    for (const BodySurface& surface : surfaces_)
        if (is_stopped(low, surface.body) && is_stopped(high, surface.body) &&
            time_at_surface(surface, line, 0) < 1 - 2 * left_out)
            return true;
    return false;
}

/// Its centre counts. One that has just been there comes back only if it flies into what is round, through whose
/// surface it has not passed at a rate.
double ReferenceStep::time_at_membrane(std::size_t i, const BodySurface& surface) const {
    const Motion motion = taken_into_box(box_, particles_.motion[i]);
    const ContactHistory& history = history_[i];
    if (history.membrane != surface.body) return time_at_surface(surface, motion, 0);
    const bool is_inner_side = surface.has_two_sides && surface.from_inside;
    const bool has_rate = rules_.body_rate(particles_.attributes[i].species, surface.body).has_value();
    if (!is_inner_side || (has_rate && history.has_passed)) return never;
    const bool is_elsewhere =
        distance_from_whole(surface, motion.position) <= -std::ldexp(width_of(surface), -30);
    if (is_elsewhere || !(dot(motion.velocity, way_to_whole(surface, motion.position)) < 0)) return never;
    BodySurface from_inside = surface;
    from_inside.has_two_sides = false;
    return time_at_surface(from_inside, motion, 0);
}

Prospect ReferenceStep::prospect_at_membrane(std::size_t i, const BodySurface& surface) const {
    const double chord = never_after_the_end(time_at_membrane(i, surface));
    const auto rate = rules_.body_rate(particles_.attributes[i].species, surface.body);
    if (!rate) return {chord};
    if (history_[i].membrane == surface.body) return {chord, *rate == never};
    Participant particle = participant(i);
    particle.motion = taken_into_box(box_, particle.motion);
    if (chord == never && std::isinf(distance_from(surface, particle.motion.position))) return {never};
    return rated_prospect_of_passing(scene(), *rate, chord, particle, surface);
}

/// At a rate it also reacts where its straight path misses. That is decided once: when it comes back, it bounces.
Prospect ReferenceStep::prospect_at_body(std::size_t i, const BodySurface& surface) const {
    if (may_pass(i, surface.body)) return prospect_at_membrane(i, surface);
    const double chord = never_after_the_end(time_at_body(i, surface));
    const BodyNumber part = part_met(i, surface);
    const bool only_bounces = std::holds_alternative<Bounce>(rule_at(i, part));
    const auto rate = rules_.body_rate(particles_.attributes[i].species, part);
    if (only_bounces || !rate) return {chord};
    if (history_[i].latest_partner == surface.id) return {chord, *rate == never};
    Participant particle = participant(i);
    particle.motion = taken_into_box(box_, particle.motion);
    if (chord == never && std::isinf(distance_from(surface, particle.motion.position))) return {never};
    return rated_prospect_at_body(scene(), *rate, chord, particle, surface);
}

ContactKey ReferenceStep::predict_body(std::size_t i, const BodySurface& surface) const {
    if (is_absent(i) || particles_.attributes[i].frozen_axes == all_axes) return no_contact;
    const double time = prospect_at_body(i, surface).time;
    if (!(time < settings_.dt)) return no_contact;
    return unless_let_pass({time, next_generation(i, time), id(i), surface.id});
}

ReferenceStep::AtObstacle ReferenceStep::predict_obstacles(std::size_t i) const {
    AtObstacle earliest;
    for (int face = 0; face < 6; ++face) earliest.key = std::min(earliest.key, predict_wall(i, face));
    for (std::size_t k = 0; k < surfaces_.size(); ++k) {
        const ContactKey key = predict_body(i, surfaces_[k]);
        if (key < earliest.key) earliest = {key, k};
    }
    return earliest;
}

Touched ReferenceStep::touched(const ContactKey& key, std::size_t i, std::size_t surface) const {
    const ParticleId number = key.high - first_obstacle_id;
    const auto place_of = [&](const Motion& motion) {
        const Vec3 place = advanced(motion.position, motion.velocity, key.time - motion.time);
        return falls_ ? place + shift_at(key.time) : place;
    };
    if (number < 6) {
        const int face = static_cast<int>(number);
        const MovedWall& wall = walls_[number];
        Vec3 place = place_of(particles_.motion[i]);
        if (is_moved(face)) place[face / 2] -= wall.at(key.time);
        Touched at = touched_wall(box_, face, place);
        at.at_contact = reach_to_wall(i, face);
        if (is_moved(face)) at.point[face / 2] += wall.at(key.time);
        return made_to_move(at, i, key.time);
    }
    const BodySurface& of = surfaces_[surface];
    if (is_shape_at(i, of)) {
        Touched at = touched_by_shape(i, of, key.time);
        at.body = part_at(i, of, key.time);
        return made_to_move(at, i, key.time);
    }
    const Vec3 place = place_of(taken_into_box(box_, particles_.motion[i]));
    using Surf = BodySurface::Kind;
    const bool is_flat = of.kind == Surf::flat || of.kind == Surf::crate;
    return made_to_move({of.id, part_at(i, of, key.time), normal_at(of, place), point_at(of, place),
                         distance_of_what_touches(of, place), of.from_inside && !is_flat},
                        i, key.time);
}

/// What rests in space moves in the frame. Nothing parts from it more slowly than a few of the smallest steps of time
/// can tell, or than it needs to rise to its surface.
Touched ReferenceStep::made_to_move(Touched at, std::size_t i, double time) const {
    const int face = static_cast<int>(at.body);
    if (!falls_ && !is_moved(face)) return at;
    at.velocity = Vec3{} - drift_at(time);
    const Vec3 v = particles_.motion[i].velocity;
    double speeds[3];
    for (int axis = 0; axis < 3; ++axis)
        speeds[axis] = std::abs(v[axis]) + settings_.whole * std::abs(settings_.gravity[axis]);
    double sum = speeds[0] + speeds[1] + speeds[2];
    Vec3 seen_gravity = settings_.gravity;
    if (is_moved(face)) {
        const MovedWall& wall = walls_[at.body];
        at.velocity[face / 2] += wall.velocity_at(time);
        seen_gravity[face / 2] -= wall.acceleration;
        sum += std::abs(wall.velocity) + settings_.whole * std::abs(wall.acceleration);
    }
    at.least_parting = std::ldexp(sum, -46);
    const double radius = at.at_contact.value_or(particles_.attributes[i].radius),
                 towards = dot(seen_gravity, at.normal);
    const double approach = dot(v - at.velocity, at.normal);
    const double from_rounding = towards * (2 * (1e-14 * std::max({box_.size.x, box_.size.y, box_.size.z})));
    const bool rests = towards > 0 && (approach <= at.least_parting || approach * approach <= from_rounding);
    const bool may_hop = rules_.collapse_duration() > 0 || !rules_.may_collapse();
    if (rests && may_hop)
        at.least_parting = std::max(at.least_parting, std::ldexp(towards * settings_.whole, -6));
    const double depth = at.depth ? *at.depth : is_sunken(at.distance, radius) ? radius - at.distance : 0;
    if (towards > 0 && depth > 0 && !may_pass(i, at.body))
        at.least_parting = std::max(at.least_parting, std::sqrt(2.25 * (towards * depth)));
    return at;
}

}  // namespace ricochet::test
