// SPDX-License-Identifier: BSD-3-Clause
#include "contact/frozen_axes.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "model/restitution.hpp"

namespace ricochet {

namespace {

/// Impulses along a normal that is farther from all free axes than this would be infinite.
constexpr double least_part = 0x1p-300;

Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Vec3 divided(Vec3 a, double b) { return {a.x / b, a.y / b, a.z / b}; }

/// Component by component, 0 where both are 0.
Vec3 over(Vec3 a, Vec3 b) {
    Vec3 result;
    for (int axis = 0; axis < 3; ++axis)
        if (b[axis] != 0) result[axis] = a[axis] / b[axis];
    return result;
}

Vec3 inverse_masses(const Attributes& of) {
    const double inverse = 1 / of.mass;
    return without_axes({inverse, inverse, inverse}, of.frozen_axes);
}

/// The part of a unit vector along some axes.
struct Part {
    Vec3 unit;    ///< its direction
    double size;  ///< at least least_part
};

/// Scaled before it is squared, so that no part is too small. Without a part any of the axes is the direction.
Part part_on_axes(Vec3 vector, std::uint32_t frozen) {
    const Vec3 part = without_axes(vector, frozen);
    const double largest = std::max({std::abs(part.x), std::abs(part.y), std::abs(part.z)});
    if (largest == 0) {
        const int axis = (frozen & 1) == 0 ? 0 : (frozen & 2) == 0 ? 1 : 2;
        Vec3 unit;
        unit[axis] = 1;
        return {unit, least_part};
    }
    const Vec3 scaled{part.x / largest, part.y / largest, part.z / largest};
    const double length = norm(scaled);
    return {{scaled.x / length, scaled.y / length, scaled.z / length},
            std::max(largest * length, least_part)};
}

/// Two partners on the axes that at least one of them moves along.
struct AxisPair {
    explicit AxisPair(const PairContact& contact)
        : inverse_low(inverse_masses(contact.attributes_low)),
          inverse_high(inverse_masses(contact.attributes_high)),
          inverse(inverse_low + inverse_high) {}

    /// Changes the relative velocity as an impulse between the two does.
    void change(Vec3 by, Vec3& velocity_low, Vec3& velocity_high) const {
        velocity_high = velocity_high + times(by, over(inverse_high, inverse));
        velocity_low = velocity_low - times(by, over(inverse_low, inverse));
    }

    Vec3 inverse_low, inverse_high, inverse;
};

/// Partners whose tether turns them back at a smaller part of their speed fly inwards at this one, as in bounce.cpp.
constexpr double least_inward_part = 0x1p-12;

/// Turns the relative velocity inwards if it is nearly along the end of the tether. Speeds are measured by the energy
/// of the relative motion, which stays. Returns by how much the outward component fell.
double turn_inwards_on_axes(const AxisPair& pair, Vec3 g, double inverse_along, Vec3& velocity_low,
                            Vec3& velocity_high) {
    const Vec3 u = velocity_high - velocity_low;
    const double outward = dot(u, g);
    const double twice_energy = dot(u, over(u, pair.inverse));
    const double inward = least_inward_part * std::sqrt(inverse_along * twice_energy);
    const Vec3 across = advanced(u, times(pair.inverse, g), -(outward / inverse_along));
    const double twice_energy_across = dot(across, over(across, pair.inverse));
    if (!(outward > -inward && twice_energy_across > 0.5 * twice_energy)) return 0;
    const double stretch =
        std::sqrt((1 - least_inward_part * least_inward_part) * twice_energy / twice_energy_across);
    const Vec3 after = advanced(stretch * across, times(pair.inverse, g), -(inward / inverse_along));
    pair.change(after - u, velocity_low, velocity_high);
    return outward + inward;
}

double sum_of_sizes(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

double normal_number(const RandomKey& key, ParticleId id, int axis) {
    const RandomWords words = random_words(key, id, static_cast<unsigned>(axis));
    return std::sqrt(-2 * fixed::log(uniform_above_zero_from(words[0]))) *
           fixed::sincos_2pi(uniform_from(words[1])).cos;
}

/// Of one of the two.
Release release_of(const PairContact& contact, ParticleId id) {
    const ContactSetting& setting = contact.setting;
    const std::uint64_t seed = word_of(setting, Stream::release, contact.low.id, contact.high.id,
                                       contact.num_before_low, contact.num_before_high);
    return {*setting.rules, seed, setting.step, id};
}

/// Whether a particle moves along an axis no more.
bool freezes(const Attributes& was, const Attributes& is) { return (is.frozen_axes & ~was.frozen_axes) != 0; }

}  // namespace

ContactOutcome rebounded_on_axes(const PairContact& contact, const RestitutionLaw& law, bool is_held) {
    const Encounter at = geometry_of(contact);
    const AxisPair pair(contact);
    const auto [g, part] =
        part_on_axes(at.normal, contact.attributes_low.frozen_axes & contact.attributes_high.frozen_axes);
    const double inverse_along = dot(g, times(pair.inverse, g));
    Vec3 velocity_low = contact.low.velocity, velocity_high = contact.high.velocity;
    double change = (1 + value_at(law, -at.normal_velocity)) * dot(velocity_high - velocity_low, g);
    // Nearly across their axes partners may part where they touch, by rounding: that contact only grazes.
    if (is_held ? change < 0 : change > 0) change = 0;
    if (!is_held && contact.gravity != nullptr) {
        const double least = least_parting(contact, at, inverse_along);
        if (least > 0) change = std::min(change, dot(velocity_high - velocity_low, g) - least);
    }
    const double sizes_before = sum_of_sizes(velocity_low) + sum_of_sizes(velocity_high);
    // The shares are formed first, so that a partner at rest is exactly a wall.
    const Vec3 share_high = divided(times(pair.inverse_high, g), inverse_along);
    const Vec3 share_low = divided(times(pair.inverse_low, g), inverse_along);
    const auto add = [&](double speed) {
        velocity_high = advanced(velocity_high, share_high, speed);
        velocity_low = advanced(velocity_low, share_low, -speed);
    };
    add(-change);
    if (is_held) change += turn_inwards_on_axes(pair, g, inverse_along, velocity_low, velocity_high);
    const double slope = slope_of(contact, at, velocity_high - velocity_low);
    if (is_held ? slope > 0 : slope < 0) {
        const double push =
            0x1p-50 * (sizes_before + sum_of_sizes(velocity_low) + sum_of_sizes(velocity_high));
        add(is_held ? -push : push);
    }
    return {.impact = {.normal = at.normal,
                       .distance = at.distance,
                       .speed = minus(at.normal_velocity),
                       .impulse = minus(change / (inverse_along * part))},
            .low = NewMotion{at.low, velocity_low},
            .high = NewMotion{at.high, velocity_high}};
}

Vec3 direction_on_axes(Vec3 normal, std::uint32_t frozen_axes) {
    return frozen_axes == 0 ? normal : part_on_axes(normal, frozen_axes).unit;
}

ContactOutcome rebounded_on_axes(const ObstacleContact& contact, const RestitutionLaw& law) {
    const Vec3 n = contact.normal;
    const Vec3 before = contact.motion.velocity;
    const double approach = dot(before, n) + 0.0;  // +0 where it is zero
    const auto [g, part] = part_on_axes(n, contact.attributes.frozen_axes);
    const double change = (1 + value_at(law, approach)) * dot(before, g);
    Vec3 after = advanced(before, g, -change);
    if (dot(after, g) > 0) after = advanced(after, g, -0x1p-50 * sum_of_sizes(before));
    return {.impact = {.normal = n,
                       .distance = contact.attributes.radius,
                       .speed = approach,
                       .impulse = contact.attributes.mass * change / part},
            .low = NewMotion{position_at(contact.motion, contact.time), after},
            .high = {}};
}

Vec3 way_to_centre(const Attributes& from, const Attributes& other) {
    const Vec3 own = inverse_masses(from);
    return over(own, own + inverse_masses(other));
}

ContactOutcome merged_on_axes(const PairContact& contact, bool low_continues, const Attributes& product) {
    const Encounter at = geometry_of(contact);
    const AxisPair pair(contact);
    const Motion& own = low_continues ? contact.low : contact.high;
    const Vec3 way = over(low_continues ? pair.inverse_low : pair.inverse_high, pair.inverse);
    const Vec3 there = low_continues ? way : Vec3{} - way;
    const Vec3 velocity = own.velocity + times(there, contact.high.velocity - contact.low.velocity);
    const std::uint32_t frozen = contact.attributes_low.frozen_axes | contact.attributes_high.frozen_axes;
    const Vec3 position = low_continues ? at.low : at.high;
    const NewMotion after{position + times(there, at.r),
                          velocity_of_product(velocity, frozen, product, release_of(contact, own.id))};
    const NewMotion ended{low_continues ? at.high : at.low, {}};
    const double inverse_along = dot(at.normal, times(pair.inverse, at.normal));
    const double impulse = inverse_along > 0 ? at.normal_velocity / inverse_along : 0;
    return {.impact = {.normal = at.normal,
                       .distance = at.distance,
                       .speed = minus(at.normal_velocity),
                       .impulse = minus(impulse)},
            .low = low_continues ? after : ended,
            .high = low_continues ? ended : after,
            .effect = ContactEffect::react,
            .matter = low_continues ? NewMatter{product, absent_attributes}
                                    : NewMatter{absent_attributes, product}};
}

Vec3 velocity_of_product(Vec3 velocity, std::uint32_t frozen_before, const Attributes& after,
                         const Release& release) {
    velocity = without_axes(velocity, after.frozen_axes);
    const std::uint32_t released = frozen_before & ~after.frozen_axes;
    if (released == 0) return velocity;
    const double typical = std::sqrt(release.rules.thermal_energy() / after.mass);
    const RandomKey key{.seed = release.seed, .stream = Stream::release, .step = release.step};
    for (int axis = 0; axis < release.rules.dimension(); ++axis)
        if (released >> axis & 1) velocity[axis] = typical * normal_number(key, release.id, axis);
    return velocity;
}

void fit_to_axes(ContactOutcome& outcome, const PairContact& contact) {
    const Attributes& low = contact.attributes_low;
    const Attributes& high = contact.attributes_high;
    const NewMatter& after = *outcome.matter;
    if ((low.frozen_axes | high.frozen_axes | after.low.frozen_axes | after.high.frozen_axes) == 0) return;
    const Vec3 n = outcome.impact.normal;
    const auto fit = [&](const Motion& before, const Attributes& was, const Attributes& is,
                         NewMotion& motion) {
        const Vec3 stopped = without_axes(motion.velocity, is.frozen_axes);
        if (freezes(was, is)) outcome.impact.impulse = was.mass * dot(stopped - before.velocity, n);
        motion.velocity =
            velocity_of_product(motion.velocity, was.frozen_axes, is, release_of(contact, before.id));
    };
    fit(contact.low, low, after.low, *outcome.low);
    if (freezes(low, after.low)) outcome.impact.impulse = minus(outcome.impact.impulse);
    fit(contact.high, high, after.high, *outcome.high);
}

void fit_to_axes(ContactOutcome& outcome, const ObstacleContact& contact) {
    const Attributes& was = contact.attributes;
    const Attributes& is = outcome.matter->low;
    if ((was.frozen_axes | is.frozen_axes) == 0) return;
    const ContactSetting& setting = contact.setting;
    const Vec3 stopped = without_axes(outcome.low->velocity, is.frozen_axes);
    if (freezes(was, is))
        outcome.impact.impulse = minus(was.mass * dot(stopped - contact.motion.velocity, contact.normal));
    const std::uint64_t seed =
        word_of(setting, Stream::release, contact.motion.id, contact.obstacle, contact.num_before, 0);
    outcome.low->velocity = velocity_of_product(outcome.low->velocity, was.frozen_axes, is,
                                                {*setting.rules, seed, setting.step, contact.motion.id});
}

}  // namespace ricochet
