// SPDX-License-Identifier: BSD-3-Clause
//
// The random systems: gases that only bounce, and those with random rules, rates and tethers (random_rules.cpp).
#include <algorithm>
#include <cmath>

#include "tests/support/rule_systems.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

Vec3 random_size(int dimension, HashRandom& random) {
    Vec3 size;
    for (int axis = 0; axis < dimension; ++axis) size[axis] = random.uniform(6, 14);
    return size;
}

Box random_box(HashRandom& random) {
    const int dimension = random.is_one_in(2) ? 2 : 3;
    Box box = periodic_box(random_size(dimension, random));
    set_random_walls(box, random);
    return box;
}

std::vector<Kind> kinds_that_bounce(const Box& box, HashRandom& random) {
    std::vector<Kind> kinds(1 + random.index(3));
    double room = random.uniform(0.05, 0.3) * box.volume();
    for (Kind& kind : kinds) {
        kind.radius = random.uniform(0.1, 0.6);
        kind.mass = random.uniform(0.1, 3);
        const double own = volume_of_sphere(kind.radius, box.dimension);
        kind.count = std::min<std::size_t>(100, 2 + static_cast<std::size_t>(room / own));
        room = std::max(0.0, room - own * static_cast<double>(kind.count));
    }
    return kinds;
}

void fill_with_gas(System& system, HashRandom& random) {
    const double largest = shortest_edge(system.box) * random.log_uniform(0.03, 0.08);
    const double ratio = random.is_one_in(3) ? 20 : 3;
    const bool are_equally_heavy = random.is_one_in(2);
    const double room = random.log_uniform(0.02, 0.35) * system.box.volume();
    const RandomKinds of{1 + random.index(4),
                         largest,
                         ratio,
                         room,
                         [&](bool) { return are_equally_heavy ? 1 : random.log_uniform(0.05, 20); },
                         [&](bool) { return 5 + random.index(35); }};
    const std::vector<Kind> kinds = random_kinds(of, system.box.dimension, random);
    fill_at_random(system, kinds, {}, system.box.size, random.bits());
    give_random_velocities(system, random);
}

/// Dense in a part of the box, so that long steps have unique nearest images all the same.
void fill_with_brownian_gas(System& system, HashRandom& random) {
    const int dimension = system.box.dimension;
    const double largest = shortest_edge(system.box) * random.log_uniform(0.015, 0.06);
    const double ratio = random.is_one_in(4) ? 20 : 3;
    const double part = random.is_one_in(3) ? 1 : random.uniform(0.35, 0.8);
    const double room = random.log_uniform(0.05, 0.3) * std::pow(part, dimension) * system.box.volume();
    const RandomKinds of{1 + random.index(3),
                         largest,
                         ratio,
                         room,
                         [](bool) { return 1.0; },
                         [&](bool) { return 20 + random.index(30); }};
    const std::vector<Kind> kinds = random_kinds(of, dimension, random);
    const Vec3 low = random.uniform(0, 1 - part) * system.box.size;
    fill_at_random(system, kinds, low, low + part * system.box.size, random.bits());
}

/// Touching or nearly so, with velocities of few values: much happens at exactly the same time.
void fill_with_lattice(System& system, HashRandom& random) {
    const int dimension = system.box.dimension;
    const int n = dimension == 2 ? 8 : 5;
    const bool have_gaps = random.is_one_in(2), is_thin = random.is_one_in(4);
    std::array<int, 3> count{n, n, dimension == 2 ? 1 : n};
    if (is_thin) {  // products can be wider than it
        count[1] = 1;
        system.box.boundary[1] = Boundary::reflecting;
    }
    for (int axis = 0; axis < dimension; ++axis)
        system.box.size[axis] = count[static_cast<std::size_t>(axis)];
    for (const Vec3& site : lattice_sites(count, {0.5, 0.5, dimension == 2 ? 0 : 0.5})) {
        if (random.is_one_in(3)) continue;
        const Vec3 velocity = coarse_velocity(dimension, random);
        add_particle(system, site, velocity, have_gaps ? 0.4375 : 0.5, random.is_one_in(5) ? 64 : 1);
    }
}

/// With unique images. Between walls anything has.
double random_step(const System& system, HashRandom& random) {
    const double fastest = std::max(0.01, fastest_speed(system.particles));
    const double free = 0.5 * shortest_period(system.box, 14) - 2.01 * largest_radius(system.particles);
    return random.uniform(0.1, 1) * free / (2 * fastest);
}

/// As products would leave them.
void let_overlap(System& system, HashRandom& random) {
    const double wider = random.uniform(1.05, 1.5);
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) all.edit(k).radius *= wider;
}

}  // namespace

System arbitrary_system(std::uint64_t seed) {
    HashRandom random(seed);
    const int dimension = random.uniform() < 0.4 ? 2 : 3;
    const Vec3 size = random_size(dimension, random);
    System system = empty_system("arbitrary system " + std::to_string(seed), periodic_box(size), 0);
    for (auto& boundary : system.box.boundary)
        if (random.uniform() < 0.25) boundary = Boundary::reflecting;
    const std::vector<Kind> kinds = kinds_that_bounce(system.box, random);
    fill_at_random(system, kinds, {}, size, random.bits());
    thermalise(system, 1, random.bits());
    system.restitution = Restitution(random.uniform() < 0.5 ? 1 : random.uniform(0.5, 1));
    if (random.uniform() < 0.3) system.restitution.set(0, wall_species, random.uniform());
    freeze_axes_of_some(system, seed);
    if (random.uniform() < 0.3) scatter_ids(system, random.bits());
    const double fastest = fastest_speed(system.particles);
    system.dt = random.uniform(0.2, 1) * (std::min(size.x, size.y) / 2 - 1.3) / (2 * fastest);
    return system;
}

System arbitrary_rule_system(std::uint64_t seed) {
    HashRandom random(seed);
    System system =
        empty_system("arbitrary system with rules " + std::to_string(seed), random_box(random), 0);
    if (random.is_one_in(3))
        fill_with_lattice(system, random);
    else
        fill_with_gas(system, random);
    system.dt = random_step(system, random);
    give_random_rules(system, random);
    freeze_axes_of_some(system, seed);
    if (random.is_one_in(2)) scatter_ids(system, random.bits());
    return system;
}

System arbitrary_rate_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x7261746573);
    System system =
        empty_system("arbitrary system with rates " + std::to_string(seed), random_box(random), 0);
    fill_with_brownian_gas(system, random);
    if (random.is_one_in(4)) let_overlap(system, random);
    system.dt = random.log_uniform(0.01, 1);
    system.num_steps = 4 + static_cast<int>(random.index(4));
    give_random_rates(system, random);
    freeze_axes_of_some(system, seed);
    if (random.is_one_in(2)) scatter_ids(system, random.bits());
    return system;
}

System arbitrary_tether_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x746574686572);
    System system = arbitrary_rule_system(random.bits());
    system.name = "arbitrary system with tethers " + std::to_string(seed);
    system.num_steps = 2 + static_cast<int>(random.index(5));
    give_random_tethers(system, random);
    system.dt = std::min(system.dt, random.uniform(0.3, 1) * longest_tethered_step(system));
    return system;
}

System arbitrary_tethered_rate_system(std::uint64_t seed) {
    HashRandom random(seed ^ 0x7465746872617465);
    System system = arbitrary_rate_system(random.bits());
    system.name = "arbitrary system with rates and tethers " + std::to_string(seed);
    give_random_tethers(system, random);
    return system;
}

std::vector<System> random_systems() {
    std::vector<System> systems;
    const auto add = [&](System system, std::string name, double dt) -> System& {
        system.name = std::move(name);
        system.dt = dt;
        return systems.emplace_back(std::move(system));
    };
    const auto add_mixture = [&](std::string name, double dt, const Box& box, const std::vector<Kind>& kinds,
                                 std::uint64_t seed) -> System& {
        return systems.emplace_back(gas_of(std::move(name), box, dt, kinds, seed));
    };
    add(equal_gas(3, 60, 0.03, 11), "3D dilute", 0.4);
    add(equal_gas(3, 125, 0.3, 12), "3D medium", 0.1);
    add(equal_gas(3, 108, 0.45, 13), "3D dense", 0.08);
    add(equal_gas(3, 108, 0.62, 14), "3D crystal", 0.05);
    add(equal_gas(2, 100, 0.1, 15), "2D dilute", 0.5);
    add(equal_gas(2, 150, 0.65, 16), "2D dense", 0.2);
    scatter_ids(add(equal_gas(3, 100, 0.2, 17), "3D scattered ids", 0.1), 18);
    add_mixture("3D sizes 1:10", 0.05, periodic_box({7, 7, 7}), {{1, 1, 4}, {0.1, 1, 200}}, 21);
    add_mixture("3D sizes, masses", 0.05, periodic_box({8, 8, 8}), {{1, 1000, 3}, {0.1, 1, 150}}, 22);
    add_mixture("2D binary", 0.15, periodic_box({9, 9, 0}), {{0.2, 1, 60}, {0.9, 10, 8}}, 23);
    add_mixture("2D long, three kinds", 0.1, periodic_box({60, 6, 0}),
                {{0.5, 1, 70}, {0.25, 0.1, 60}, {0.05, 2, 60}}, 24)
        .restitution.set(0, 1, 0.7)
        .set(2, 2, 0.9);
    add_mixture("3D walls", 0.2, walled_box({6, 6, 6}), {{0.5, 1, 70}}, 25);
    add_mixture("2D walls", 0.4, walled_box({10, 12, 0}), {{0.5, 1, 40}, {0.2, 3, 40}}, 26);
    add_mixture("3D channel", 0.15, walled_box({16, 6, 6}, {1, 2}), {{0.5, 1, 120}}, 27);
    add_mixture("3D slit, inelastic", 0.1, walled_box({8, 7, 9}, {2}), {{0.5, 1, 80}}, 28).restitution =
        Restitution(0.8).set(0, wall_species, 0.5);
    add(equal_gas(3, 150, 0.1, 29), "3D inelastic", 0.15).restitution = Restitution(0.5);
    return systems;
}

}  // namespace ricochet::test
