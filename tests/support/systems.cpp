// SPDX-License-Identifier: BSD-3-Clause
//
// Building blocks of the test systems: boxes, random placement, velocities, and the random systems. The hard
// cases are in degenerate_systems.cpp.
//
// Random placement is sequential: propose, look for overlap in the cells around, accept or propose again. The
// cells are as wide as the largest diameter, hence slow for few large among many small; tests are small.
#include "tests/support/systems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/support/hash_random.hpp"

namespace ricochet::test {

namespace {

/// Centres and radii by cell, for the overlap question only.
class PlacementGrid {
  public:
    PlacementGrid(const Box& box, double largest_diameter) : box_(box), images_(box) {
        for (int axis = 0; axis < 3; ++axis) {
            const double length = axis < box.dimension ? box.size[axis] : 0;
            const double fitting = std::floor(length / largest_diameter);
            num_cells_[axis] = static_cast<int>(std::clamp(fitting, 1.0, 128.0));
        }
        cells_.resize(static_cast<std::size_t>(num_cells_[0] * num_cells_[1] * num_cells_[2]));
    }

    void add(Vec3 x, double radius) { cells_[cell_of(coordinates(x))].push_back({x, radius}); }

    bool has_room(Vec3 x, double radius) const {
        const std::array<int, 3> home = coordinates(x);
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz) {
                    const std::array<int, 3> near{wrapped_index(home[0] + dx, 0),
                                                  wrapped_index(home[1] + dy, 1),
                                                  wrapped_index(home[2] + dz, 2)};
                    if (overlaps_in(cells_[cell_of(near)], x, radius)) return false;
                }
        return true;
    }

  private:
    struct Disc {
        Vec3 x;
        double radius;
    };
    bool overlaps_in(const std::vector<Disc>& cell, Vec3 x, double radius) const {
        return std::any_of(cell.begin(), cell.end(), [&](const Disc& other) {
            const Vec3 r = minimum_image(other.x - x, images_);
            const double touch = (radius + other.radius) * (1 + 1e-12);
            return dot(r, r) < touch * touch;
        });
    }
    int wrapped_index(int k, std::size_t axis) const { return (k + num_cells_[axis]) % num_cells_[axis]; }
    std::array<int, 3> coordinates(Vec3 x) const {
        std::array<int, 3> k{};
        for (int axis = 0; axis < box_.dimension; ++axis) {
            const int n = num_cells_[static_cast<std::size_t>(axis)];
            k[static_cast<std::size_t>(axis)] =
                std::min(n - 1, static_cast<int>(x[axis] / box_.size[axis] * n));
        }
        return k;
    }
    std::size_t cell_of(std::array<int, 3> k) const {
        return static_cast<std::size_t>((k[0] * num_cells_[1] + k[1]) * num_cells_[2] + k[2]);
    }

    const Box& box_;
    ImageLengths images_;
    std::array<int, 3> num_cells_{};
    std::vector<std::vector<Disc>> cells_;
};

/// A uniform position in [low, high) whose sphere is inside the walls.
Vec3 propose(const Box& box, Vec3 low, Vec3 high, double radius, HashRandom& random) {
    Vec3 x;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double margin = box.has_walls(axis) ? radius : 0;
        x[axis] = random.uniform(std::max(low[axis], margin), std::min(high[axis], box.size[axis] - margin));
    }
    return x;
}

Vec3 find_room(const System& system, const PlacementGrid& grid, Vec3 low, Vec3 high, double radius,
               HashRandom& random) {
    for (int attempt = 0; attempt < 100'000; ++attempt) {
        const Vec3 x = propose(system.box, low, high, radius, random);
        if (grid.has_room(x, radius)) return x;
    }
    throw std::runtime_error("test system " + system.name + ": no room for another particle");
}

void shuffle_ids(System& system, std::uint64_t seed) {
    HashRandom random(seed);
    std::vector<ParticleId> ids;
    for (const Motion& motion : system.particles.motion) ids.push_back(motion.id);
    random.shuffle(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) system.particles.motion[i].id = ids[i];
}

/// Sites of the fcc lattice with 4 k^3 particles, or of the hexagonal one with about k by k.
void place_on_lattice(System& system, std::size_t num_particles, double fraction, HashRandom& random) {
    const bool is_3d = system.box.dimension == 3;
    const double per_site = is_3d ? std::numbers::pi / 6 / fraction : std::numbers::pi / 4 / fraction;
    const double n = static_cast<double>(num_particles);
    const double spacing =  // nearest neighbours
        is_3d ? std::sqrt(0.5) * std::cbrt(4 * per_site) : std::sqrt(2 * per_site / std::sqrt(3.0));
    const int nx = static_cast<int>(is_3d ? std::cbrt(n / 4) + 0.5 : std::sqrt(n * std::sqrt(3.0) / 2) + 0.5);
    const int ny = is_3d ? nx : static_cast<int>(n / nx / 2 + 0.5);
    const int nz = is_3d ? nx : 1;
    const Vec3 cell =
        is_3d ? std::sqrt(2.0) * Vec3{spacing, spacing, spacing} : Vec3{spacing, std::sqrt(3.0) * spacing, 0};
    const std::vector<Vec3> basis = is_3d
                                        ? std::vector<Vec3>{{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}
                                        : std::vector<Vec3>{{0, 0, 0}, {.5, .5, 0}};
    const double jitter = 0.49 * (spacing - 1) / std::sqrt(static_cast<double>(system.box.dimension));
    system.box.size = {nx * cell.x, ny * cell.y, nz * cell.z};
    for (int i = 0; i < nx * ny * nz; ++i)
        for (const Vec3& site : basis) {
            Vec3 x{(i % nx + site.x + 0.25) * cell.x, (i / nx % ny + site.y + 0.25) * cell.y,
                   (i / nx / ny + site.z + 0.25) * cell.z};
            for (int axis = 0; axis < system.box.dimension; ++axis) x[axis] += jitter * random.uniform(-1, 1);
            add_particle(system, x, {});
        }
}

double volume_of_sphere(double radius, int dimension) {
    return dimension == 3 ? 4 * std::numbers::pi / 3 * radius * radius * radius
                          : std::numbers::pi * radius * radius;
}

System mixture(const Box& box, const std::vector<Kind>& kinds, std::uint64_t seed) {
    System system;
    system.box = box;
    fill_at_random(system, kinds, {0, 0, 0}, box.size, seed);
    thermalise(system, 1, seed + 1);
    return system;
}

}  // namespace

World world_of(const System& system) {
    World world = system.world.value_or(World{});
    world.box = system.box;
    if (world.timestep != system.dt) {
        if (world.bath_energy) *world.bath_energy *= world.timestep / system.dt;
        world.timestep = system.dt;
    }
    if (system.world) return world;
    SpeciesIndex num_species = 1;
    for (const Attributes& a : system.particles.attributes)
        num_species = std::max(num_species, a.species + 1);
    world.species.resize(num_species);
    world.pair_rule = world.wall_rule = Bounce{system.restitution.common()};
    for (const auto& rule : system.restitution.rules())
        set_pair(world, rule.low, rule.high, Bounce{rule.value});
    return world;
}

ContactRules rules_of(const System& system) {
    World world = world_of(system);
    const ContactRules rules(world);
    if (!rules.change_matter()) return rules;
    world.decays.push_back({.products = {0, 0}, .rate = 0});
    return ContactRules(world);
}

Box periodic_box(Vec3 size) {
    Box box;
    box.dimension = size.z == 0 ? 2 : 3;
    box.size = size;
    return box;
}

Box walled_box(Vec3 size, std::initializer_list<std::size_t> axes) {
    Box box = periodic_box(size);
    for (std::size_t axis : axes) box.boundary[axis] = Boundary::reflecting;
    return box;
}

double volume(const Particles& particles, int dimension) {
    double sum = 0;
    for (const Attributes& a : particles.attributes) sum += volume_of_sphere(a.radius, dimension);
    return sum;
}

void add_particle(System& system, Vec3 position, Vec3 velocity, double radius, double mass) {
    Motion motion;
    motion.position = position;
    motion.velocity = velocity;
    motion.id = system.particles.size();
    Attributes attributes;
    attributes.radius = radius;
    attributes.mass = mass;
    system.particles.push_back(motion, attributes, {.origin = position});
}

void fill_at_random(System& system, const std::vector<Kind>& kinds, Vec3 low, Vec3 high, std::uint64_t seed) {
    HashRandom random(seed);
    std::vector<SpeciesIndex> order(kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) order[k] = static_cast<SpeciesIndex>(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return kinds[a].radius > kinds[b].radius; });
    double largest_radius = kinds[order.front()].radius;
    for (const Attributes& a : system.particles.attributes)
        largest_radius = std::max(largest_radius, a.radius);
    PlacementGrid grid(system.box, 2.001 * largest_radius);
    for (std::size_t i = 0; i < system.particles.size(); ++i)
        grid.add(system.particles.motion[i].position, system.particles.attributes[i].radius);
    for (SpeciesIndex species : order)
        for (std::size_t k = 0; k < kinds[species].count; ++k) {
            const Vec3 x = find_room(system, grid, low, high, kinds[species].radius, random);
            grid.add(x, kinds[species].radius);
            add_particle(system, x, {}, kinds[species].radius, kinds[species].mass);
            system.particles.attributes.edit(system.particles.size() - 1).species = species;
        }
    shuffle_ids(system, seed + 1);
}

void thermalise(System& system, double kT, std::uint64_t seed) {
    HashRandom random(seed);
    const int dimension = system.box.dimension;
    const double n = static_cast<double>(system.particles.size());
    double total_mass = 0, twice_energy = 0;
    Vec3 momentum;
    for (std::size_t i = 0; i < system.particles.size(); ++i) {
        const double mass = system.particles.attributes[i].mass;
        Vec3& v = system.particles.motion[i].velocity;
        v = std::sqrt(kT / mass) * random.normal_vector(dimension);
        momentum = momentum + mass * v;
        total_mass += mass;
    }
    for (std::size_t i = 0; i < system.particles.size(); ++i) {
        Vec3& v = system.particles.motion[i].velocity;
        v = v - (1 / total_mass) * momentum;
        twice_energy += system.particles.attributes[i].mass * dot(v, v);
    }
    const double factor = std::sqrt(dimension * (n - 1) * kT / twice_energy);
    for (Motion& motion : system.particles.motion) motion.velocity = factor * motion.velocity;
}

System equal_gas(int dimension, std::size_t num_particles, double fraction, std::uint64_t seed) {
    System system;
    system.name = std::to_string(dimension) + "D gas at " + std::to_string(fraction);
    system.box.dimension = dimension;
    if (fraction <= (dimension == 3 ? 0.3 : 0.45)) {
        const double n = static_cast<double>(num_particles);
        const double edge = dimension == 3 ? std::cbrt(n * std::numbers::pi / 6 / fraction)
                                           : std::sqrt(n * std::numbers::pi / 4 / fraction);
        system.box.size = {edge, edge, dimension == 3 ? edge : 0};
        fill_at_random(system, {{0.5, 1, num_particles}}, {0, 0, 0}, system.box.size, seed);
    } else {
        HashRandom random(seed);
        place_on_lattice(system, num_particles, fraction, random);
        shuffle_ids(system, seed + 1);
    }
    thermalise(system, 1, seed + 2);
    return system;
}

void share_records_of_some(System& system) {
    if (system.particles.size() % 2 == 0) return;
    AttributeList shared;
    for (const Attributes& attributes : system.particles.attributes) shared.push_back(attributes);
    system.particles.attributes = shared;
}

void scatter_ids(System& system, std::uint64_t seed) {
    HashRandom random(seed);
    std::vector<ParticleId> ids;
    while (ids.size() < system.particles.size()) {
        const ParticleId id = random.bits() >> 2;
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) system.particles.motion[i].id = ids[i];
}

System arbitrary_system(std::uint64_t seed) {
    HashRandom random(seed);
    const int dimension = random.uniform() < 0.4 ? 2 : 3;
    System system;
    system.name = "arbitrary system " + std::to_string(seed);
    Vec3 size;
    for (int axis = 0; axis < dimension; ++axis) size[axis] = random.uniform(6, 14);
    system.box = periodic_box(size);
    for (auto& boundary : system.box.boundary)
        if (random.uniform() < 0.25) boundary = Boundary::reflecting;
    std::vector<Kind> kinds(1 + random.index(3));
    double room = random.uniform(0.05, 0.3) * system.box.volume();
    for (Kind& kind : kinds) {
        kind.radius = random.uniform(0.1, 0.6);
        kind.mass = random.uniform(0.1, 3);
        const double own = volume_of_sphere(kind.radius, dimension);
        kind.count = std::min<std::size_t>(100, 2 + static_cast<std::size_t>(room / own));
        room = std::max(0.0, room - own * static_cast<double>(kind.count));
    }
    fill_at_random(system, kinds, {}, size, random.bits());
    thermalise(system, 1, random.bits());
    system.restitution = Restitution(random.uniform() < 0.5 ? 1 : random.uniform(0.5, 1));
    if (random.uniform() < 0.3) system.restitution.set(0, wall_species, random.uniform());
    if (random.uniform() < 0.3) scatter_ids(system, random.bits());
    double fastest = 0;
    for (const Motion& motion : system.particles.motion) fastest = std::max(fastest, norm(motion.velocity));
    system.dt = random.uniform(0.2, 1) * (std::min(size.x, size.y) / 2 - 1.3) / (2 * fastest);
    return system;
}

std::vector<System> random_systems() {
    std::vector<System> systems;
    const auto add = [&](System system, std::string name, double dt) -> System& {
        system.name = std::move(name);
        system.dt = dt;
        return systems.emplace_back(std::move(system));
    };
    add(equal_gas(3, 60, 0.03, 11), "3D dilute", 0.4);
    add(equal_gas(3, 125, 0.3, 12), "3D medium", 0.1);
    add(equal_gas(3, 108, 0.45, 13), "3D dense", 0.08);
    add(equal_gas(3, 108, 0.62, 14), "3D crystal", 0.05);
    add(equal_gas(2, 100, 0.1, 15), "2D dilute", 0.5);
    add(equal_gas(2, 150, 0.65, 16), "2D dense", 0.2);
    scatter_ids(add(equal_gas(3, 100, 0.2, 17), "3D scattered ids", 0.1), 18);
    add(mixture(periodic_box({7, 7, 7}), {{1, 1, 4}, {0.1, 1, 200}}, 21), "3D sizes 1:10", 0.05);
    add(mixture(periodic_box({8, 8, 8}), {{1, 1000, 3}, {0.1, 1, 150}}, 22), "3D sizes, masses", 0.05);
    add(mixture(periodic_box({9, 9, 0}), {{0.2, 1, 60}, {0.9, 10, 8}}, 23), "2D binary", 0.15);
    add(mixture(periodic_box({60, 6, 0}), {{0.5, 1, 70}, {0.25, 0.1, 60}, {0.05, 2, 60}}, 24),
        "2D long, three kinds", 0.1)
        .restitution.set(0, 1, 0.7)
        .set(2, 2, 0.9);
    add(mixture(walled_box({6, 6, 6}), {{0.5, 1, 70}}, 25), "3D walls", 0.2);
    add(mixture(walled_box({10, 12, 0}), {{0.5, 1, 40}, {0.2, 3, 40}}, 26), "2D walls", 0.4);
    add(mixture(walled_box({16, 6, 6}, {1, 2}), {{0.5, 1, 120}}, 27), "3D channel", 0.15);
    add(mixture(walled_box({8, 7, 9}, {2}), {{0.5, 1, 80}}, 28), "3D slit, inelastic", 0.1).restitution =
        Restitution(0.8).set(0, wall_species, 0.5);
    add(equal_gas(3, 150, 0.1, 29), "3D inelastic", 0.15).restitution = Restitution(0.5);
    return systems;
}

}  // namespace ricochet::test
