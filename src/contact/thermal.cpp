// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that leave a surface of a temperature. What a gas at kT sends through a plane has the normal speed
//     v_n = sqrt(-2 kT/m ln U),     U uniform in (0, 1).
// Components along the plane are normal numbers of variance kT/m. With these a gas between surfaces of one temperature
// keeps Maxwell's distribution. Mean energies: kT of the normal motion, kT/2 of each component along the plane.
//
// The surface's own velocity is added. Velocities along frozen axes stay 0.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "contact/frozen_axes.hpp"
#include "core/math.hpp"

namespace ricochet {
namespace {

/// Uniform in (0, 1), without both ends: no particle stays at the surface.
double uniform_within(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

double exponential_root(std::uint64_t word) { return std::sqrt(-2 * fixed::log(uniform_within(word))); }

/// In units of the thermal speed: the normal speed, and three normal numbers.
struct Drawn {
    double along_normal;
    Vec3 normals;
};

Drawn drawn_at(const ObstacleContact& contact) {
    const ContactSetting& setting = contact.setting;
    const ParticleId id = contact.motion.id;
    const RandomKey key{word_of(setting, Stream::thermal, id, contact.obstacle, contact.num_before, 0),
                        Stream::thermal, setting.step};
    Drawn drawn{exponential_root(random_words(key, id)[0]), {}};
    for (int axis = 0; axis < setting.rules->dimension(); ++axis) {
        const RandomWords words = random_words(key, id, static_cast<unsigned>(1 + axis));
        drawn.normals[axis] = exponential_root(words[0]) * fixed::sincos_2pi(uniform_from(words[1])).cos;
    }
    return drawn;
}

}  // namespace

ContactOutcome outcome(const Thermal& rule, const ObstacleContact& contact) {
    const Attributes& own = contact.attributes;
    const MovingSurface surface = contact.moving.value_or(MovingSurface{});
    const Vec3 n = direction_on_axes(contact.normal, own.frozen_axes);
    const auto [along_normal, normals] = drawn_at(contact);
    const double thermal_speed = std::sqrt(rule.energy / own.mass);
    const Vec3 free = without_axes(normals, own.frozen_axes);
    const Vec3 along_surface = thermal_speed * advanced(free, n, -dot(free, n));
    const double parting = std::max(thermal_speed * along_normal, surface.least_parting);
    const Vec3 moved = without_axes(surface.velocity, own.frozen_axes);
    const Vec3 before = contact.motion.velocity;
    const Vec3 after = advanced(along_surface, n, -parting) + moved;
    return {.impact = {.normal = contact.normal,
                       .distance = own.radius,
                       .speed = dot(before - surface.velocity, contact.normal) + 0.0,
                       .impulse = own.mass * dot(before - after, contact.normal) + 0.0},
            .low = NewMotion{position_at(contact.motion, contact.time), after},
            .high = {}};
}

ContactOutcome outcome(const Thermal& /*rule*/, const PairContact& /*contact*/) {
    throw std::logic_error("two particles have no thermal contact");
}

}  // namespace ricochet
