// SPDX-License-Identifier: BSD-3-Clause
//
// Random Brownian systems whose contacts react at rates. The random rules without rates are in rule_systems.cpp.
//
// As there, reactions that lead back to the same species may never end where three particles overlap. Three of four
// systems have none of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/size_distribution.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::array<SpeciesIndex, 2> nothing{absent_species, absent_species};

bool is_one_in(HashRandom& random, std::uint64_t count) { return random.index(count) == 0; }

double log_uniform(HashRandom& random, double low, double high) {
    return low * std::pow(high / low, random.uniform());
}

// --- rules ---------------------------------------------------------------------------------------------------

/// Draws rules with rates that suit the species.
struct RateSource {
    HashRandom& random;
    const std::vector<Species>& table;
    int dimension;
    bool reactions_end;

    SpeciesIndex species() { return static_cast<SpeciesIndex>(random.index(table.size())); }
    double diffusion(SpeciesIndex a) const { return diffusion_of(table[a], table[a].radius); }
    double rate_of_pair(SpeciesIndex a, SpeciesIndex b);
    double rate_at_wall(SpeciesIndex a);
    React reaction(SpeciesIndex first, std::array<SpeciesIndex, 2> products, double rate);
    ContactRule of_pair(SpeciesIndex a, SpeciesIndex b);
    ContactRule at_wall(SpeciesIndex a);
    /// Two products, or only the first where two might never end.
    std::array<SpeciesIndex, 2> products(SpeciesIndex one, SpeciesIndex two, SpeciesIndex sum_before) const {
        return {one, !reactions_end || one + two < sum_before ? two : absent_species};
    }
};

double RateSource::rate_of_pair(SpeciesIndex a, SpeciesIndex b) {
    if (is_one_in(random, 3)) return std::numeric_limits<double>::infinity();
    const double contact_distance = table[a].radius + table[b].radius;
    const double h_contact_distance = log_uniform(random, 0.05, 50);
    const double circumference = dimension == 2 ? 2 * pi : 4 * pi * contact_distance;
    return h_contact_distance * circumference * (diffusion(a) + diffusion(b));
}

double RateSource::rate_at_wall(SpeciesIndex a) {
    if (is_one_in(random, 3)) return std::numeric_limits<double>::infinity();
    return log_uniform(random, 0.05, 50) * diffusion(a) / table[a].radius;
}

/// The probability is for contacts without rates; with them it only matters whether it is 1.
React RateSource::reaction(SpeciesIndex first, std::array<SpeciesIndex, 2> products, double rate) {
    React react{first, products, is_one_in(random, 8) ? 0.5 : 1};
    react.restitution = is_one_in(random, 4) ? random.uniform(0.3, 1) : 1;
    react.rate = rate;
    return react;
}

ContactRule RateSource::of_pair(SpeciesIndex a, SpeciesIndex b) {
    if (is_one_in(random, 2)) std::swap(a, b);
    const double rate = rate_of_pair(a, b);
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
            return reaction(a, {a, absent_species}, rate);
        case 6:
        case 7:
            return reaction(a, products(a, two, a + b), rate);
        default:
            return reaction(a, products(one, two, a + b), rate);
    }
}

ContactRule RateSource::at_wall(SpeciesIndex a) {
    if (is_one_in(random, 2)) return Bounce{};
    const double rate = rate_at_wall(a);
    if (is_one_in(random, 3)) return reaction(a, nothing, rate);
    return reaction(a, {species(), absent_species}, rate);
}

/// One theme for all, or another rule for each pair and wall.
void set_random_rates(World& world, HashRandom& random) {
    const std::vector<Species>& table = world.species;
    RateSource source{random, table, world.box.dimension, !is_one_in(random, 4)};
    const std::uint64_t theme = random.index(10);
    const auto num_species = static_cast<SpeciesIndex>(table.size());
    RuleNumber number = 0;
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) {
            ContactRule rule = source.of_pair(a, b);
            if (theme == 0) rule = Coalesce{source.rate_of_pair(a, b)};
            if (theme == 1) rule = source.reaction(a, nothing, source.rate_of_pair(a, b));
            if (theme == 2) rule = source.reaction(a, {a, absent_species}, source.rate_of_pair(a, b));
            if (theme == 3) rule = Bounce{};  // walls alone have rates
            set_pair(world, a, b, rule, number++);
        }
        set_wall(world, a, source.at_wall(a), number++);
        if (is_one_in(random, 3)) set_wall_face(world, a, random.index(6), source.at_wall(a), number++);
    }
}

// --- species -------------------------------------------------------------------------------------------------

/// The species that the particles have, and up to two that only products have.
std::vector<Species> radii_of(const System& system, HashRandom& random) {
    std::vector<Species> table;
    double largest = 0;
    for (const Attributes& a : system.particles.attributes) {
        if (a.species >= table.size()) table.resize(a.species + 1);
        table[a.species].radius = a.radius;
        largest = std::max(largest, a.radius);
    }
    for (std::uint64_t extra = random.index(3) + (table.empty() ? 1 : 0); extra > 0; --extra)
        table.emplace_back().radius = (largest > 0 ? largest : 0.1) * log_uniform(random, 0.2, 2);
    for (Species& species : table)  // a kind of which there is no particle
        if (species.radius == 0) species.radius = table.back().radius;
    return table;
}

/// Each its own, or all by Stokes and Einstein. `typical`: of the species with the largest radius.
void give_diffusion(std::vector<Species>& table, double typical, HashRandom& random) {
    const bool is_by_size = is_one_in(random, 2);
    const double spread = is_one_in(random, 2) ? 1 : 5;
    double largest = 0;
    for (const Species& species : table) largest = std::max(largest, species.radius);
    for (Species& species : table) {
        species.diffusion = typical / log_uniform(random, 1, spread);
        if (is_by_size) species.stokes_einstein = StokesEinstein{1, 6 * pi * largest * typical};
    }
}

/// One species becomes up to three, which look the same.
void divide_into_species(System& system, HashRandom& random) {
    AttributeList& all = system.particles.attributes;
    const bool is_one_species =
        std::all_of(all.begin(), all.end(), [](const Attributes& a) { return a.species == 0; });
    const std::uint64_t num_species = is_one_species ? 1 + random.index(3) : 1;
    for (std::size_t k = 0; k < all.size() && num_species > 1; ++k)
        all.edit(k).species = static_cast<SpeciesIndex>(random.index(num_species));
}

// --- systems -------------------------------------------------------------------------------------------------

double shortest_edge(const Box& box) {
    return std::min({box.size.x, box.size.y, box.dimension == 3 ? box.size.z : box.size.y});
}

/// Dense in a part of the box, so that long steps have unique nearest images all the same.
void fill_with_gas(System& system, HashRandom& random) {
    const int dimension = system.box.dimension;
    const double largest = shortest_edge(system.box) * log_uniform(random, 0.015, 0.06);
    const double ratio = is_one_in(random, 4) ? 20 : 3;
    const double part = is_one_in(random, 3) ? 1 : random.uniform(0.35, 0.8);
    const double density = log_uniform(random, 0.05, 0.3);
    double room = density * std::pow(part, dimension) * system.box.volume();
    std::vector<Kind> kinds(1 + random.index(3));
    for (Kind& kind : kinds) {
        kind.radius = largest / (&kind == kinds.data() ? 1 : log_uniform(random, 1, ratio));
        const double content = std::pow(2 * kind.radius, dimension);
        kind.count = std::min<std::size_t>(static_cast<std::size_t>(room / content), 20 + random.index(30));
        room -= content * static_cast<double>(kind.count);
    }
    const Vec3 low = random.uniform(0, 1 - part) * system.box.size;
    fill_at_random(system, kinds, low, low + part * system.box.size, random.bits());
}

/// As products would leave them.
void let_overlap(System& system, HashRandom& random) {
    const double wider = random.uniform(1.05, 1.5);
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) all.edit(k).radius *= wider;
}

// --- room ----------------------------------------------------------------------------------------------------

bool some_coalesce(const ContactRules& rules) {
    for (SpeciesIndex a = 0; a < rules.num_species(); ++a)
        for (SpeciesIndex b = a; b < rules.num_species(); ++b)
            if (std::holds_alternative<Coalesce>(rules.pair(a, b))) return true;
    return false;
}

/// The largest radius of all particles in one, where some coalesce, and of all products.
double widest_product(const System& system, const ContactRules& rules) {
    double content = 0, widest = 0;
    for (const Attributes& a : system.particles.attributes) {
        content += std::pow(a.radius, system.box.dimension);
        widest = std::max(widest, a.radius);
    }
    for (SpeciesIndex k = 0; k < rules.num_species(); ++k) widest = std::max(widest, rules.species(k).radius);
    return some_coalesce(rules) ? std::max(widest, std::pow(content, 1.0 / system.box.dimension)) : widest;
}

/// Walls where two products might not have unique nearest images. A step in whose parts they keep arising has hundreds
/// of thousands of them: each part decides anew.
void make_room(System& system, const ContactRules& rules) {
    double reach = rules.largest_reach_of_products();
    for (const Attributes& a : system.particles.attributes) reach = std::max(reach, rules.reach(a));
    const double least = 4.4 * (widest_product(system, rules) + reach);
    for (int axis = 0; axis < system.box.dimension; ++axis)
        if (system.box.size[axis] < least)
            system.box.boundary[static_cast<std::size_t>(axis)] = Boundary::reflecting;
}

}  // namespace

void give_random_rates(System& system, HashRandom& random) {
    divide_into_species(system, random);
    std::vector<Species> table = radii_of(system, random);
    const double longest = 0.05 * shortest_edge(system.box);  // with unique nearest images
    const double step = std::min(longest, log_uniform(random, 0.02, 1) * 2 * table.front().radius);
    const double typical = step * step / (4 * system.dt);
    give_diffusion(table, typical, random);
    World world;
    world.box = system.box;
    world.species = std::move(table);
    set_random_rates(world, random);
    const double energy_time = make_brownian(world, 2 * typical * log_uniform(random, 0.1, 10), system.dt);
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) {
        Attributes& attributes = all.edit(k);
        attributes.diffusion = diffusion_of(world.species[attributes.species], attributes.radius);
        attributes.mass = energy_time / (2 * attributes.diffusion);
    }
    world.seed = random.bits();
    make_room(system, ContactRules(world));
    system.world = std::move(world);
    share_records_of_some(system);
}

double brownian_speed(const System& system) { return std::sqrt(world_of(system).bath_energy.value()); }

System arbitrary_rate_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x7261746573);
    System system;
    system.name = "arbitrary system with rates " + std::to_string(seed);
    const int dimension = is_one_in(random, 2) ? 2 : 3;
    Vec3 size;
    for (int axis = 0; axis < dimension; ++axis) size[axis] = random.uniform(6, 14);
    system.box = periodic_box(size);
    for (auto& boundary : system.box.boundary)
        if (is_one_in(random, 3)) boundary = Boundary::reflecting;
    fill_with_gas(system, random);
    if (is_one_in(random, 4)) let_overlap(system, random);
    system.dt = log_uniform(random, 0.01, 1);
    system.num_steps = 4 + static_cast<int>(random.index(4));
    give_random_rates(system, random);
    if (is_one_in(random, 2)) scatter_ids(system, random.bits());
    return system;
}

}  // namespace ricochet::test
