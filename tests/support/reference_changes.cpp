// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_changes.hpp"

#include "core/math.hpp"
#include "model/size_distribution.hpp"
#include "tests/support/reference_arithmetic.hpp"

namespace ricochet::test {

void fly_to(Motion& motion, double time) {
    motion.position = advanced(motion.position, motion.velocity, time - motion.time);
    motion.time = time;
}

void end_particle(Participant& particle) {
    particle.motion.velocity = {};
    particle.attributes = {};
    particle.attributes.species = absent_species;
}

double mass_with(const ContactRules& rules, double diffusion, double ballistic) {
    return rules.energy_time() > 0 ? rules.energy_time() / (2 * diffusion) : ballistic;
}

void become(Participant& particle, SpeciesIndex product, const ContactRules& rules) {
    if (product == absent_species) return end_particle(particle);
    if (particle.attributes.species == product) return;
    const Species& species = rules.species(product);
    particle.attributes.species = product;
    particle.attributes.radius = species.radius;
    particle.attributes.frozen_axes = species.frozen_axes;
    particle.attributes.diffusion = diffusion_of(species, species.radius);
    particle.attributes.mass = mass_with(rules, particle.attributes.diffusion, species.mass);
}

bool reacts(double probability, const ContactScene& scene, const std::optional<bool>& decided,
            const Participant& low, ParticleId high, std::uint64_t num_contacts_of_high) {
    if (decided) return *decided;
    return probability >= 1 || chance_of(scene, low, high, num_contacts_of_high) < probability;
}

Attributes as_species(const Participant& particle, SpeciesIndex product, const ContactRules& rules) {
    Participant after = particle;
    become(after, product, rules);
    return after.attributes;
}

std::optional<double> replace(Participant& particle, const Participant& before, SpeciesIndex product, Vec3 n,
                              const Liberation& by) {
    const Attributes was = particle.attributes;
    become(particle, product, by.rules);
    if (product == absent_species || (was.frozen_axes | particle.attributes.frozen_axes) == 0)
        return std::nullopt;
    const Vec3 velocity = particle.motion.velocity;
    Vec3 stopped = velocity;
    bool stops = false;
    for (int axis = 0; axis < 3; ++axis) {
        if (!is_fixed(particle.attributes, axis)) continue;
        stopped[axis] = 0;
        stops = stops || !is_fixed(was, axis);
    }
    particle.motion.velocity = velocity_as(particle.attributes, was.frozen_axes, velocity, by);
    if (!stops) return std::nullopt;
    return was.mass * dot(stopped - before.motion.velocity, n);
}

double kept_of(double speed, const RestitutionLaw& law) {
    if (law.exponent == 0) return law.value;
    const double times_faster = speed / law.speed;
    if (times_faster <= 0) return 1;
    const double kept = law.value * fixed::exp(-law.exponent * fixed::log(times_faster));
    return kept > 1 ? 1 : kept;
}

}  // namespace ricochet::test
