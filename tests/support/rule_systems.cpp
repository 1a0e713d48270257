// SPDX-License-Identifier: BSD-3-Clause
//
// The random systems with rules. The hard cases are in rule_degenerate_systems.cpp.
//
// Rules that react for certain and lead back to the same species never end where three particles overlap: the
// step ends at the contact cap then. Three of four systems have only reactions that end: two products are of
// lower species, taken together, than the partners.
#include "tests/support/rule_systems.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::test {
namespace {

bool is_one_in(HashRandom& random, std::uint64_t count) { return random.index(count) == 0; }

double log_uniform(HashRandom& random, double low, double high) {
    return low * std::pow(high / low, random.uniform());
}

// --- rules ---------------------------------------------------------------------------------------------------

/// Draws rules for pairs of `num_species` species.
struct RuleSource {
    HashRandom& random;
    SpeciesIndex num_species;
    bool reactions_end;

    SpeciesIndex species() { return static_cast<SpeciesIndex>(random.index(num_species)); }
    double probability() {
        if (is_one_in(random, 2)) return 1;
        return is_one_in(random, 4) ? 0.02 : random.uniform();
    }
    double restitution() { return is_one_in(random, 2) ? 1 : random.uniform(0.3, 1); }
    Bounce bounce() { return {restitution()}; }
    React reaction(SpeciesIndex first, std::array<SpeciesIndex, 2> products) {
        return {first, products, probability(), restitution()};
    }
    /// A reaction of species a and b to one product or, where that may be, to two.
    React conversion(SpeciesIndex a, SpeciesIndex b) {
        const SpeciesIndex one = species(), two = species();
        const bool may_be_two = !reactions_end || one + two < a + b;
        return reaction(a, {one, may_be_two ? two : absent_species});
    }
    /// The partner a stays as it is.
    React catalysis(SpeciesIndex a, SpeciesIndex b) {
        const SpeciesIndex product = species();
        return reaction(a, {a, !reactions_end || product < b ? product : absent_species});
    }
    ContactRule of_pair(SpeciesIndex a, SpeciesIndex b);
    ContactRule of_wall(SpeciesIndex a);
};

ContactRule RuleSource::of_pair(SpeciesIndex a, SpeciesIndex b) {
    if (is_one_in(random, 2)) std::swap(a, b);
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
            return reaction(a, {absent_species, absent_species});
        case 6:
            return reaction(a, {a, absent_species});
        case 7:
            return catalysis(a, b);
        default:
            return conversion(a, b);
    }
}

ContactRule RuleSource::of_wall(SpeciesIndex a) {
    if (!is_one_in(random, 3)) return bounce();
    if (is_one_in(random, 3)) return reaction(a, {absent_species, absent_species});
    return reaction(a, {species(), absent_species});
}

/// One rule for everything, or another for each pair and wall. The rules' numbers tell them apart.
void set_random_rules(World& world, HashRandom& random) {
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    RuleSource source{random, num_species, !is_one_in(random, 4)};
    const std::uint64_t theme = random.index(10);
    RuleNumber number = 0;
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) {
            ContactRule rule = source.of_pair(a, b);
            if (theme == 0) rule = Coalesce{};
            if (theme == 1) rule = source.reaction(a, {absent_species, absent_species});
            if (theme == 2) rule = source.reaction(a, {a, absent_species});
            set_pair(world, a, b, rule, number++);
        }
        set_wall(world, a, source.of_wall(a), number++);
        if (is_one_in(random, 3)) set_wall_face(world, a, random.index(6), source.of_wall(a), number++);
    }
}

// --- species -------------------------------------------------------------------------------------------------

/// Some particles of a system with a single species become another one, which looks the same.
void divide_into_species(System& system, HashRandom& random) {
    AttributeList& all = system.particles.attributes;
    const bool is_one_species =
        std::all_of(all.begin(), all.end(), [](const Attributes& a) { return a.species == 0; });
    const std::uint64_t num_species = is_one_species ? 1 + random.index(3) : 1;
    for (std::size_t k = 0; k < all.size() && num_species > 1; ++k)
        all.edit(k).species = static_cast<SpeciesIndex>(random.index(num_species));
}

/// The species that the particles have, and up to two that only products have.
std::vector<Species> species_of(const System& system, HashRandom& random) {
    std::vector<Species> table;
    double largest = 0;
    for (const Attributes& a : system.particles.attributes) {
        if (a.species >= table.size()) table.resize(a.species + 1);
        table[a.species].radius = a.radius;
        table[a.species].mass = a.mass;
        largest = std::max(largest, a.radius);
    }
    for (std::uint64_t extra = random.index(3) + (table.empty() ? 1 : 0); extra > 0; --extra) {
        Species product;
        product.radius = (largest > 0 ? largest : 0.1) * log_uniform(random, 0.1, 2);
        product.mass = is_one_in(random, 2) ? 1 : log_uniform(random, 0.05, 20);
        table.push_back(product);
    }
    for (Species& species : table)  // a kind of which there is no particle
        if (species.radius == 0) species = table.back();
    return table;
}

/// Diffusion for all species, and the masses that it means for all particles. They react at contacts.
void make_masses_brownian(System& system, World& world, HashRandom& random) {
    const double energy_time = make_brownian(world, log_uniform(random, 0.01, 1), system.dt);
    world.has_rates = false;
    const bool is_by_size = is_one_in(random, 2);
    for (Species& species : world.species) {
        species.diffusion = 0.5 * energy_time / log_uniform(random, 0.2, 5);
        if (is_by_size) species.stokes_einstein = StokesEinstein{0.2, 0.5 * energy_time};
    }
    for (std::size_t k = 0; k < system.particles.size(); ++k) {
        Attributes& attributes = system.particles.attributes.edit(k);
        const Species& species = world.species[attributes.species];
        const double viscous = 6 * 0x1.921fb54442d18p+1 * 0.2 * attributes.radius;
        attributes.diffusion = is_by_size ? 0.5 * energy_time / viscous : species.diffusion;
        attributes.mass = energy_time / (2 * attributes.diffusion);
    }
}

// --- systems -------------------------------------------------------------------------------------------------

double shortest_edge(const Box& box) {
    return std::min({box.size.x, box.size.y, box.dimension == 3 ? box.size.z : box.size.y});
}

/// Between walls anything has unique images.
double shortest_period(const Box& box) {
    double shortest = 14;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) shortest = std::min(shortest, box.size[axis]);
    return shortest;
}

void fill_with_gas(System& system, HashRandom& random) {
    const double largest = shortest_edge(system.box) * log_uniform(random, 0.03, 0.08);
    const double ratio = is_one_in(random, 3) ? 20 : 3;
    const bool are_equally_heavy = is_one_in(random, 2);
    double room = log_uniform(random, 0.02, 0.35) * system.box.volume();
    std::vector<Kind> kinds(1 + random.index(4));
    for (Kind& kind : kinds) {
        kind.radius = largest / (&kind == kinds.data() ? 1 : log_uniform(random, 1, ratio));
        kind.mass = are_equally_heavy ? 1 : log_uniform(random, 0.05, 20);
        const double content = std::pow(2 * kind.radius, system.box.dimension);
        kind.count = std::min<std::size_t>(static_cast<std::size_t>(room / content), 5 + random.index(35));
        room -= content * static_cast<double>(kind.count);
    }
    fill_at_random(system, kinds, {}, system.box.size, random.bits());
    if (system.particles.size() < 2) {
        for (Motion& motion : system.particles.motion)
            motion.velocity = random.normal_vector(system.box.dimension);
        return;
    }
    thermalise(system, 1, random.bits());
}

/// Touching or nearly so, with velocities of few values: much happens at exactly the same time.
void fill_with_lattice(System& system, HashRandom& random) {
    const int dimension = system.box.dimension;
    const int n = dimension == 2 ? 8 : 5;
    const bool have_gaps = is_one_in(random, 2), is_thin = is_one_in(random, 4);
    std::array<int, 3> count{n, n, dimension == 2 ? 1 : n};
    if (is_thin) {  // products can be wider than it
        count[1] = 1;
        system.box.boundary[1] = Boundary::reflecting;
    }
    for (int axis = 0; axis < dimension; ++axis)
        system.box.size[axis] = count[static_cast<std::size_t>(axis)];
    for (int k = 0; k < count[0] * count[1] * count[2]; ++k) {
        if (is_one_in(random, 3)) continue;
        Vec3 x{0.5 + k % count[0], 0.5 + k / count[0] % count[1], 0.5 + k / (count[0] * count[1])}, v;
        if (dimension == 2) x.z = 0;
        for (int axis = 0; axis < dimension; ++axis)
            v[axis] = 0.25 * (static_cast<double>(random.index(9)) - 4);
        add_particle(system, x, v, have_gaps ? 0.4375 : 0.5, is_one_in(random, 5) ? 64 : 1);
    }
}

double largest_radius(const System& system) {
    double largest = 0;
    for (const Attributes& a : system.particles.attributes) largest = std::max(largest, a.radius);
    return largest;
}

/// With unique images.
double random_step(const System& system, HashRandom& random) {
    double fastest = 0.01;
    for (const Motion& motion : system.particles.motion) fastest = std::max(fastest, norm(motion.velocity));
    const double free = 0.5 * shortest_period(system.box) - 2.01 * largest_radius(system);
    return random.uniform(0.1, 1) * free / (2 * fastest);
}

/// `set_rules`: of pairs and walls.
template <class SetRules>
void give_rules(System& system, HashRandom& random, SetRules&& set_rules) {
    divide_into_species(system, random);
    World world;
    world.box = system.box;
    world.species = species_of(system, random);
    set_rules(world);
    if (is_one_in(random, 4)) make_masses_brownian(system, world, random);
    world.seed = random.bits();
    system.world = std::move(world);
    share_records_of_some(system);
}

}  // namespace

void give_random_rules(System& system, HashRandom& random) {
    give_rules(system, random, [&](World& world) { set_random_rules(world, random); });
}

void give_random_products(System& system, HashRandom& random) {
    give_rules(system, random, [&](World& world) {
        for (SpeciesIndex a = 0; a < world.species.size(); ++a) {
            for (SpeciesIndex b = a; b < world.species.size(); ++b)
                set_pair(world, a, b, Bounce{system.restitution(a, b)});
            set_wall(world, a, Bounce{system.restitution(a, wall_species)});
        }
    });
}

System arbitrary_rule_system(std::uint64_t seed) {
    HashRandom random(seed);
    System system;
    system.name = "arbitrary system with rules " + std::to_string(seed);
    const int dimension = is_one_in(random, 2) ? 2 : 3;
    Vec3 size;
    for (int axis = 0; axis < dimension; ++axis) size[axis] = random.uniform(6, 14);
    system.box = periodic_box(size);
    for (auto& boundary : system.box.boundary)
        if (is_one_in(random, 3)) boundary = Boundary::reflecting;
    if (is_one_in(random, 3))
        fill_with_lattice(system, random);
    else
        fill_with_gas(system, random);
    system.dt = random_step(system, random);
    give_random_rules(system, random);
    if (is_one_in(random, 2)) scatter_ids(system, random.bits());
    return system;
}

}  // namespace ricochet::test
