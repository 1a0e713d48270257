// SPDX-License-Identifier: BSD-3-Clause
//
// The hard cases of rules that change particles. As in degenerate_systems.cpp, what must touch or coincide does so
// exactly in binary.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

/// For three steps.
System reacting(std::string name, const Box& box, double dt, const std::vector<Matter>& species,
                const ContactRule& common = Bounce{}) {
    return system_of(std::move(name), box, dt, species, common, 3);
}

// --- chains at one instant -----------------------------------------------------------------------------------

/// Touching equal spheres in a row, at rest: all pairs coalesce at once.
void add_touching_row(std::vector<System>& systems) {
    System row = reacting("row of 128 that coalesce", periodic_box({192, 16, 16}), 0.5, {{}}, Coalesce{});
    for (int k = 0; k < 128; ++k) add_of_species(row, 0, {16.0 + k, 8, 8}, {k == 0 ? 1.0 : 0, 0, 0});
    systems.push_back(row);
    row.name = "row of 128 that coalesce, shuffled";
    shuffle_ids(row, 11);
    systems.push_back(std::move(row));
}

/// A heavy sphere in the middle of 110 light ones, each just in reach when it has swallowed those before.
void add_onion(std::vector<System>& systems) {
    constexpr int count = 110;
    constexpr double light = 0.08;
    System onion = reacting("a sphere swallows 110 at one instant", periodic_box({16, 16, 16}), 0.5,
                            {{0.5, 0x1p60}, {light, 1}});
    set_pair(*onion.world, 0, 1, Coalesce{}, 3);
    add_of_species(onion, 0, {8, 8, 8}, {0.25, 0, 0});
    double cube = 0.125;
    for (int k = 0; k < count; ++k) {  // a spiral about the z axis
        const double z = 1 - (2 * k + 1.0) / count, phi = k * std::numbers::pi * (3 - std::sqrt(5.0));
        const double rho = std::sqrt(1 - z * z);
        const double reach = (std::cbrt(cube) + light) * (1 - 1e-12);
        add_of_species(onion, 1, Vec3{8, 8, 8} + reach * Vec3{rho * std::cos(phi), rho * std::sin(phi), z});
        cube += light * light * light;
    }
    systems.push_back(std::move(onion));
}

/// A light particle is drawn along a row of heavy ones, each of which it becomes one with at once.
void add_hopping(std::vector<System>& systems) {
    for (const bool reversed : {false, true}) {
        System row =
            reacting("a product hops along a row", periodic_box({160, 8, 8}), 0.5, {{0.5, 1}, {0.5, 0x1p60}});
        set_pair(*row.world, 0, 1, React{0, only(0)}, 1);
        add_of_species(row, 0, {8, 4, 4}, {1, 0.25, 0});
        for (int k = 0; k < 120; ++k) add_of_species(row, 1, {9.0 + (reversed ? 119 - k : k), 4, 4});
        std::reverse(row.particles.motion.begin() + 1, row.particles.motion.end());
        systems.push_back(std::move(row));
    }
}

/// Each contact of a cradle changes the one that is hit so that it reacts with the next.
void add_cradle(std::vector<System>& systems) {
    for (const double gap : {0.0, 0.125}) {
        System cradle = reacting("reacting cradle", periodic_box({128, 64, 0}), 1, {{}, {}, {}});
        cradle.num_steps = 4;
        set_pair(*cradle.world, 0, 1, React{0, {2, 0}}, 0);
        set_pair(*cradle.world, 0, 2, React{0, {2, 2}}, 1);
        for (int k = 0; k < 80; ++k)
            add_of_species(cradle, k == 0 ? 0 : 1, {8 + k * (1 + gap), 8, 0}, {k == 0 ? 16.0 : 0, 0, 0});
        shuffle_ids(cradle, 13);
        systems.push_back(std::move(cradle));
    }
}

// --- products without room -----------------------------------------------------------------------------------

/// Two that react, their product, a light one, and a heavy one.
const std::vector<Matter> of_wedges{{0.5, 1e3}, {0.5, 1e3}, {2.25, 2e3}, {0.25, 1e-3}, {1, 1e6}};

/// Two become a wide product next to a light particle that leans on a heavy one or on a wall.
void add_wedges(std::vector<System>& systems) {
    for (const bool with_wall : {false, true})
        for (const double restitution : {1.0, 0.5}) {
            System wedge =
                reacting("wedged", with_wall ? walled_box({9, 256, 256}, {0}) : periodic_box({256, 256, 256}),
                         0.25, of_wedges, Bounce{restitution});
            set_pair(*wedge.world, 0, 1, React{0, only(2)}, 0);
            add_of_species(wedge, 0, {7, 16, 16}, {1, 0, 0});
            add_of_species(wedge, 1, {6, 16, 16}, {1, 0, 0});
            add_of_species(wedge, 3, {9 - 0.25, 16, 16});
            if (!with_wall) add_of_species(wedge, 4, {10, 16, 16});
            systems.push_back(std::move(wedge));
        }
}

/// Also with a probability below 1, which lets the wedged draw again and again.
void add_unlikely_wedge(std::vector<System>& systems) {
    System wedge = reacting("wedged, may react", periodic_box({256, 256, 256}), 0.25, of_wedges);
    set_pair(*wedge.world, 0, 1, React{0, only(2)}, 0);
    set_pair(*wedge.world, 2, 3, React{2, only(4), 1e-9, 0.75}, 1);
    set_pair(*wedge.world, 3, 4, React{3, only(3), 1e-3}, 2);
    add_of_species(wedge, 0, {7, 16, 16}, {1, 0, 0});
    add_of_species(wedge, 1, {6, 16, 16}, {1, 0, 0});
    add_of_species(wedge, 3, {8.75, 16, 16});
    add_of_species(wedge, 4, {10, 16, 16});
    systems.push_back(std::move(wedge));
}

/// Wider than the slit between the walls in which it is born.
void add_slit(std::vector<System>& systems) {
    for (int dimension : {2, 3}) {
        const Box box = dimension == 2 ? walled_box({32, 2, 0}, {1}) : walled_box({32, 32, 2}, {2});
        System slit = reacting("wider than the slit", box, 0.25, {{}, {}, {1.5, 2}});
        set_pair(*slit.world, 0, 1, React{0, only(2)});
        const Vec3 across = dimension == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        const Vec3 middle = dimension == 2 ? Vec3{16, 1, 0} : Vec3{16, 16, 1};
        add_of_species(slit, 0, middle, Vec3{1, 0, 0} + 0.5 * across);
        add_of_species(slit, 1, middle + Vec3{1.125, 0, 0} - 0.125 * across);
        add_of_species(slit, 2, middle + Vec3{8, 0, 0}, {-1, 0, 0});
        systems.push_back(std::move(slit));
    }
}

/// A product that is born into a crowd whose members react, bounce and let pass.
void add_crowd(std::vector<System>& systems) {
    const std::vector<ContactRule> with_crowd{React{2, only(2)}, Coalesce{}, Bounce{},
                                              Bounce{0.5},       Pass{},     React{2, nothing, 0.3},
                                              React{2, {0, 1}}};
    for (std::size_t first = 0; first < with_crowd.size(); ++first)
        for (int dimension : {2, 3}) {
            System crowd = reacting("a product in a crowd", periodic_box({16, 16, dimension * 16.0 - 32}),
                                    0.5, {{}, {}, {2, 4}, {0.25, 1}, {0.25, 2}});
            set_pair(*crowd.world, 0, 1, React{0, only(2)}, 0);
            set_pair(*crowd.world, 2, 3, with_crowd[first], 1);
            set_pair(*crowd.world, 2, 4, with_crowd[(first + 3) % with_crowd.size()], 2);
            const double z = dimension == 2 ? 0 : 8;
            add_of_species(crowd, 0, {7, 8, z}, {1, 0, 0});
            add_of_species(crowd, 1, {8.5, 8, z}, {-1, 0, 0});
            for (int k = 0; k < 16; ++k) {
                const double phi = k * std::numbers::pi / 8;
                add_of_species(crowd, k % 3 == 0 ? 4 : 3,
                               Vec3{7.75, 8, z} + 1.75 * Vec3{std::cos(phi), std::sin(phi),
                                                              dimension == 2 ? 0 : 0.25 * (k % 3)},
                               0.5 * Vec3{std::sin(3 * phi), std::cos(5 * phi), 0});
            }
            shuffle_ids(crowd, 17 + first);
            systems.push_back(std::move(crowd));
        }
}

// --- everything at once --------------------------------------------------------------------------------------

/// Spheres that touch on fcc sites, hit by another.
void add_clusters(std::vector<System>& systems) {
    const std::vector<ContactRule> all{React{0, nothing}, React{0, only(0)}, React{0, nothing, 0.25, 0.75},
                                       Coalesce{}, Pass{}};
    for (const ContactRule& rule : all) {
        System cluster = touching_cluster(4, 23);
        cluster.name = "reacting cluster, rule " + std::to_string(rule.index());
        cluster.world = world_with({{}}, 3, rule);
        systems.push_back(std::move(cluster));
    }
}

/// A full lattice of two species, as on a chessboard; they touch or all meet at the same time.
void add_lattices(std::vector<System>& systems) {
    const std::vector<ContactRule> between{React{0, nothing}, React{0, only(1)},      React{0, {2, 2}},
                                           Coalesce{},        React{0, only(0), 0.5}, Pass{}};
    for (const ContactRule& rule : between)
        for (const double gap : {0.0, 0.25}) {
            const bool coalesces = std::holds_alternative<Coalesce>(rule) && gap == 0;
            System lattice = reacting(coalesces ? touching_lattice_that_coalesces : "reacting lattice",
                                      periodic_box({6, 6, 6}), gap == 0 ? 0.0625 : 0.5,
                                      {{0.5 - 0.5 * gap, 1}, {0.5 - 0.5 * gap, 1}, {0.25, 1}});
            set_pair(*lattice.world, 0, 1, rule, 7);
            for (const Vec3& site : lattice_sites({6, 6, 6}, {0.5, 0.5, 0.5})) {
                const bool is_even = std::fmod(site.x + site.y + site.z - 1.5, 2) == 0;
                const double speed = std::fmod(site.x, 2) < 1 ? 0.5 : -0.5;
                add_of_species(lattice, is_even ? 0 : 1, site, {speed, 0, 0});
            }
            if (gap == 0) shuffle_ids(lattice, 29);
            systems.push_back(std::move(lattice));
        }
}

// --- products elsewhere --------------------------------------------------------------------------------------

/// The product continues a light particle at the place of the heavy one: across the box's face, and across others
/// where slabs may end.
void add_jumps(std::vector<System>& systems) {
    System jumps = reacting("products jump across faces", periodic_box({32, 8, 0}), 0.5,
                            {{1, 1e-6}, {1, 1e6}, {0.75, 1}, {0.5, 2}});
    set_pair(*jumps.world, 0, 1, React{0, only(2)}, 0);
    set_pair(*jumps.world, 2, 3, React{3, only(3)}, 1);
    for (int k = 0; k < 4; ++k) {
        const double x = 8.0 * k, side = k % 2 == 0 ? 1 : -1;
        add_of_species(jumps, 0, {std::fmod(x + 32 + side, 32), 2, 0});
        add_of_species(jumps, 1, {std::fmod(x + 32 - 1.125 * side, 32), 2, 0}, {side, 0, 0});
        add_of_species(jumps, 3, {std::fmod(x + 32 - 0.5 * side, 32), 4, 0}, {0, -2, 0});
    }
    systems.push_back(jumps);
    jumps.name = "products jump across faces, scattered";
    scatter_ids(jumps, 31);
    systems.push_back(std::move(jumps));
}

/// A heavy sphere on its way through a gas that it swallows; it ends wider than a slab.
void add_giants(std::vector<System>& systems) {
    for (int dimension : {2, 3}) {
        const Vec3 size = dimension == 2 ? Vec3{40, 20, 0} : Vec3{40, 9, 9};
        System gas =
            reacting("a giant swallows a gas", periodic_box(size), 0.1, {{1, 1000}, {0.4, 1}}, Bounce{0.9});
        gas.num_steps = 6;
        set_pair(*gas.world, 0, 1, Coalesce{}, 5);
        set_pair(*gas.world, 0, 0, Coalesce{}, 6);
        add_of_species(gas, 0, {4, 0.5 * size.y, 0.5 * size.z});
        fill_at_random(gas, {{0.4, 1, 0}, {0.4, 1, 300}}, {}, size, 37);
        thermalise(gas, 1, 38);
        gas.particles.motion.front().velocity = {16, 1, 0};
        systems.push_back(std::move(gas));
    }
}

/// Streams that pass each other, products inside of which others are, and those that then bounce.
void add_passing(std::vector<System>& systems) {
    System streams = reacting("streams that pass", walled_box({24, 12, 0}, {1}), 0.5,
                              {{0.5, 1}, {0.5, 1}, {0.75, 3}, {0.125, 1}});
    streams.num_steps = 5;
    set_pair(*streams.world, 0, 1, Pass{}, 0);
    set_pair(*streams.world, 0, 3, React{0, only(2)}, 1);
    set_pair(*streams.world, 1, 3, React{1, {0, 3}, 0.5}, 2);
    set_wall(*streams.world, 1, React{1, only(0), 0.5}, 3);
    set_wall_face(*streams.world, 3, 2, React{3, nothing}, 4);
    set_wall_face(*streams.world, 0, 3, React{0, only(2)}, 5);
    HashRandom random(41);
    for (int k = 0; k < 60; ++k) {
        const SpeciesIndex species = k % 5 == 0 ? 3 : k % 2 == 0 ? 0 : 1;
        const Vec3 x{1.0 + 2 * (k % 12), 1.25 + 2 * static_cast<double>(k / 12), 0};
        add_of_species(streams, species, x, {k % 2 == 0 ? 1.5 : -1.5, random.uniform(-1, 1), 0});
    }
    shuffle_ids(streams, 43);
    systems.push_back(std::move(streams));
}

}  // namespace

System rollback_trap_of_ended(const std::array<int, 3>& order) {
    System system = rollback_trap(order);
    system.name = "rollback trap of ended ones";
    system.world = world_with({{0.5, 1}, {0.5, 1}, {0.5, 1}}, 2, Bounce{});
    set_pair(*system.world, 0, 1, React{0, nothing}, 0);
    const auto pair = static_cast<std::size_t>(std::find(order.begin(), order.end(), 0) - order.begin());
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        system.particles.attributes.edit(k).species = k == 2 * pair ? 0 : k == 2 * pair + 1 ? 1 : 2;
    return system;
}

std::vector<System> rule_degenerate_systems() {
    std::vector<System> systems;
    add_touching_row(systems);
    add_onion(systems);
    add_hopping(systems);
    add_cradle(systems);
    add_wedges(systems);
    add_unlikely_wedge(systems);
    add_slit(systems);
    add_crowd(systems);
    add_clusters(systems);
    add_lattices(systems);
    add_jumps(systems);
    add_giants(systems);
    add_passing(systems);
    std::array<int, 3> order{0, 1, 2};
    do systems.push_back(rollback_trap_of_ended(order));
    while (std::next_permutation(order.begin(), order.end()));
    return systems;
}

}  // namespace ricochet::test
