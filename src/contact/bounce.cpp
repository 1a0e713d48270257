// SPDX-License-Identifier: BSD-3-Clause
//
// Smooth hard spheres with restitution e. With the unit normal n from the lower to the higher id and
// v_n = (v_hi - v_lo).n < 0,
//     v_hi -= (1 + e) v_n m_lo / (m_lo + m_hi) n,     v_lo += (1 + e) v_n m_hi / (m_lo + m_hi) n.
//
// The mass ratios are formed first. So equal masses give exactly 1/2, and a row of equal spheres passes its
// velocity on without a rounding error. The normal is taken through a square root and a division, which makes
// contacts along an axis exact.
//
// Invariant: no contact leaves its pair approaching. Where rounding would, the pair is pushed apart at the
// level of rounding. Otherwise it would collide at the same instant for ever (touching clusters; restitution
// 0).
#include <cmath>

#include "contact/response.hpp"

namespace ricochet {

namespace {

double sum_of_magnitudes(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Separates a pair that still approaches after its response by the rule that predicts contacts (r.u < 0).
/// That happens without rebound (e = 0), and where the approach was as slow as the rounding of the
/// velocities. Such a pair would collide for ever at this instant; it parts at eight units of rounding
/// instead.
void push_apart(Vec3& velocity_low, Vec3& velocity_high, Vec3 n, double share_low, double share_high) {
    const double push = 0x1p-50 * (sum_of_magnitudes(velocity_low) + sum_of_magnitudes(velocity_high));
    velocity_high = advanced(velocity_high, n, push * share_high);
    velocity_low = advanced(velocity_low, n, -(push * share_low));
}

}  // namespace

ContactOutcome outcome(const Bounce& rule, const PairContact& contact) {
    const Vec3 low = position_at(contact.low, contact.time);
    const Vec3 high = position_at(contact.high, contact.time);
    const Vec3 r = minimum_image(high - low, contact.images);
    const double distance = norm(r);
    // Two centres at one place have no normal; any fixed one conserves momentum and energy.
    const Vec3 n = distance > 0 ? Vec3{r.x / distance, r.y / distance, r.z / distance} : Vec3{1, 0, 0};
    const double normal_velocity = dot(contact.high.velocity - contact.low.velocity, n);
    const double change = (1 + rule.restitution) * normal_velocity;
    const double mass_low = contact.attributes_low.mass, mass_high = contact.attributes_high.mass;
    const double total = mass_low + mass_high;
    Vec3 velocity_high = advanced(contact.high.velocity, n, -(change * (mass_low / total)));
    Vec3 velocity_low = advanced(contact.low.velocity, n, change * (mass_high / total));
    if (dot(r, velocity_high - velocity_low) < 0)
        push_apart(velocity_low, velocity_high, n, mass_high / total, mass_low / total);
    const double reduced_mass = mass_low * mass_high / total;
    return {.impact = {.normal = n,
                       .distance = distance,
                       .speed = -normal_velocity,
                       .impulse = -(change * reduced_mass)},
            .low = NewMotion{low, velocity_low},
            .high = NewMotion{high, velocity_high}};
}

ContactOutcome outcome(const Bounce& rule, const WallContact& contact) {
    ContactOutcome bounced;
    NewMotion& after =
        bounced.low.emplace(NewMotion{position_at(contact.motion, contact.time), contact.motion.velocity});
    const int axis = contact.face / 2;
    const double outward = contact.face % 2 == 1 ? 1 : -1;
    const double approach = outward * after.velocity[axis];
    after.velocity[axis] = -rule.restitution * after.velocity[axis];
    bounced.impact.normal[axis] = outward;
    bounced.impact.distance = contact.attributes.radius;
    bounced.impact.speed = approach;
    bounced.impact.impulse = contact.attributes.mass * (1 + rule.restitution) * approach;
    return bounced;
}

}  // namespace ricochet
