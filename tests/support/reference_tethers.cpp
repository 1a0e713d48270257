// SPDX-License-Identifier: BSD-3-Clause
//
// See reference_tethers.hpp. The time is the larger root of u.u t^2 + 2 b t + c = 0 with b = r.u, c = r.r - S^2 at the
// later of both times. Two that are already too far apart count as just far enough.
#include "tests/support/reference_tethers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/math.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_step.hpp"

namespace ricochet::test {
namespace {

/// The most tethers of any particle, whatever its rules allow.
constexpr std::uint32_t most_tethers = 12;

std::uint32_t valence_under(const Stick& rule, SpeciesIndex species) {
    return std::min(most_tethers, species == rule.first ? rule.valence[0] : rule.valence[1]);
}

/// What the two of these species would be afterwards: once for each order in which they might be first and second.
/// A partner keeps what it is only if it does so in all of them.
bool keeps_species(const React& rule, SpeciesIndex species, SpeciesIndex other) {
    const auto [first, second] = rule.products;
    if (species == other) return first == species && second == species;
    return species == rule.first ? first == species : second == species;
}

double number_of(const ContactRules& rules, std::uint64_t step, ParticleId low, ParticleId high) {
    const auto word = [step](std::uint64_t seed, ParticleId id) {
        return random_words({.seed = seed, .stream = Stream::tether, .step = step}, id)[0];
    };
    return uniform_from(word(word(rules.seed(), low), high));
}

/// From the list of one particle.
void forget(Tethers& list, ParticleId partner) {
    Tethers others;
    for (std::uint32_t k = 0; k < list.size(); ++k)
        if (list.partner(k) != partner) others.add(list.partner(k), list.species(k));
    list = others;
}

Contact record_of(const ContactRules& rules, const Particles& particles, std::size_t low, std::size_t high) {
    Contact record;
    record.key.low = particles.motion[low].id;
    record.key.high = particles.motion[high].id;
    record.point = particles.motion[low].position;
    record.species_low = record.product_low = particles.attributes[low].species;
    record.species_high = record.product_high = particles.attributes[high].species;
    record.rule = rules.pair_number(record.species_low, record.species_high);
    record.effect = ContactEffect::part;
    return record;
}

}  // namespace

double time_when_taut(const ContactRules& rules, const ImageLengths& images, const Participant& low,
                      const Participant& high) {
    const Stick& rule = std::get<Stick>(rules.pair(low.attributes.species, high.attributes.species));
    const double farthest = rule.length * (low.attributes.radius + high.attributes.radius);
    const double now = std::max(low.motion.time, high.motion.time);
    const auto position = [now](const Motion& motion) {
        return advanced(motion.position, motion.velocity, now - motion.time);
    };
    const Vec3 r = minimum_image(position(high.motion) - position(low.motion), images);
    const Vec3 u = high.motion.velocity - low.motion.velocity;
    const double a = dot(u, u), b = dot(r, u);
    const double beyond = separation_beyond_touch(r, farthest);
    const double c = beyond > 0 ? 0 : beyond;
    const double root = std::sqrt(discriminant(a, b, c));
    if (b > 0) return now + -c / (b + root);
    return a > 0 ? now + (root - b) / a : never;
}

bool may_become_tethered(const Stick& rule, const Participant& low, const Participant& high) {
    const auto has_room = [&](const Participant& particle) {
        return particle.tethers.size() < valence_under(rule, particle.attributes.species);
    };
    return !low.tethers.holds(high.motion.id) && has_room(low) && has_room(high);
}

ContactRule rule_of(const ContactRules& rules, const Participant& low, const Participant& high) {
    const SpeciesIndex of_low = low.attributes.species, of_high = high.attributes.species;
    const ContactRule& rule = rules.pair(of_low, of_high);
    if (low.tethers.empty() && high.tethers.empty()) return rule;
    if (std::holds_alternative<Coalesce>(rule)) return Bounce{1};
    const React* const reaction = std::get_if<React>(&rule);
    if (reaction == nullptr) return rule;
    const bool are_two_products = reaction->products[1] != absent_species;
    const bool may_low =
        low.tethers.empty() || (are_two_products && keeps_species(*reaction, of_low, of_high));
    const bool may_high =
        high.tethers.empty() || (are_two_products && keeps_species(*reaction, of_high, of_low));
    return may_low && may_high ? rule : Bounce{reaction->restitution};
}

ContactRule rule_at_wall(const ContactRules& rules, const Participant& particle, int face) {
    const SpeciesIndex species = particle.attributes.species;
    const ContactRule& rule = rules.at_body(species, static_cast<std::size_t>(face));
    const React* const reaction = std::get_if<React>(&rule);
    if (reaction == nullptr || particle.tethers.empty() || reaction->products[0] == species) return rule;
    return Bounce{reaction->restitution};
}

std::vector<Contact> reference_tether_breaks(const ContactRules& rules, double timestep, std::uint64_t step,
                                             Particles& particles) {
    if (!particles.track.keeps_tethers()) return {};
    std::map<ParticleId, std::size_t> place;
    for (std::size_t k = 0; k < particles.size(); ++k) place[particles.motion[k].id] = k;
    std::map<std::pair<ParticleId, ParticleId>, std::array<std::size_t, 2>> pairs;  // low and high
    for (const auto& [id, k] : place)
        for (const ParticleId partner : particles.track.tethers()[k].partners())
            if (id < partner) pairs[{id, partner}] = {k, place.at(partner)};
    std::vector<Contact> records;
    for (const auto& [ids, both] : pairs) {
        const auto [low, high] = both;
        const Attributes of_low = particles.attributes[low], of_high = particles.attributes[high];
        const double rate = std::get<Stick>(rules.pair(of_low.species, of_high.species)).break_rate;
        const double probability = fixed::one_minus_exp_of_minus(rate * timestep);
        if (!(rate > 0) || !(number_of(rules, step, ids.first, ids.second) < probability)) continue;
        records.push_back(record_of(rules, particles, low, high));
        forget(particles.track.tethers()[low], ids.second);
        forget(particles.track.tethers()[high], ids.first);
    }
    return records;
}

}  // namespace ricochet::test
