// SPDX-License-Identifier: BSD-3-Clause
//
// See reference_rules.hpp. Pairs: the partners at the contact, then rule by rule. Walls and bodies are in
// reference_walls.cpp.
#include "tests/support/reference_rules.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/math.hpp"
#include "model/size_distribution.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_changes.hpp"
#include "tests/support/reference_tethers.hpp"

namespace ricochet::test {

namespace {

/// Two particles at the time of their contact.
struct Encounter {
    Outcome outcome;         ///< begins as what happens if nothing changes
    Vec3 r;                  ///< from low to high
    Vec3 shrinks_along;      ///< while they approach, the component of r along this shrinks
    double normal_velocity;  ///< of high as seen from low
    double mass_low, mass_high, total_mass;
    std::optional<bool> decided;  ///< whether they react
    bool is_miss;                 ///< at a distance
    Rise rise;                    ///< that parts them
};

bool has_fixed_axes(const Encounter& both) {
    return both.outcome.low.attributes.frozen_axes != 0 || both.outcome.high.attributes.frozen_axes != 0;
}

/// Of two whose motions are those before the contact.
Vec3 normal_of_shapes(const ContactScene& scene, const Participant& low, const Participant& high) {
    const AtOverlap contact = at_overlap(rule_of(scene.rules, low, high));
    const Overlap overlap = contact == AtOverlap::always  ? Overlap::reacts
                            : contact == AtOverlap::never ? Overlap::passes
                                                          : Overlap::bounces;
    return scene.shapes
        ->touch_of(low.motion, low.attributes, high.motion, high.attributes, ImageLengths(scene.box), overlap)
        .normal;
}

Encounter encounter_of(const ContactScene& scene, const Prospect& prospect, const Participant& low,
                       const Participant& high) {
    Encounter both{};
    both.decided = prospect.reacts;
    both.is_miss = prospect.is_miss;
    Outcome& outcome = both.outcome;
    outcome.low = low;
    outcome.high = high;
    fly_to(outcome.low.motion, prospect.time);
    fly_to(outcome.high.motion, prospect.time);
    outcome.touching_from = outcome.low.motion.position;
    both.r = minimum_image(outcome.high.motion.position - outcome.touching_from, ImageLengths(scene.box));
    outcome.touching_to = outcome.high.motion.position;
    const double radii = low.attributes.radius + high.attributes.radius;
    const double d = std::sqrt(dot(both.r, both.r));
    outcome.distance = d;
    outcome.normal = d == 0 ? Vec3{1, 0, 0} : Vec3{both.r.x / d, both.r.y / d, both.r.z / d};
    both.shrinks_along = both.r;
    double overlap = radii - d;
    if (have_shape(scene, low.attributes, high.attributes)) {
        outcome.normal = normal_of_shapes(scene, low, high);
        outcome.distance = dot(both.r, outcome.normal);
        both.shrinks_along = outcome.normal;
        overlap = -scene.shapes->gap(both.r, low.attributes, high.attributes).distance;
    }
    both.normal_velocity = dot(high.motion.velocity - low.motion.velocity, outcome.normal);
    outcome.speed = 0 - both.normal_velocity;  // zeros are +0, as in all that is recorded
    outcome.overlaps_deeply =
        have_shape(scene, low.attributes, high.attributes) ? overlap > (1 - deep) * radii : d < deep * radii;
    const double along = dot(scene.gravity, outcome.normal);
    if (outcome.overlaps_deeply)
        both.rise = {std::abs(along) * overlap, (along < 0 ? high : low).attributes.mass};
    both.mass_low = low.attributes.mass;
    both.mass_high = high.attributes.mass;
    both.total_mass = both.mass_low + both.mass_high;
    return both;
}

/// Two that are held and hardly come nearer are sent inwards at a sine of 1/4096, as fast as before. Returns the change
/// of their radial velocity.
double end_circling(Encounter& both) {
    constexpr double sine = 1.0 / 4096;
    Vec3& low = both.outcome.low.motion.velocity;
    Vec3& high = both.outcome.high.motion.velocity;
    const Vec3 n = both.outcome.normal;
    const Vec3 before = high - low;
    const double radial = dot(before, n), squared_speed = dot(before, before);
    const double wanted = sine * std::sqrt(squared_speed);
    const Vec3 tangent = advanced(before, n, -radial);
    const double squared_tangent = dot(tangent, tangent);
    if (radial <= -wanted || squared_tangent <= squared_speed / 2) return 0;
    const double factor = std::sqrt((1 - sine * sine) * squared_speed / squared_tangent);
    const Vec3 after = advanced(Vec3{factor * tangent.x, factor * tangent.y, factor * tangent.z}, n, -wanted);
    high = advanced(high, after - before, both.mass_low / both.total_mass);
    low = advanced(low, after - before, -(both.mass_high / both.total_mass));
    return radial + wanted;
}

/// Where they are held they come nearer afterwards, else they part.
void turn_back(Encounter& both, double restitution, bool are_held) {
    if (has_fixed_axes(both)) {
        both.outcome.impulse = turn_back_on_axes(both.outcome.low, both.outcome.high, both.shrinks_along,
                                                 both.outcome.normal, restitution, are_held, both.rise);
        return;
    }
    Vec3& low = both.outcome.low.motion.velocity;
    Vec3& high = both.outcome.high.motion.velocity;
    const Vec3 n = both.outcome.normal;
    double k = (1 + restitution) * both.normal_velocity;
    const double away = both.rise.speed(1 / both.mass_low + 1 / both.mass_high);
    if (!are_held && away > 0) k = std::min(k, both.normal_velocity - away);
    const double part_of_low = both.mass_high / both.total_mass;
    const double part_of_high = both.mass_low / both.total_mass;
    high = advanced(high, n, -(k * part_of_high));
    low = advanced(low, n, k * part_of_low);
    if (are_held) k += end_circling(both);
    const double slope = dot(both.shrinks_along, high - low);
    if (are_held ? slope > 0 : slope < 0) {  // by rounding: push them
        const Vec3 where = are_held ? Vec3{0 - n.x, 0 - n.y, 0 - n.z} : n;
        const double push = 0x1p-50 * (sum_of_magnitudes(low) + sum_of_magnitudes(high));
        high = advanced(high, where, push * part_of_high);
        low = advanced(low, where, -(push * part_of_low));
    }
    both.outcome.impulse = 0 - (k * (both.mass_low * both.mass_high / both.total_mass));
}

void bounce(Encounter& both, double restitution) { turn_back(both, restitution, false); }

void hold(Encounter& both) {
    turn_back(both, 1, true);
    both.outcome.effect = ContactEffect::hold;
}

Liberation liberation_of(const ContactScene& scene, const Participant& low, const Participant& high,
                         ParticleId id) {
    return {scene.rules, word_of(scene, Stream::release, low, high.motion.id, high.num_contacts), scene.step,
            id};
}

/// As join, where some axes of the two or of what they become are fixed.
void join_on_axes(const ContactScene& scene, Encounter& both, bool low_goes_on, const Attributes& product) {
    Participant& low = both.outcome.low;
    Participant& high = both.outcome.high;
    Participant& kept = low_goes_on ? low : high;
    const ByAxis centre = centre_between(kept.attributes, (low_goes_on ? high : low).attributes);
    const Vec3 u = high.motion.velocity - low.motion.velocity;
    Vec3 velocity = kept.motion.velocity;
    for (int axis = 0; axis < 3; ++axis) {
        const double share = (low_goes_on ? 1 : -1) * centre[static_cast<std::size_t>(axis)];
        kept.motion.position[axis] += share * both.r[axis];
        velocity[axis] += share * u[axis];
    }
    const std::uint32_t fixed = low.attributes.frozen_axes | high.attributes.frozen_axes;
    both.outcome.impulse =
        joining_impulse(low.attributes, high.attributes, both.outcome.normal, both.normal_velocity);
    kept.motion.velocity =
        velocity_as(product, fixed, velocity, liberation_of(scene, low, high, kept.motion.id));
    end_particle(low_goes_on ? high : low);
}

/// One goes on at the centre of mass with the momentum of both; the other ends.
void join(const ContactScene& scene, Encounter& both, bool low_goes_on, const Attributes& product) {
    if (has_fixed_axes(both) || product.frozen_axes != 0)
        return join_on_axes(scene, both, low_goes_on, product);
    Motion& low = both.outcome.low.motion;
    Motion& high = both.outcome.high.motion;
    const Vec3 u = high.velocity - low.velocity;
    const double share = low_goes_on ? both.mass_high / both.total_mass : -(both.mass_low / both.total_mass);
    Motion& motion = low_goes_on ? low : high;
    motion.position = advanced(motion.position, both.r, share);
    motion.velocity = advanced(motion.velocity, u, share);
    end_particle(low_goes_on ? both.outcome.high : both.outcome.low);
    both.outcome.impulse = 0 - (both.normal_velocity * (both.mass_low * both.mass_high / both.total_mass));
}

/// What two keep of their speed by this rule, unless one of them touches something too soon after it did before.
double kept_by_pair(const RestitutionLaw& law, const ContactScene& scene, const Encounter& both) {
    const double latest = std::max(both.outcome.low.touched_at, both.outcome.high.touched_at);
    const bool is_too_soon = both.outcome.low.motion.time - latest < scene.rules.collapse_duration();
    return is_too_soon ? 1 : kept_of(both.outcome.speed, law);
}

void happen(const Bounce& rule, const ContactScene& scene, Encounter& both) {
    bounce(both, kept_by_pair(rule.restitution, scene, both));
}

void happen(const Pass&, const ContactScene&, Encounter& both) { both.outcome.effect = ContactEffect::pass; }

void happen(const React& rule, const ContactScene& scene, Encounter& both) {
    Participant& low = both.outcome.low;
    Participant& high = both.outcome.high;
    if (!reacts(rule.probability, scene, both.decided, low, high.motion.id, high.num_contacts))
        return bounce(both, kept_by_pair(rule.restitution, scene, both));
    both.outcome.effect = ContactEffect::react;
    const bool low_is_first = low.attributes.species == rule.first;
    Participant& first = low_is_first ? low : high;
    Participant& second = low_is_first ? high : low;
    const auto [product, second_product] = rule.products;
    if (second_product == absent_species) {
        if (product != absent_species)
            join(scene, both, low_is_first, as_species(first, product, scene.rules));
        become(first, product, scene.rules);
        become(second, second_product, scene.rules);
        return;
    }
    const Participant low_before = low, high_before = high;
    if (both.normal_velocity < 0 && !both.is_miss) bounce(both, 1);  // else they go on
    const Vec3 n = both.outcome.normal;
    const auto by = [&](const Participant& of) {
        return liberation_of(scene, low_before, high_before, of.motion.id);
    };
    const auto of_low = replace(low, low_before, low_is_first ? product : second_product, n, by(low_before));
    const auto of_high =
        replace(high, high_before, low_is_first ? second_product : product, n, by(high_before));
    if (of_low) both.outcome.impulse = 0 - *of_low;
    if (of_high) both.outcome.impulse = *of_high;
}

void happen(const Coalesce&, const ContactScene& scene, Encounter& both) {
    if (both.decided == false) return bounce(both, 1);
    const double a = both.outcome.low.attributes.radius, b = both.outcome.high.attributes.radius;
    constexpr std::uint32_t all = 7;
    const std::uint32_t fixed_low = both.outcome.low.attributes.frozen_axes;
    const bool is_lighter = both.mass_low < both.mass_high || both.outcome.high.attributes.frozen_axes == all;
    const bool low_goes_on = fixed_low == all || !is_lighter;
    Attributes sum = (low_goes_on ? both.outcome.low : both.outcome.high).attributes;
    sum.radius =
        scene.rules.dimension() == 2 ? std::sqrt(a * a + b * b) : fixed::cube_root(a * a * a + b * b * b);
    sum.diffusion = diffusion_of(scene.rules.species(sum.species), sum.radius);
    sum.mass = mass_with(scene.rules, sum.diffusion, both.total_mass);
    join(scene, both, low_goes_on, sum);
    both.outcome.effect = ContactEffect::coalesce;
    (low_goes_on ? both.outcome.low : both.outcome.high).attributes = sum;
}

void happen(const Thermal&, const ContactScene&, Encounter&) {
    throw std::logic_error("particles have no temperature");
}

/// At a rate they may be apart, or part already.
void happen(const Stick& rule, const ContactScene& scene, Encounter& both) {
    Participant& low = both.outcome.low;
    Participant& high = both.outcome.high;
    if (!may_become_tethered(rule, low, high) ||
        !reacts(rule.probability, scene, both.decided, low, high.motion.id, high.num_contacts))
        return bounce(both, kept_by_pair(rule.restitution, scene, both));
    both.outcome.effect = ContactEffect::stick;
    if (!both.decided)
        bounce(both, kept_by_pair(rule.restitution, scene, both));
    else if (both.normal_velocity < 0 && !both.is_miss)
        bounce(both, 1);
    low.tethers.add(high.motion.id, high.attributes.species);
    high.tethers.add(low.motion.id, low.attributes.species);
}

}  // namespace

std::uint64_t word_of(const ContactScene& scene, Stream stream, const Participant& low, ParticleId high,
                      std::uint64_t num_contacts_of_high) {
    const auto word = [&](std::uint64_t seed, std::uint64_t of) {
        return random_words({.seed = seed, .stream = stream, .step = scene.step}, of)[0];
    };
    const std::uint64_t pasts = low.num_contacts << 32 | num_contacts_of_high;
    const std::uint64_t of_low = word(scene.rules.seed(), low.motion.id);
    const std::uint64_t of_both = word(of_low, high);
    return word(of_both, pasts ^ std::bit_cast<std::uint64_t>(scene.begin));
}

double chance_of(const ContactScene& scene, const Participant& low, ParticleId high,
                 std::uint64_t num_contacts_of_high) {
    return uniform_from(word_of(scene, Stream::contact_response, low, high, num_contacts_of_high));
}

ShapeTable shapes_of(const Box& box, const ContactRules& rules, const std::vector<Body>& bodies) {
    World world{.box = box, .bodies = bodies};
    for (SpeciesIndex k = 0; k < rules.num_species(); ++k) world.species.push_back(rules.species(k));
    return ShapeTable(world);
}

bool have_shape(const ContactScene& scene, const Attributes& low, const Attributes& high) {
    return scene.shapes->has_shapes() && scene.shapes->has_shape(low.species, high.species);
}

AtOverlap at_overlap(const ContactRule& rule) {
    constexpr double at_once = std::numeric_limits<double>::infinity();
    if (std::holds_alternative<Pass>(rule)) return AtOverlap::never;
    bool is_certain = false;
    if (const Coalesce* const coalesce = std::get_if<Coalesce>(&rule)) is_certain = coalesce->rate == at_once;
    if (const React* const reaction = std::get_if<React>(&rule))
        is_certain = reaction->probability >= 1 && reaction->rate == at_once;
    return is_certain ? AtOverlap::always : AtOverlap::if_approaching;
}

Outcome outcome_of_pair(const ContactScene& scene, const Prospect& prospect, const Participant& low,
                        const Participant& high) {
    Encounter both = encounter_of(scene, prospect, low, high);
    if (prospect.is_taut)
        hold(both);
    else
        std::visit([&](const auto& rule) { happen(rule, scene, both); }, rule_of(scene.rules, low, high));
    return both.outcome;
}

}  // namespace ricochet::test
