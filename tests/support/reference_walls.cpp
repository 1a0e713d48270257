// SPDX-License-Identifier: BSD-3-Clause
//
// What comes of a contact with a wall or body (reference_rules.hpp).
#include <cmath>
#include <stdexcept>
#include <variant>

#include "core/math.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_changes.hpp"
#include "tests/support/reference_rules.hpp"
#include "tests/support/reference_tethers.hpp"

namespace ricochet::test {

namespace {

/// Along an axis the other components stay as they are. Otherwise what rounding leaves of the approach is taken off.
Vec3 turned_back(Vec3 v, Vec3 n, double restitution) {
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] != 1 && n[axis] != -1) continue;
        v[axis] = -restitution * v[axis];
        return v;
    }
    const Vec3 after = advanced(v, n, -((1 + restitution) * dot(v, n)));
    const bool still_approaches = dot(after, n) > 0;
    return still_approaches ? advanced(after, n, -std::ldexp(sum_of_magnitudes(v), -50)) : after;
}

/// Inside, a path that would leave the surface at a very small angle leaves it at a small one, equally fast.
Vec3 steepened(Vec3 v, Vec3 n) {
    constexpr double sine = 1.0 / 4096;
    const double outwards = dot(v, n), square = dot(v, v);
    const double inwards = sine * std::sqrt(square);
    const Vec3 tangent = advanced(v, n, -outwards);
    const double square_of_tangent = dot(tangent, tangent);
    if (!(outwards > -inwards && square_of_tangent > 0.5 * square)) return v;
    const double stretch = std::sqrt((1 - sine * sine) * square / square_of_tangent);
    const Vec3 long_tangent{stretch * tangent.x, stretch * tangent.y, stretch * tangent.z};
    const Vec3 difference = advanced(long_tangent, n, -inwards) - v;
    return advanced(v, difference, 1);
}

/// Off a surface that moves.
void rebound_from_moving(Outcome& outcome, const Touched& surface, double restitution) {
    Vec3& v = outcome.low.motion.velocity;
    const double away = std::max(surface.least_parting, restitution * outcome.speed);
    double lost = outcome.speed + away;
    v = advanced(v, surface.normal, -lost);
    if (surface.is_curved_inwards) {
        const Vec3 seen = v - surface.velocity, steep = steepened(seen, surface.normal);
        if (!(steep == seen)) {
            v = steep + surface.velocity;
            lost = outcome.speed - dot(steep, surface.normal);
        }
    }
    outcome.impulse = outcome.low.attributes.mass * lost;
}

void rebound(Outcome& outcome, const Touched& surface, double restitution) {
    if (surface.least_parting > 0) return rebound_from_moving(outcome, surface, restitution);
    Vec3& v = outcome.low.motion.velocity;
    const double mass = outcome.low.attributes.mass;
    if (surface.is_curved_inwards) {
        v = steepened(turned_back(v, surface.normal, restitution), surface.normal);
        outcome.impulse = mass * (outcome.speed - dot(v, surface.normal));
        return;
    }
    v = turned_back(v, surface.normal, restitution);
    outcome.impulse = mass * (1 + restitution) * outcome.speed;
}

/// The same at a surface.
double kept_at_surface(const RestitutionLaw& law, const ContactScene& scene, const Prospect& prospect,
                       const Outcome& outcome) {
    const double pause = prospect.time - outcome.low.touched_at;
    return pause < scene.rules.collapse_duration() ? 1 : kept_of(outcome.speed, law);
}

void happen_at(const Touched& surface, const React& rule, const ContactScene& scene, const Prospect& prospect,
               Outcome& outcome) {
    if (!reacts(rule.probability, scene, prospect.reacts, outcome.low, surface.id, 0))
        return rebound(outcome, surface, kept_at_surface(rule.restitution, scene, prospect, outcome));
    outcome.effect = ContactEffect::react;
    const Participant before = outcome.low;
    if (rule.products[0] == absent_species)
        outcome.impulse = outcome.low.attributes.mass * outcome.speed;
    else if (outcome.speed > 0 && !prospect.is_miss)
        rebound(outcome, surface, 1);
    const Liberation by{scene.rules, word_of(scene, Stream::release, before, surface.id, 0), scene.step,
                        before.motion.id};
    const auto stopping = replace(outcome.low, before, rule.products[0], outcome.normal, by);
    if (stopping) outcome.impulse = 0 - *stopping;
}

/// Its centre goes through, or it bounces.
void happen_at(const Touched& surface, const Pass& rule, const ContactScene& scene, const Prospect& prospect,
               Outcome& outcome) {
    const Vec3 before = outcome.low.motion.velocity;
    outcome.distance = 0;
    outcome.overlaps_deeply = true;
    const bool passes = prospect.reacts ? *prospect.reacts
                                        : rule.probability >= 1 ||
                                              chance_of(scene, outcome.low, surface.id, 0) < rule.probability;
    if (!passes) return rebound(outcome, surface, 1);
    outcome.effect = ContactEffect::pass;
    if (prospect.is_miss)
        outcome.low.motion.velocity = advanced(before, prospect.shift, 1 / (scene.end - prospect.time));
}

/// How far a plane normal vector of two numbers of variance 1 is from 0.
double length_in_plane(std::uint64_t word) {
    const double between_0_and_1 = std::ldexp(static_cast<double>(word / 4096) + 0.5, -52);
    return std::sqrt(-2 * fixed::log(between_0_and_1));
}

/// Normals are along an axis, or the particle moves along all.
void happen_at(const Touched& surface, const Thermal& rule, const ContactScene& scene, Outcome& outcome) {
    Participant& particle = outcome.low;
    const ParticleId id = particle.motion.id;
    const std::uint64_t seed = word_of(scene, Stream::thermal, particle, surface.id, 0);
    const auto words = [&](unsigned block) {
        return random_words({.seed = seed, .stream = Stream::thermal, .step = scene.step}, id, block);
    };
    const double mass = particle.attributes.mass, typical = std::sqrt(rule.energy / mass);
    Vec3 drawn, moved = surface.velocity;
    for (int axis = 0; axis < 3; ++axis) {
        if (is_fixed(particle.attributes, axis)) moved[axis] = 0;
        if (is_fixed(particle.attributes, axis) || axis >= scene.box.dimension) continue;
        const RandomWords pair = words(static_cast<unsigned>(axis) + 1);
        drawn[axis] = length_in_plane(pair[0]) * fixed::sincos_2pi(uniform_from(pair[1])).cos;
    }
    const Vec3 n = surface.normal;
    const Vec3 in_plane = advanced(drawn, n, -dot(drawn, n));
    const double away = std::max(typical * length_in_plane(words(0)[0]), surface.least_parting);
    const Vec3 scaled{typical * in_plane.x, typical * in_plane.y, typical * in_plane.z};
    const Vec3 before = particle.motion.velocity;
    particle.motion.velocity = advanced(scaled, n, -away) + moved;
    outcome.impulse = mass * dot(before - particle.motion.velocity, n) + 0.0;
}

}  // namespace

Touched touched_wall(const Box& box, int face, Vec3 place) {
    const int axis = face / 2;
    const bool is_high_side = face % 2 == 1;
    Touched wall{.id = first_obstacle_id + static_cast<ParticleId>(face),
                 .body = static_cast<BodyNumber>(face),
                 .point = place};
    wall.normal[axis] = is_high_side ? 1 : -1;
    wall.point[axis] = is_high_side ? box.size[axis] : 0;
    wall.distance = is_high_side ? box.size[axis] - place[axis] : place[axis];
    return wall;
}

Outcome outcome_at_surface(const ContactScene& scene, const Prospect& prospect, const Participant& particle,
                           const Touched& surface) {
    Outcome outcome;
    outcome.low = particle;
    fly_to(outcome.low.motion, prospect.time);
    outcome.touching_from = outcome.low.motion.position;
    outcome.normal = surface.normal;
    outcome.distance = particle.attributes.radius;
    outcome.speed = dot(particle.motion.velocity - surface.velocity, surface.normal) + 0.0;
    outcome.overlaps_deeply =
        surface.distance < deep * surface.at_contact.value_or(particle.attributes.radius);
    const ContactRule rule = rule_at_wall(scene.rules, particle, static_cast<int>(surface.body));
    if (const React* const reaction = std::get_if<React>(&rule))
        happen_at(surface, *reaction, scene, prospect, outcome);
    else if (const Bounce* const elastic = std::get_if<Bounce>(&rule))
        rebound(outcome, surface, kept_at_surface(elastic->restitution, scene, prospect, outcome));
    else if (const Pass* const pass = std::get_if<Pass>(&rule))
        happen_at(surface, *pass, scene, prospect, outcome);
    else if (const Thermal* const thermal = std::get_if<Thermal>(&rule))
        happen_at(surface, *thermal, scene, outcome);
    else
        throw std::logic_error("walls and bodies bounce, react, let pass or have a temperature");
    if (surface.holds_what_bounces && outcome.effect == ContactEffect::bounce) {
        outcome.is_caught = true;
        outcome.low.motion.velocity = particle.motion.velocity;
        rebound(outcome, surface, 0);
        if (surface.stops_what_bounces) outcome.low.motion.velocity = {};
    }
    return outcome;
}

}  // namespace ricochet::test
