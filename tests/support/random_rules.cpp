// SPDX-License-Identifier: BSD-3-Clause
//
// Random rules for systems of any particles: at contacts, at rates, and tethers.
//
// Rules that react for certain and lead back to the same species never end where three particles overlap: the
// step ends at the contact cap then. Three of four systems have only reactions that end: two products are of
// lower species, taken together, than the partners.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/size_distribution.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();

// --- rules ---------------------------------------------------------------------------------------------------

/// Draws rules for pairs of a world's species.
struct RuleSource {
    HashRandom& random;
    const World& world;
    bool reactions_end;

    SpeciesIndex species() { return static_cast<SpeciesIndex>(random.index(world.species.size())); }
    /// Two products, or only the first where two might never end.
    std::array<SpeciesIndex, 2> products(SpeciesIndex one, SpeciesIndex two, SpeciesIndex sum_before) const {
        return {one, !reactions_end || one + two < sum_before ? two : absent_species};
    }
};

/// At contacts.
struct ContactRuleSource : RuleSource {
    static constexpr bool has_rates = false;

    double probability() {
        if (random.is_one_in(2)) return 1;
        return random.is_one_in(4) ? 0.02 : random.uniform();
    }
    double restitution() { return random.is_one_in(2) ? 1 : random.uniform(0.3, 1); }
    Bounce bounce() { return {restitution()}; }
    double pair_rate(SpeciesIndex, SpeciesIndex) const { return infinite; }
    React reaction(SpeciesIndex first, std::array<SpeciesIndex, 2> to, double rate = infinite) {
        return {first, to, probability(), restitution(), rate};
    }
    ContactRule of_pair(SpeciesIndex a, SpeciesIndex b);
    ContactRule of_wall(SpeciesIndex a);
};

ContactRule ContactRuleSource::of_pair(SpeciesIndex a, SpeciesIndex b) {
    if (random.is_one_in(2)) std::swap(a, b);
    switch (random.index(10)) {
        case 0:
        case 1:
        case 2:
            return bounce();
        case 3:
            return Pass{};
        case 4:
            return Coalesce{};
        case 5:
            return reaction(a, nothing);
        case 6:
            return reaction(a, only(a));
        case 7:  // the partner a stays as it is
            return reaction(a, products(a, species(), a + b));
        default: {
            const SpeciesIndex one = species(), two = species();
            return reaction(a, products(one, two, a + b));
        }
    }
}

ContactRule ContactRuleSource::of_wall(SpeciesIndex a) {
    if (!random.is_one_in(3)) return bounce();
    if (random.is_one_in(3)) return reaction(a, nothing);
    return reaction(a, only(species()));
}

/// The rate at which two species react, h R being `least` to 50; infinite in one of three.
double random_pair_rate(const World& world, SpeciesIndex a, SpeciesIndex b, double least,
                        HashRandom& random) {
    if (random.is_one_in(3)) return infinite;
    const Species &one = world.species[a], &other = world.species[b];
    const double circumference = world.box.dimension == 2 ? 2 * pi : 4 * pi * (one.radius + other.radius);
    return random.log_uniform(least, 50) * circumference *
           (diffusion_of(one, one.radius) + diffusion_of(other, other.radius));
}

/// At rates that suit the species.
struct RateSource : RuleSource {
    static constexpr bool has_rates = true;

    double pair_rate(SpeciesIndex a, SpeciesIndex b) { return random_pair_rate(world, a, b, 0.05, random); }
    double wall_rate(SpeciesIndex a) {
        if (random.is_one_in(3)) return infinite;
        const Species& species = world.species[a];
        return random.log_uniform(0.05, 50) * diffusion_of(species, species.radius) / species.radius;
    }
    /// The probability is for contacts without rates; with them it only matters whether it is 1.
    React reaction(SpeciesIndex first, std::array<SpeciesIndex, 2> to, double rate) {
        const double probability = random.is_one_in(8) ? 0.5 : 1;
        return {first, to, probability, random.is_one_in(4) ? random.uniform(0.3, 1) : 1, rate};
    }
    ContactRule of_pair(SpeciesIndex a, SpeciesIndex b);
    ContactRule of_wall(SpeciesIndex a);
};

ContactRule RateSource::of_pair(SpeciesIndex a, SpeciesIndex b) {
    if (random.is_one_in(2)) std::swap(a, b);
    const double rate = pair_rate(a, b);
    const SpeciesIndex one = species(), two = species();
    switch (random.index(10)) {
        case 0:
            return Bounce{};
        case 1:
            return Pass{};
        case 2:
            return Coalesce{rate};
        case 3:
        case 4:
            return reaction(a, nothing, rate);
        case 5:
            return reaction(a, only(a), rate);
        case 6:
        case 7:
            return reaction(a, products(a, two, a + b), rate);
        default:
            return reaction(a, products(one, two, a + b), rate);
    }
}

ContactRule RateSource::of_wall(SpeciesIndex a) {
    if (random.is_one_in(2)) return Bounce{};
    const double rate = wall_rate(a);
    if (random.is_one_in(3)) return reaction(a, nothing, rate);
    return reaction(a, only(species()), rate);
}

/// One theme for all, or another rule for each pair and wall. The rules' numbers tell them apart.
template <class Source>
void set_random_rules(World& world, HashRandom& random) {
    Source source{{random, world, !random.is_one_in(4)}};
    const std::uint64_t theme = random.index(10);
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    RuleNumber number = 0;
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) {
            ContactRule rule = source.of_pair(a, b);
            if (theme == 0) rule = Coalesce{source.pair_rate(a, b)};
            if (theme == 1) rule = source.reaction(a, nothing, source.pair_rate(a, b));
            if (theme == 2) rule = source.reaction(a, only(a), source.pair_rate(a, b));
            if (theme == 3 && Source::has_rates) rule = Bounce{};  // walls alone have rates
            set_pair(world, a, b, rule, number++);
        }
        set_wall(world, a, source.of_wall(a), number++);
        if (random.is_one_in(3)) set_wall_face(world, a, random.index(6), source.of_wall(a), number++);
    }
}

void set_bounces(World& world, const Restitution& restitution) {
    for (SpeciesIndex a = 0; a < world.species.size(); ++a) {
        for (SpeciesIndex b = a; b < world.species.size(); ++b)
            set_pair(world, a, b, Bounce{restitution(a, b)});
        set_wall(world, a, Bounce{restitution(a, wall_species)});
    }
}

// --- species -------------------------------------------------------------------------------------------------

/// One species becomes up to three, which look the same.
void divide_into_species(System& system, HashRandom& random) {
    AttributeList& all = system.particles.attributes;
    const bool is_one_species =
        std::all_of(all.begin(), all.end(), [](const Attributes& a) { return a.species == 0; });
    const std::uint64_t num_species = is_one_species ? 1 + random.index(3) : 1;
    for (std::size_t k = 0; k < all.size() && num_species > 1; ++k)
        all.edit(k).species = static_cast<SpeciesIndex>(random.index(num_species));
}

/// The species that the particles have, and up to two that only products have. Brownian ones without masses.
std::vector<Species> species_of(const System& system, bool are_brownian, HashRandom& random) {
    std::vector<Species> table;
    for (const Attributes& a : system.particles.attributes) {
        if (a.species >= table.size()) table.resize(a.species + 1);
        table[a.species].radius = a.radius;
        table[a.species].frozen_axes = a.frozen_axes;
        if (!are_brownian) table[a.species].mass = a.mass;
    }
    const double largest = largest_radius(system.particles);
    for (std::uint64_t extra = random.index(3) + (table.empty() ? 1 : 0); extra > 0; --extra) {
        Species& product = table.emplace_back();
        product.radius = (largest > 0 ? largest : 0.1) * random.log_uniform(are_brownian ? 0.2 : 0.1, 2);
        if (!are_brownian) product.mass = random.is_one_in(2) ? 1 : random.log_uniform(0.05, 20);
    }
    for (Species& species : table)  // a kind of which there is no particle
        if (species.radius == 0) species = table.back();
    return table;
}

/// Each its own, or all by Stokes and Einstein. `typical`: of the species with the largest radius.
void give_diffusion(std::vector<Species>& table, double typical, HashRandom& random) {
    const bool is_by_size = random.is_one_in(2);
    const double spread = random.is_one_in(2) ? 1 : 5;
    double largest = 0;
    for (const Species& species : table) largest = std::max(largest, species.radius);
    for (Species& species : table) {
        species.diffusion = typical / random.log_uniform(1, spread);
        if (is_by_size) species.stokes_einstein = StokesEinstein{1, 6 * pi * largest * typical};
    }
}

/// The particles get the diffusion of their species, and the masses that it means.
void make_particles_brownian(System& system, const World& world, double energy_time) {
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) {
        Attributes& attributes = all.edit(k);
        attributes.diffusion = diffusion_of(world.species[attributes.species], attributes.radius);
        attributes.mass = energy_time / (2 * attributes.diffusion);
    }
}

/// Diffusion for all species. They react at contacts.
void make_masses_brownian(System& system, World& world, HashRandom& random) {
    const double energy_time = make_brownian(world, random.log_uniform(0.01, 1), system.dt);
    world.has_rates = false;
    const bool is_by_size = random.is_one_in(2);
    for (Species& species : world.species) {
        species.diffusion = 0.5 * energy_time / random.log_uniform(0.2, 5);
        if (is_by_size) species.stokes_einstein = StokesEinstein{0.2, 0.5 * energy_time};
    }
    make_particles_brownian(system, world, energy_time);
}

// --- room ----------------------------------------------------------------------------------------------------

double largest_reach(const System& system, const ContactRules& rules) {
    double largest = rules.largest_reach_of_products();
    for (const Attributes& a : system.particles.attributes) largest = std::max(largest, rules.reach(a));
    return largest;
}

/// Of particles and products.
double largest_radius_of_any(const System& system) {
    double largest = largest_radius(system.particles);
    for (const Species& species : system.world->species) largest = std::max(largest, species.radius);
    return largest;
}

/// That of all particles in one, where some coalesce.
double largest_radius_ever(const System& system, const ContactRules& rules) {
    bool some_coalesce = false;
    for (SpeciesIndex a = 0; a < rules.num_species(); ++a)
        for (SpeciesIndex b = a; b < rules.num_species(); ++b)
            some_coalesce |= std::holds_alternative<Coalesce>(rules.pair(a, b));
    if (!some_coalesce) return largest_radius_of_any(system);
    double content = 0;
    for (const Attributes& a : system.particles.attributes)
        content += std::pow(a.radius, system.box.dimension);
    return std::max(largest_radius_of_any(system), std::pow(content, 1.0 / system.box.dimension));
}

/// Half of a period is at least this for two at rest, with tethers.
double least_half_period(const System& system) {
    return 2.01 * largest_radius_of_any(system) + 2.01 * largest_reach(system, ContactRules(*system.world));
}

/// Walls in place of periods below `least`.
void make_room(Box& box, double least) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.size[axis] < least) box.boundary[static_cast<std::size_t>(axis)] = Boundary::reflecting;
}

// --- tethers -------------------------------------------------------------------------------------------------

std::uint32_t random_valence(HashRandom& random) {
    return 1 + static_cast<std::uint32_t>(random.index(random.is_one_in(2) ? 3 : 12));
}

double random_restitution(HashRandom& random) {
    if (random.is_one_in(2)) return 1;
    return random.is_one_in(6) ? 0 : random.uniform(0.3, 1);
}

/// Exact lengths let tethers of a lattice be taut at one time.
double random_length(HashRandom& random) {
    if (random.is_one_in(4)) return 1 + 0.25 * static_cast<double>(1 + random.index(4));
    return 1 + random.log_uniform(0.02, 1);
}

Stick random_stick(const System& system, SpeciesIndex a, SpeciesIndex b, HashRandom& random) {
    Stick rule;
    rule.length = random_length(random);
    rule.first = random.is_one_in(2) ? a : b;
    rule.valence[0] = random_valence(random);
    rule.valence[1] = random.is_one_in(2) ? rule.valence[0] : random_valence(random);
    rule.break_rate = random.is_one_in(3) ? 0 : random.log_uniform(0.02, 2) / system.dt;
    rule.probability = random.is_one_in(2) ? 1 : random.uniform();
    rule.restitution = random_restitution(random);
    if (rules_of(system).have_rates()) rule.rate = random_pair_rate(*system.world, a, b, 0.2, random);
    return rule;
}

/// In place of coalescence.
ContactRule other_rule(SpeciesIndex a, HashRandom& random) {
    if (random.is_one_in(2)) return Bounce{};
    return React{a, random.is_one_in(2) ? only(a) : nothing};
}

void let_species_stick(System& system, HashRandom& random) {
    World& world = *system.world;
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    std::vector<bool> may_stick(num_species);
    for (SpeciesIndex a = 0; a < num_species; ++a) may_stick[a] = a == 0 || !random.is_one_in(3);
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = a; b < num_species; ++b) {
            if (b > 0 && (!may_stick[a] || !may_stick[b] || random.is_one_in(4))) continue;
            const RuleNumber number = ContactRules(world).pair_number(a, b);
            set_pair(world, a, b, random_stick(system, a, b, random), number);
        }
    const ContactRules rules(world);
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = a; b < num_species; ++b)
            if ((rules.sticks(a) || rules.sticks(b)) && std::holds_alternative<Coalesce>(rules.pair(a, b)))
                set_pair(world, a, b, other_rule(a, random), rules.pair_number(a, b));
}

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
                tethers[j].size() >= rule->valence_of(b.species) || random.is_one_in(2))
                continue;
            tethers[i].add(particles.motion[j].id, b.species);
            tethers[j].add(particles.motion[i].id, a.species);
        }
}

// --- systems -------------------------------------------------------------------------------------------------

/// `set_rules`: of pairs and walls.
template <class SetRules>
void give_rules(System& system, HashRandom& random, SetRules&& set_rules) {
    divide_into_species(system, random);
    World world;
    world.box = system.box;
    world.species = species_of(system, false, random);
    set_rules(world);
    if (random.is_one_in(4)) make_masses_brownian(system, world, random);
    world.seed = random.bits();
    system.world = std::move(world);
    share_records_of_some(system);
}

}  // namespace

void give_random_rules(System& system, HashRandom& random) {
    give_rules(system, random, [&](World& world) { set_random_rules<ContactRuleSource>(world, random); });
}

void give_random_products(System& system, HashRandom& random) {
    give_rules(system, random, [&](World& world) { set_bounces(world, system.restitution); });
}

void give_random_rates(System& system, HashRandom& random) {
    divide_into_species(system, random);
    World world;
    world.box = system.box;
    world.species = species_of(system, true, random);
    const double longest = 0.05 * shortest_edge(system.box);  // with unique nearest images
    const double step = std::min(longest, random.log_uniform(0.02, 1) * 2 * world.species.front().radius);
    const double typical = step * step / (4 * system.dt);
    give_diffusion(world.species, typical, random);
    set_random_rules<RateSource>(world, random);
    const double energy_time = make_brownian(world, 2 * typical * random.log_uniform(0.1, 10), system.dt);
    make_particles_brownian(system, world, energy_time);
    world.seed = random.bits();
    const ContactRules rules(world);
    system.world = std::move(world);
    // A step in whose parts products without unique nearest images keep arising has hundreds of thousands of them: each
    // part decides anew.
    make_room(system.box, 4.4 * (largest_radius_ever(system, rules) + largest_reach(system, rules)));
    share_records_of_some(system);
}

double brownian_speed(const System& system) { return std::sqrt(world_of(system).bath_energy.value()); }

void give_random_tethers(System& system, HashRandom& random) {
    let_species_stick(system, random);
    make_room(system.box, 2 * (1.5 * least_half_period(system)));
    if (random.is_one_in(2)) tether_near_pairs(system, random);
}

double longest_tethered_step(const System& system) {
    const double half_period = 0.5 * shortest_period(system.box, 14);
    const double fastest = std::max(0.01, fastest_speed(system.particles));
    return std::max(0.1, half_period - least_half_period(system)) / (2 * fastest);
}

}  // namespace ricochet::test
