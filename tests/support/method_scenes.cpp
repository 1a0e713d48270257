// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/method_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/support/hash_random.hpp"

namespace ricochet::test {
namespace {

/// Sites of a lattice with these steps from row to row and from layer to layer. Neighbours along x touch.
struct Sites {
    Vec3 row, layer;
};
constexpr double half_root_3 = 0.8660254037844387, height_of_tetrahedron = 0.816496580927726;
constexpr Sites square{{0, 1, 0}, {0, 0, 1}};
constexpr Sites close{{0.5, half_root_3, 0}, {0.5, half_root_3 / 3, height_of_tetrahedron}};

Box box_of(Vec3 size, int dimension) {
    if (dimension == 2) size.z = 0;
    return periodic_box(size);
}

/// A patch of n sites a side in a box that is wider by this factor. Fewer digits than a double has: contacts are exact
/// where the steps are.
void add_patch(System& system, const Sites& sites, int n, double wider, int dimension) {
    const double side = std::ceil(wider * (1.5 * n));
    system.box = box_of({side, side, side}, dimension);
    for (int k = 0; k < (dimension == 3 ? n * n * n : n * n); ++k) {
        const int i = k % n, j = k / n % n, l = k / n / n;
        const Vec3 row = (j % 2) * Vec3{sites.row.x, 0, 0} + j * Vec3{0, sites.row.y, 0};
        const Vec3 layer = (l % 2) * Vec3{sites.layer.x, sites.layer.y, 0} + l * Vec3{0, 0, sites.layer.z};
        Vec3 at = Vec3{0.75 + i, 0.75, 0.75} + row + layer;
        if (dimension == 2) at.z = 0;
        add_particle(system, at, {});
    }
}

/// Rows of eight along x, in which neighbours touch, and one that flies at each.
void add_rows(System& system, int num_rows, int dimension, HashRandom& random) {
    const double side = dimension == 3 ? 2 * std::ceil(std::sqrt(num_rows)) : 2.0 * num_rows;
    system.box = box_of({16, std::max(side, 6.0), std::max(side, 6.0)}, dimension);
    const int across = dimension == 3 ? static_cast<int>(std::ceil(std::sqrt(num_rows))) : num_rows;
    for (int row = 0; row < num_rows; ++row) {
        const Vec3 at{2, 1 + 2.0 * (row % across), dimension == 3 ? 1 + 2.0 * (row / across) : 0};
        for (int k = 0; k < 8; ++k) add_particle(system, at + Vec3{1.0 * k, 0, 0}, {});
        Vec3 velocity = 0.25 * random.normal_vector(dimension);
        velocity.x = row % 2 == 0 ? 2 : -2;
        add_particle(system, at + Vec3{row % 2 == 0 ? -1.5 : 9.5, 0, 0}, velocity);
    }
}

/// Centres and velocities are multiples of 1/4, and steps last 1/2.
void add_on_faces(System& system, std::size_t count, int dimension, HashRandom& random) {
    const int n = std::max(
        4, static_cast<int>(std::ceil(dimension == 3 ? std::cbrt(2.0 * static_cast<double>(count))
                                                     : std::sqrt(2.0 * static_cast<double>(count)))));
    system.box = box_of({2.0 * n, 2.0 * n, 2.0 * n}, dimension);
    fill_on_faces(system, n, random);
}

/// Spheres at random in a cube (square) that they fill to this fraction, in the middle of the box.
void fill_cube(System& system, double fraction, std::size_t count, double radius, double times_wider) {
    const int dimension = system.box.dimension;
    const double own = dimension == 3 ? 4.18879 * radius * radius * radius : 3.14159 * radius * radius;
    const double content = own * static_cast<double>(count) / fraction;
    const double side = dimension == 3 ? std::cbrt(content) : std::sqrt(content);
    const double length = times_wider * side, low = 0.5 * (length - side);
    Vec3 from{low, low, low}, to{low + side, low + side, low + side};
    system.box = box_of({length, length, length}, dimension);
    if (dimension == 2) from.z = to.z = 0;
    fill_at_random(system, {{radius, 1, count}}, from, to, system.particles.size() + count);
}

void place(System& system, std::string_view scene, int dimension, std::size_t num_contacts,
           HashRandom& random) {
    const double share = static_cast<double>(num_contacts) / 500;
    const auto many = [&](double of_500) { return static_cast<std::size_t>(of_500 * std::pow(share, 0.75)); };
    const std::uint64_t seed = random.bits();
    system.box.dimension = dimension;
    if (scene == "dilute") {
        system = equal_gas(dimension, many(150), 0.05, seed);
    } else if (scene == "dense") {
        system = equal_gas(dimension, many(108), dimension == 3 ? 0.45 : 0.6, seed);
    } else if (scene == "thin_slab") {
        system.box = box_of({0.5 * static_cast<double>(many(100)), 3.5, 3.5}, dimension);
        fill_at_random(system, {{0.5, 1, many(dimension == 3 ? 100 : 50)}}, {}, system.box.size, seed);
    } else if (scene == "ratio_1_to_20") {
        const double side = dimension == 3 ? 8 * std::cbrt(share) : 10 * std::sqrt(share);
        system.box = box_of({side, side, side}, dimension);
        fill_at_random(system, {{1, 10, many(8)}, {0.05, 1, many(200)}}, {}, system.box.size, seed);
    } else if (scene == "one_cell") {
        system.box = box_of({4.5, 4.5, 4.5}, dimension);
        fill_at_random(system, {{0.5, 1, dimension == 3 ? 36u : 10u}}, {}, system.box.size, seed);
    } else if (scene == "on_faces") {
        add_on_faces(system, many(100), dimension, random);
    } else if (scene == "square_sites" || scene == "close_sites") {
        const double count = static_cast<double>(many(90));
        const double side = dimension == 3 ? std::cbrt(count) : std::sqrt(count);
        add_patch(system, scene == "square_sites" ? square : close, static_cast<int>(side), 1, dimension);
    } else if (scene == "touching_rows") {
        add_rows(system, static_cast<int>(many(9)), dimension, random);
    } else if (scene == "fast_particle") {
        system = equal_gas(dimension, many(120), 0.15, seed);
    } else if (scene == "cluster") {
        fill_cube(system, dimension == 3 ? 0.3 : 0.45, 2 * many(150), 0.5, 4);
    } else {
        throw std::invalid_argument("no scene has this name");
    }
}

void give_velocities(System& system, std::string_view scene, HashRandom& random) {
    if (scene == "on_faces" || scene == "touching_rows") return;
    thermalise(system, 1, random.bits());
    if (scene == "fast_particle") system.particles.motion[0].velocity.x = 25;
    if (scene != "cluster") return;
    // Towards the middle.
    const Vec3 middle = 0.5 * system.box.size;
    for (Motion& motion : system.particles.motion)
        motion.velocity = motion.velocity - 0.5 * (motion.position - middle);
}

}  // namespace

System method_scene(std::string_view scene, int dimension, std::size_t num_contacts, std::uint64_t seed) {
    HashRandom random(1000 * seed + static_cast<std::uint64_t>(dimension));
    System system;
    place(system, scene, dimension, num_contacts, random);
    give_velocities(system, scene, random);
    system.name = std::string(scene) + ", " + std::to_string(dimension) + "D, seed " + std::to_string(seed);
    if (random.uniform() < 0.3) scatter_ids(system, random.bits());
    const double longest_path = (0.5 * shortest_edge(system.box) - 2 * largest_radius(system.particles)) / 3;
    const double path = std::min(longest_path, 0.25 * std::pow(16.0, random.uniform()));
    system.dt = scene == "on_faces" ? 0.5 : path / fastest_speed(system.particles);
    return system;
}

}  // namespace ricochet::test
