// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/tether_systems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "model/size_distribution.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

bool is_one_in(HashRandom& random, std::uint64_t count) { return random.index(count) == 0; }

double log_uniform(HashRandom& random, double low, double high) {
    return low * std::pow(high / low, random.uniform());
}

// --- rules ---------------------------------------------------------------------------------------------------

std::uint32_t random_valence(HashRandom& random) {
    return 1 + static_cast<std::uint32_t>(random.index(is_one_in(random, 2) ? 3 : 12));
}

double random_restitution(HashRandom& random) {
    if (is_one_in(random, 2)) return 1;
    return is_one_in(random, 6) ? 0 : random.uniform(0.3, 1);
}

/// Exact lengths let tethers of a lattice be taut at one time.
double random_length(HashRandom& random) {
    if (is_one_in(random, 4)) return 1 + 0.25 * static_cast<double>(1 + random.index(4));
    return 1 + log_uniform(random, 0.02, 1);
}

/// The rate of two species; infinite in one of three.
double random_rate(const World& world, SpeciesIndex a, SpeciesIndex b, HashRandom& random) {
    if (is_one_in(random, 3)) return std::numeric_limits<double>::infinity();
    const auto diffusion = [&](SpeciesIndex k) {
        return diffusion_of(world.species[k], world.species[k].radius);
    };
    const double distance = world.species[a].radius + world.species[b].radius;
    const double surface = std::numbers::pi * (world.box.dimension == 2 ? 2 : 4 * distance);
    return log_uniform(random, 0.2, 50) * surface * (diffusion(a) + diffusion(b));
}

Stick random_stick(const System& system, SpeciesIndex a, SpeciesIndex b, HashRandom& random) {
    Stick rule;
    rule.length = random_length(random);
    rule.first = is_one_in(random, 2) ? a : b;
    rule.valence[0] = random_valence(random);
    rule.valence[1] = is_one_in(random, 2) ? rule.valence[0] : random_valence(random);
    rule.break_rate = is_one_in(random, 3) ? 0 : log_uniform(random, 0.02, 2) / system.dt;
    rule.probability = is_one_in(random, 2) ? 1 : random.uniform();
    rule.restitution = random_restitution(random);
    if (rules_of(system).have_rates()) rule.rate = random_rate(*system.world, a, b, random);
    return rule;
}

/// In place of coalescence.
ContactRule other_rule(SpeciesIndex a, HashRandom& random) {
    if (is_one_in(random, 2)) return Bounce{};
    return React{a, {is_one_in(random, 2) ? a : absent_species, absent_species}};
}

void let_species_stick(System& system, HashRandom& random) {
    World& world = *system.world;
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    std::vector<bool> may_stick(num_species);
    for (SpeciesIndex a = 0; a < num_species; ++a) may_stick[a] = a == 0 || !is_one_in(random, 3);
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = a; b < num_species; ++b) {
            if (b > 0 && (!may_stick[a] || !may_stick[b] || is_one_in(random, 4))) continue;
            const RuleNumber number = ContactRules(world).pair_number(a, b);
            set_pair(world, a, b, random_stick(system, a, b, random), number);
        }
    const ContactRules rules(world);
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = a; b < num_species; ++b)
            if ((rules.sticks(a) || rules.sticks(b)) && std::holds_alternative<Coalesce>(rules.pair(a, b)))
                set_pair(world, a, b, other_rule(a, random), rules.pair_number(a, b));
}

// --- room ----------------------------------------------------------------------------------------------------

double largest_radius(const System& system) {
    double largest = 0;
    for (const Attributes& a : system.particles.attributes) largest = std::max(largest, a.radius);
    for (const Species& species : system.world->species) largest = std::max(largest, species.radius);
    return largest;
}

double largest_reach(const System& system) {
    const ContactRules rules(*system.world);
    double largest = rules.largest_reach_of_products();
    for (const Attributes& a : system.particles.attributes) largest = std::max(largest, rules.reach(a));
    return largest;
}

/// Half of a period is at least this for two at rest.
double least_half_period(const System& system) {
    return 2.01 * largest_radius(system) + 2.01 * largest_reach(system);
}

void make_room(System& system) {
    const double least = 1.5 * least_half_period(system);
    for (int axis = 0; axis < system.box.dimension; ++axis)
        if (0.5 * system.box.size[axis] < least)
            system.box.boundary[static_cast<std::size_t>(axis)] = Boundary::reflecting;
}

/// With unique nearest images at the start.
double longest_step(const System& system) {
    double fastest = 0.01, half_period = 7;
    for (const Motion& motion : system.particles.motion) fastest = std::max(fastest, norm(motion.velocity));
    for (int axis = 0; axis < system.box.dimension; ++axis)
        if (system.box.is_periodic(axis)) half_period = std::min(half_period, 0.5 * system.box.size[axis]);
    return std::max(0.1, half_period - least_half_period(system)) / (2 * fastest);
}

// --- the start -----------------------------------------------------------------------------------------------

void tether_near_pairs(System& system, HashRandom& random) {
    Particles& particles = system.particles;
    particles.track.keep_tethers();
    const auto tethers = particles.track.tethers();
    const ImageLengths images(system.box);
    const ContactRules rules(*system.world);
    for (std::size_t i = 0; i < particles.size(); ++i)
        for (std::size_t j = i + 1; j < particles.size(); ++j) {
            const Attributes a = particles.attributes[i], b = particles.attributes[j];
            const Stick* const rule = rules.stick(a.species, b.species);
            const Vec3 r = minimum_image(particles.motion[j].position - particles.motion[i].position, images);
            if (rule == nullptr || norm(r) > rule->length * (a.radius + b.radius)) continue;
            if (tethers[i].size() >= rule->valence_of(a.species) ||
                tethers[j].size() >= rule->valence_of(b.species) || is_one_in(random, 2))
                continue;
            tethers[i].add(particles.motion[j].id, b.species);
            tethers[j].add(particles.motion[i].id, a.species);
        }
}

}  // namespace

void give_random_tethers(System& system, HashRandom& random) {
    let_species_stick(system, random);
    make_room(system);
    if (is_one_in(random, 2)) tether_near_pairs(system, random);
}

System arbitrary_tether_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x746574686572);
    System system = arbitrary_rule_system(random.bits());
    system.name = "arbitrary system with tethers " + std::to_string(seed);
    system.num_steps = 2 + static_cast<int>(random.index(5));
    give_random_tethers(system, random);
    system.dt = std::min(system.dt, random.uniform(0.3, 1) * longest_step(system));
    return system;
}

System arbitrary_tethered_rate_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x7465746872617465);
    System system = arbitrary_rate_system(random.bits());
    system.name = "arbitrary system with rates and tethers " + std::to_string(seed);
    give_random_tethers(system, random);
    return system;
}

std::string what_is_wrong_with_tethers(const Particles& particles) {
    if (!particles.track.keeps_tethers()) return "";
    std::map<ParticleId, std::size_t> place;
    for (std::size_t k = 0; k < particles.size(); ++k) place[particles.motion[k].id] = k;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const ParticleId own = particles.motion[k].id;
        const Tethers& tethers = particles.track.tethers()[k];
        for (std::uint32_t n = 0; n < tethers.size(); ++n) {
            const ParticleId other = tethers.partner(n);
            const std::string pair = std::to_string(own) + " and " + std::to_string(other);
            const auto found = place.find(other);
            if (found == place.end()) return pair + ": the other is no more";
            if (!particles.track.tethers()[found->second].holds(own)) return pair + ": only one knows";
            if (particles.attributes[found->second].species != tethers.species(n))
                return pair + ": wrong species";
            for (std::uint32_t m = 0; m < n; ++m)
                if (tethers.partner(m) == other) return pair + ": twice";
        }
    }
    return "";
}

}  // namespace ricochet::test
