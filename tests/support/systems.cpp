// SPDX-License-Identifier: BSD-3-Clause
//
// The pieces of test systems: boxes, random placement, lattices, velocities, ids. The random systems are in
// random_systems.cpp, the hard cases in degenerate_systems.cpp.
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
    for (const Vec3& corner : lattice_sites({nx, ny, nz}, {0.25, 0.25, 0.25}))
        for (const Vec3& site : basis) {
            Vec3 x = corner + site;
            for (int axis = 0; axis < 3; ++axis) x[axis] *= cell[axis];
            for (int axis = 0; axis < system.box.dimension; ++axis) x[axis] += jitter * random.uniform(-1, 1);
            add_particle(system, x, {});
        }
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

double shortest_edge(const Box& box) {
    return std::min({box.size.x, box.size.y, box.dimension == 3 ? box.size.z : box.size.y});
}

double shortest_period(const Box& box, double otherwise) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) otherwise = std::min(otherwise, box.size[axis]);
    return otherwise;
}

System empty_system(std::string name, const Box& box, double dt, int num_steps) {
    System system;
    system.name = std::move(name);
    system.box = box;
    system.dt = dt;
    system.num_steps = num_steps;
    return system;
}

System system_of(std::string name, const Box& box, double dt, const std::vector<Matter>& species,
                 const ContactRule& common, int num_steps) {
    System system = empty_system(std::move(name), box, dt, num_steps);
    system.world = world_with(species, box.dimension, common);
    return system;
}

double volume_of_sphere(double radius, int dimension) {
    return dimension == 3 ? 4 * std::numbers::pi / 3 * radius * radius * radius
                          : std::numbers::pi * radius * radius;
}

double volume(const Particles& particles, int dimension) {
    double sum = 0;
    for (const Attributes& a : particles.attributes) sum += volume_of_sphere(a.radius, dimension);
    return sum;
}

double largest_radius(const Particles& particles) {
    double largest = 0;
    for (const Attributes& a : particles.attributes) largest = std::max(largest, a.radius);
    return largest;
}

double fastest_speed(const Particles& particles) {
    double fastest = 0;
    for (const Motion& motion : particles.motion) fastest = std::max(fastest, norm(motion.velocity));
    return fastest;
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

void add_of_species(System& system, SpeciesIndex species, Vec3 position, Vec3 velocity) {
    const Species& matter = system.world->species[species];
    add_particle(system, position, velocity, matter.radius, matter.mass);
    Attributes& attributes = system.particles.attributes.edit(system.particles.size() - 1);
    attributes.species = species;
    attributes.diffusion = matter.diffusion;
}

void fill_at_random(System& system, const std::vector<Kind>& kinds, Vec3 low, Vec3 high, std::uint64_t seed) {
    HashRandom random(seed);
    std::vector<SpeciesIndex> order(kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) order[k] = static_cast<SpeciesIndex>(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return kinds[a].radius > kinds[b].radius; });
    const double largest = std::max(kinds[order.front()].radius, largest_radius(system.particles));
    PlacementGrid grid(system.box, 2.001 * largest);
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

System gas_of(std::string name, const Box& box, double dt, const std::vector<Kind>& kinds, std::uint64_t seed,
              const std::optional<Part>& part) {
    System system = empty_system(std::move(name), box, dt);
    const Part filled = part.value_or(Part{{}, box.size});
    fill_at_random(system, kinds, filled.low, filled.high, seed);
    thermalise(system, 1, seed + 1);
    return system;
}

std::vector<Vec3> lattice_sites(std::array<int, 3> count, Vec3 first, Vec3 spacing) {
    std::vector<Vec3> sites;
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i)
                sites.push_back(first + Vec3{i * spacing.x, j * spacing.y, k * spacing.z});
    return sites;
}

Vec3 coarse_velocity(int dimension, HashRandom& random) {
    Vec3 velocity;
    for (int axis = 0; axis < dimension; ++axis)
        velocity[axis] = 0.25 * (static_cast<double>(random.index(9)) - 4);
    return velocity;
}

void fill_on_faces(System& system, int n, HashRandom& random) {
    const int dimension = system.box.dimension;
    for (const Vec3& site : lattice_sites({n, n, dimension == 3 ? n : 1}, {}, {2, 2, 2})) {
        if (random.uniform() < 0.5) continue;
        add_particle(system, site, coarse_velocity(dimension, random));
    }
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

void share_records_of_some(System& system) {
    if (system.particles.size() % 2 == 0) return;
    AttributeList shared;
    for (const Attributes& attributes : system.particles.attributes) shared.push_back(attributes);
    system.particles.attributes = shared;
}

void shuffle_ids(System& system, std::uint64_t seed) {
    HashRandom random(seed);
    std::vector<ParticleId> ids;
    for (const Motion& motion : system.particles.motion) ids.push_back(motion.id);
    random.shuffle(ids);
    for (std::size_t k = 0; k < ids.size(); ++k) system.particles.motion[k].id = ids[k];
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

void set_random_walls(Box& box, HashRandom& random) {
    for (Boundary& boundary : box.boundary)
        if (random.is_one_in(3)) boundary = Boundary::reflecting;
}

void give_random_velocities(System& system, HashRandom& random) {
    if (system.particles.size() > 1) return thermalise(system, 1, random.bits());
    for (Motion& motion : system.particles.motion)
        motion.velocity = random.normal_vector(system.box.dimension);
}

std::vector<Kind> random_kinds(const RandomKinds& of, int dimension, HashRandom& random) {
    std::vector<Kind> kinds(of.count);
    double room = of.room;
    for (Kind& kind : kinds) {
        const bool is_first = &kind == kinds.data();
        kind.radius = of.largest / (is_first ? 1 : random.log_uniform(1, of.ratio));
        kind.mass = of.mass(is_first);
        const double content = std::pow(2 * kind.radius, dimension);
        kind.count = std::min<std::size_t>(static_cast<std::size_t>(room / content), of.most(is_first));
        room -= content * static_cast<double>(kind.count);
    }
    return kinds;
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

}  // namespace ricochet::test
