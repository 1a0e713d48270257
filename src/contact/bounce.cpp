// SPDX-License-Identifier: BSD-3-Clause
//
// Smooth hard spheres with restitution e, which may depend on |v_n| (model/restitution.hpp). With the unit normal n
// from the lower to the higher id and v_n = (v_hi - v_lo).n < 0,
//     v_hi -= (1 + e) v_n m_lo / (m_lo + m_hi) n,     v_lo += (1 + e) v_n m_hi / (m_lo + m_hi) n.
//
// The mass ratios are formed first. So equal masses give exactly 1/2, and a row of equal spheres passes its
// velocity on without a rounding error. The normal is taken through a square root and a division, which makes
// contacts along an axis exact.
//
// Off a surface that moves (MovingSurface) v_n is relative to it.
//
// A pair that falls and reaches into each other parts with 9/8 of the energy that lifts the upper one out, at least.
// Else a lower one that rests on the ground would strike the ground and the upper one in turn, ever faster.
//
// Particles that do not move along some axes are in frozen_axes.hpp. None of those that grow does so.
//
// Spheres that grow bounce elastically off surfaces that move: v_n is then the velocity less the rate at which the
// contact distance grows. What is approach and what is not, geometry/contact_time.hpp says in the same way.
//
// Invariant: no contact leaves its pair approaching. Where rounding would, the pair is pushed apart at the
// level of rounding. Otherwise it would collide at the same instant for ever (touching clusters; restitution
// 0). Likewise no tether leaves its pair parting, or along its end: such a pair would circle there, held at ever
// shorter intervals.
#include <algorithm>
#include <cmath>

#include "contact/frozen_axes.hpp"
#include "model/restitution.hpp"

namespace ricochet {

namespace {

double sum_of_magnitudes(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Separates a pair that still approaches after its response by the rule that predicts contacts (r.u < 0).
/// That happens without rebound (e = 0), and where the approach was as slow as the rounding of the
/// velocities. Such a pair would collide for ever at this instant; it parts at eight units of rounding
/// instead.
[[gnu::always_inline]] inline void push_apart(Vec3& velocity_low, Vec3& velocity_high, Vec3 n,
                                              double share_low, double share_high) {
    const double push = 0x1p-50 * (sum_of_magnitudes(velocity_low) + sum_of_magnitudes(velocity_high));
    velocity_high = advanced(velocity_high, n, push * share_high);
    velocity_low = advanced(velocity_low, n, -(push * share_low));
}

/// Partners whose tether turns them back at a smaller sine to its end fly inwards at this one.
constexpr double least_sine = 0x1p-12;

/// Turns the relative velocity of a held pair inwards if it is nearly along the end of the tether. It stays in its
/// plane with the normal, momentum and energy stay too. Returns by how much its outward component fell.
double turn_inwards(Vec3& velocity_low, Vec3& velocity_high, Vec3 n, double share_low, double share_high) {
    const Vec3 u = velocity_high - velocity_low;
    const double outward = dot(u, n), square = dot(u, u);
    const double inward = least_sine * std::sqrt(square);
    const Vec3 along = advanced(u, n, -outward);
    const double square_along = dot(along, along);
    if (!(outward > -inward && square_along > 0.5 * square)) return 0;
    const double stretch = std::sqrt((1 - least_sine * least_sine) * square / square_along);
    const Vec3 change = advanced(stretch * along, n, -inward) - u;
    velocity_high = advanced(velocity_high, change, share_high);
    velocity_low = advanced(velocity_low, change, -share_low);
    return outward + inward;
}

bool is_along_axis(Vec3 n) { return std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) == 1; }

/// The velocity after a rebound from a fixed surface with normal n. Along an axis nothing is rounded but the
/// product with the restitution, and the other components stay as they are.
Vec3 rebound(Vec3 velocity, Vec3 n, double restitution) {
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(n[axis]) != 1) continue;
        velocity[axis] = -restitution * velocity[axis];
        return velocity;
    }
    const Vec3 after = advanced(velocity, n, -((1 + restitution) * dot(velocity, n)));
    if (!(dot(after, n) > 0)) return after;
    return advanced(after, n, -0x1p-50 * sum_of_magnitudes(velocity));
}

/// Inside a curved surface, what flies away from it at a smaller sine does so at this one.
Vec3 turned_inwards(Vec3 velocity, Vec3 n) {
    Vec3 at_rest;
    turn_inwards(at_rest, velocity, n, 0, 1);
    return velocity;
}

/// A pair whose velocities have changed along the normal, or whose tether has turned it back.
template <bool is_held>
[[gnu::always_inline]] inline ContactOutcome rebounded(const PairContact& contact,
                                                       const RestitutionLaw& law) {
    const Encounter at = geometry_of(contact);
    const auto& [low, high, r, distance, n, normal_velocity] = at;
    double change = (1 + value_at(law, -normal_velocity)) * normal_velocity;
    const double mass_low = contact.attributes_low.mass, mass_high = contact.attributes_high.mass;
    if (!is_held && contact.gravity != nullptr) [[unlikely]] {
        const double least = least_parting(contact, at, 1 / mass_low + 1 / mass_high);
        if (least > 0) change = std::min(change, normal_velocity - least);
    }
    const double total = mass_low + mass_high;
    Vec3 velocity_high = advanced(contact.high.velocity, n, -(change * (mass_low / total)));
    Vec3 velocity_low = advanced(contact.low.velocity, n, change * (mass_high / total));
    if constexpr (is_held)
        change += turn_inwards(velocity_low, velocity_high, n, mass_high / total, mass_low / total);
    const double slope = slope_of(contact, at, velocity_high - velocity_low);
    if (is_held ? slope > 0 : slope < 0)
        push_apart(velocity_low, velocity_high, is_held ? Vec3{} - n : n, mass_high / total,
                   mass_low / total);
    const double reduced_mass = mass_low * mass_high / total;
    return {.impact = {.normal = n,
                       .distance = distance,
                       .speed = minus(normal_velocity),
                       .impulse = minus(change * reduced_mass)},
            .low = NewMotion{low, velocity_low},
            .high = NewMotion{high, velocity_high}};
}

/// Half the derivative of |r|^2 less that of the squared contact distance, as contact_time.cpp computes it.
double slope_of_surfaces(Vec3 r, Vec3 velocity, double rate, double time) {
    return dot(r, advanced(velocity, r, -(rate / std::fma(rate, time, 1.0))));
}

}  // namespace

ContactOutcome outcome(const Bounce& rule, const PairContact& contact) {
    if (have_frozen_axes(contact)) [[unlikely]]
        return rebounded_on_axes(contact, restitution_of(contact, rule.restitution), false);
    return rebounded<false>(contact, restitution_of(contact, rule.restitution));
}

ContactOutcome outcome_of_growing(const PairContact& contact, double rate) {
    const auto [low, high, r, distance, n, normal_velocity] = geometry_of(contact);
    const double growth = rate * (contact.attributes_low.radius + contact.attributes_high.radius);
    const double change = 2 * (normal_velocity - growth);
    const double mass_low = contact.attributes_low.mass, mass_high = contact.attributes_high.mass;
    const double total = mass_low + mass_high;
    Vec3 velocity_high = advanced(contact.high.velocity, n, -(change * (mass_low / total)));
    Vec3 velocity_low = advanced(contact.low.velocity, n, change * (mass_high / total));
    if (slope_of_surfaces(r, velocity_high - velocity_low, rate, contact.time) < 0)
        push_apart(velocity_low, velocity_high, n, mass_high / total, mass_low / total);
    return {.impact = {.normal = n,
                       .distance = distance,
                       .speed = minus(normal_velocity - growth),
                       .impulse = minus(change * (mass_low * mass_high / total))},
            .low = NewMotion{low, velocity_low},
            .high = NewMotion{high, velocity_high}};
}

ContactOutcome held(const PairContact& contact) {
    ContactOutcome result = have_frozen_axes(contact) ? rebounded_on_axes(contact, elastic_law, true)
                                                      : rebounded<true>(contact, elastic_law);
    result.effect = ContactEffect::hold;
    return result;
}

/// Inside a curved surface. The impulse is what the velocity lost along the normal.
static ContactOutcome rebounded_inside(const ObstacleContact& contact, double approach, double restitution) {
    const Vec3 n = contact.normal;
    const Vec3 after = turned_inwards(rebound(contact.motion.velocity, n, restitution), n);
    return {.impact = {.normal = n,
                       .distance = contact.attributes.radius,
                       .speed = approach,
                       .impulse = contact.attributes.mass * (approach - dot(after, n))},
            .low = NewMotion{position_at(contact.motion, contact.time), after},
            .high = {}};
}

/// Off a surface that moves.
static ContactOutcome rebounded_from_moving(const ObstacleContact& contact, const RestitutionLaw& law) {
    const Vec3 n = contact.normal, before = contact.motion.velocity, surface = contact.moving->velocity;
    const double approach = dot(before - surface, n) + 0.0;
    double change = approach + std::max(value_at(law, approach) * approach, contact.moving->least_parting);
    Vec3 after = advanced(before, n, -change);
    if (contact.is_hollow) {
        const Vec3 relative = after - surface, turned = turned_inwards(relative, n);
        if (turned != relative) {
            after = turned + surface;
            change = approach - dot(turned, n);
        }
    }
    return {.impact = {.normal = n,
                       .distance = contact.attributes.radius,
                       .speed = approach,
                       .impulse = contact.attributes.mass * change},
            .low = NewMotion{position_at(contact.motion, contact.time), after},
            .high = {}};
}

ContactOutcome outcome(const Bounce& rule, const ObstacleContact& contact) {
    const RestitutionLaw& law = restitution_of(contact, rule.restitution);
    if (contact.moving) [[unlikely]]
        return rebounded_from_moving(contact, law);
    if (contact.attributes.frozen_axes != 0 && !is_along_axis(contact.normal)) [[unlikely]]
        return rebounded_on_axes(contact, law);
    const Vec3 n = contact.normal;
    const Vec3 before = contact.motion.velocity;
    const double approach = dot(before, n) + 0.0;  // +0 where it is zero, as in minus()
    const double restitution = value_at(law, approach);
    if (contact.is_hollow) return rebounded_inside(contact, approach, restitution);
    return {.impact = {.normal = n,
                       .distance = contact.attributes.radius,
                       .speed = approach,
                       .impulse = contact.attributes.mass * (1 + restitution) * approach},
            .low = NewMotion{position_at(contact.motion, contact.time), rebound(before, n, restitution)},
            .high = {}};
}

/// The surface recedes from the obstacle afterwards, in floating point too: the new velocity is rounded away from it.
ContactOutcome outcome_of_growing(const ObstacleContact& contact, double rate) {
    const Vec3 n = contact.normal;
    const double growth = rate * contact.attributes.radius;
    const double approach = dot(contact.motion.velocity, n) + growth;
    const Vec3 after = advanced(rebound(contact.motion.velocity, n, 1), n, -2 * growth);
    return {.impact = {.normal = n,
                       .distance = contact.attributes.radius,
                       .speed = approach,
                       .impulse = contact.attributes.mass * 2 * approach},
            .low = NewMotion{position_at(contact.motion, contact.time), after},
            .high = {}};
}

}  // namespace ricochet
