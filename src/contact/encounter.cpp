// SPDX-License-Identifier: BSD-3-Clause
#include "contact/encounter.hpp"

#include <bit>
#include <cmath>

#include "contact/frozen_axes.hpp"
#include "model/rounding.hpp"
#include "model/size_distribution.hpp"

namespace ricochet {

Encounter geometry_across(const PairContact& contact, Vec3 low, Vec3 high, Vec3 r) {
    const Vec3 normal = contact.surfaces->normal, u = contact.high.velocity - contact.low.velocity;
    return {low, high, r, dot(r, normal), normal, dot(u, normal)};
}

/// Positions and velocities are those of the continuing partner plus the other's share. So the product's coordinates
/// stay in the image in which the continuing partner is counted.
ContactOutcome merged(const PairContact& contact, bool low_continues, const Attributes& product) {
    if (have_frozen_axes(contact) || product.frozen_axes != 0)
        return merged_on_axes(contact, low_continues, product);
    const Encounter at = geometry_of(contact);
    const double mass_low = contact.attributes_low.mass, mass_high = contact.attributes_high.mass;
    const double total = mass_low + mass_high;
    const Vec3 u = contact.high.velocity - contact.low.velocity;
    const double share = low_continues ? mass_high / total : -(mass_low / total);
    const NewMotion after{advanced(low_continues ? at.low : at.high, at.r, share),
                          advanced(low_continues ? contact.low.velocity : contact.high.velocity, u, share)};
    const NewMotion ended{low_continues ? at.high : at.low, {}};
    return {.impact = {.normal = at.normal,
                       .distance = at.distance,
                       .speed = minus(at.normal_velocity),
                       .impulse = minus(at.normal_velocity * (mass_low * mass_high / total))},
            .low = low_continues ? after : ended,
            .high = low_continues ? ended : after,
            .effect = ContactEffect::react,
            .matter = low_continues ? NewMatter{product, absent_attributes}
                                    : NewMatter{absent_attributes, product}};
}

ContactOutcome stayed(const PairContact& contact) {
    const bool touches = !contact.rated || contact.rated->touches;
    const Encounter at = geometry_of(contact);
    if (touches && at.normal_velocity < 0) return outcome(Bounce{}, contact);
    return {.impact = {.normal = at.normal, .distance = at.distance, .speed = minus(at.normal_velocity)},
            .low = NewMotion{at.low, contact.low.velocity},
            .high = NewMotion{at.high, contact.high.velocity}};
}

double least_parting(const PairContact& contact, const Encounter& at, double inverse_mass) {
    const double touching = contact.attributes_low.radius + contact.attributes_high.radius;
    const bool have_overlap = contact.surfaces != nullptr ? contact.surfaces->overlap > 0
                                                          : at.distance < deep_overlap_down * touching;
    if (!have_overlap) return 0;
    const double overlap = contact.surfaces != nullptr ? contact.surfaces->overlap : touching - at.distance;
    const double pull = dot(*contact.gravity, at.normal);
    const double upper_mass = (pull < 0 ? contact.attributes_high : contact.attributes_low).mass;
    const double lift = std::abs(pull) * overlap;
    return std::sqrt(2.25 * (lift * (upper_mass * inverse_mass)));
}

Attributes product_of(const ContactRules& rules, const Attributes& parent, SpeciesIndex species) {
    if (species == absent_species) return absent_attributes;
    if (species == parent.species) return parent;
    const Species& of = rules.species(species);
    const double diffusion = diffusion_of(of, of.radius);
    return {.radius = of.radius,
            .mass = mass_with(rules, diffusion, of.mass),
            .diffusion = diffusion,
            .species = species,
            .frozen_axes = of.frozen_axes};
}

double mass_with(const ContactRules& rules, double diffusion, double ballistic_mass) {
    return rules.energy_time() > 0 ? rules.energy_time() / (2 * diffusion) : ballistic_mass;
}

std::uint64_t word_of(const ContactSetting& setting, Stream stream, ParticleId low, ParticleId high,
                      std::uint32_t num_before_low, std::uint32_t num_before_high) {
    RandomKey key{setting.rules->seed(), stream, setting.step};
    const std::uint64_t counts = std::uint64_t{num_before_low} << 32 | num_before_high;
    for (const std::uint64_t word : {low, high, counts ^ std::bit_cast<std::uint64_t>(setting.begin)})
        key.seed = random_words(key, word)[0];
    return key.seed;
}

double uniform_of(const ContactSetting& setting, ParticleId low, ParticleId high,
                  std::uint32_t num_before_low, std::uint32_t num_before_high) {
    return uniform_from(
        word_of(setting, Stream::contact_response, low, high, num_before_low, num_before_high));
}

}  // namespace ricochet
