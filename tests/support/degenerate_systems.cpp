// SPDX-License-Identifier: BSD-3-Clause
//
// The hard cases. Coordinates are chosen so that the coincidence is exact in binary: multiples of powers of
// two wherever something must touch, tie, or lie on a face.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

namespace {

void add_crowded(std::vector<System>& systems) {
    systems.push_back(gas_of("thin slab", periodic_box({60, 2.75, 2.75}), 0.02, {{0.5, 1, 120}}, 31));
    systems.push_back(gas_of("thin strip", periodic_box({80, 3, 0}), 0.04, {{0.5, 1, 80}}, 32));
    systems.push_back(gas_of("everything in one cell", periodic_box({40, 40, 40}), 0.1, {{0.5, 1, 60}}, 33,
                             Part{{17.5, 17.5, 17.5}, {22.5, 22.5, 22.5}}));
    systems.push_back(gas_of("everything in a corner, across all faces", periodic_box({20, 20, 0}), 0.2,
                             {{0.25, 1, 40}}, 34, Part{{0, 0, 0}, {3, 6, 0}}));
    for (Motion& motion : systems.back().particles.motion) {
        motion.position.x = motion.position.x < 1.5 ? motion.position.x + 18.5 : motion.position.x - 1.5;
        motion.position.y = motion.position.y < 3 ? motion.position.y + 17 : motion.position.y - 3;
    }
}

/// Centres and velocities on multiples of 1/4: on every conceivable face, at the end of each step again.
void add_on_faces(std::vector<System>& systems) {
    for (int dimension : {2, 3}) {
        HashRandom random(41);
        System system =
            empty_system("centres on faces", periodic_box({16, 16, dimension == 3 ? 16.0 : 0}), 1);
        fill_on_faces(system, 8, random);
        shuffle_ids(system, 42);
        systems.push_back(std::move(system));
    }
}

/// All centres in the plane x = 8 (a slab's face wherever cuts are halved), once also without motion along x.
void add_common_coordinate(std::vector<System>& systems) {
    for (double vx : {1.0, 0.0}) {
        HashRandom random(51);
        System system = empty_system("common x", periodic_box({16, 16, 16}), 0.3);
        for (int k = 0; k < 144; ++k)
            add_particle(system, {8, 1.25 * (k % 12) + 0.5 + random.uniform(0, 0.2), 1.25 * (k / 12) + 0.5},
                         {});
        thermalise(system, 1, 52);
        for (Motion& motion : system.particles.motion) motion.velocity.x *= vx;
        shuffle_ids(system, 53);
        systems.push_back(std::move(system));
    }
}

/// Pairs that all meet at the same time t = 1/4, and chains of them: ties between contacts that do and do not
/// share partners.
void add_ties(std::vector<System>& systems) {
    System pairs = empty_system("many pairs meet at once", periodic_box({32, 8, 8}), 0.5);
    for (int k = 0; k < 256; ++k)
        add_particle(pairs,
                     {0.5 + 1.5 * (k % 16) + 0.5 * (k % 16 / 2), 1.0 + 2 * (k / 16 % 4), 1.0 + 2 * (k / 64)},
                     {k % 2 == 0 ? 1.0 : -1.0, 0, 0});
    shuffle_ids(pairs, 61);
    systems.push_back(pairs);

    System star = empty_system("six meet one", periodic_box({32, 32, 32}), 0.5);
    add_particle(star, {16, 16, 16}, {});
    for (int axis = 0; axis < 3; ++axis)
        for (double side : {-1.0, 1.0}) {
            Vec3 x{16, 16, 16}, v;
            x[axis] += 1.25 * side;
            v[axis] = -side;
            add_particle(star, x, v);
        }
    shuffle_ids(star, 62);
    systems.push_back(star);

    System square = empty_system("four meet in the plane", walled_box({4, 4, 0}), 0.25, 8);
    for (int k = 0; k < 4; ++k) {
        const double side_x = k % 2 == 0 ? -1 : 1, side_y = k / 2 == 0 ? -1 : 1;
        add_particle(square, {2 + side_x, 2 + side_y, 0}, {-side_x, -side_y, 0});
    }
    shuffle_ids(square, 63);
    systems.push_back(square);
}

void add_touching(std::vector<System>& systems) {
    systems.push_back(touching_cluster(4, 71));
    systems.push_back(touching_cluster(5, 72));
    System cube = empty_system("touching simple cubic patch", periodic_box({32, 32, 32}), 0.5);
    for (const Vec3& site : lattice_sites({4, 4, 4}, {14, 14, 14})) add_particle(cube, site, {});
    add_particle(cube, {10, 15.25, 15.5}, {8, 0.5, 0.25});
    shuffle_ids(cube, 73);
    systems.push_back(cube);
    System hot = cube;
    hot.name = "touching patch with random velocities";
    hot.dt = 0.25;
    thermalise(hot, 1, 74);
    systems.push_back(hot);
    for (const std::array<int, 3>& order : {std::array{0, 1, 2}, std::array{2, 0, 1}})
        systems.push_back(rollback_trap(order));
    for (const bool row_first : {false, true}) systems.push_back(tied_rows(row_first));
    for (int axis = 0; axis < 3; ++axis) systems.push_back(newtons_cradle(axis, 5, 0, 1));
    systems.push_back(newtons_cradle(0, 7, 0.125, 2));
    System both_ends = newtons_cradle(0, 8, 0, 1);
    both_ends.name = "touching row hit from both ends";
    const auto last =
        std::max_element(both_ends.particles.motion.begin(), both_ends.particles.motion.end(),
                         [](const Motion& a, const Motion& b) { return a.position.x < b.position.x; });
    last->velocity.x = -1;
    systems.push_back(both_ends);
    System sideways = empty_system("touching row moving into a wall", walled_box({32, 8, 8}), 0.5);
    for (int k = 0; k < 6; ++k) add_particle(sideways, {1.0 + k, 4, 4}, {-1, 0.25, 0});
    shuffle_ids(sideways, 75);
    systems.push_back(sideways);
}

void add_fast(std::vector<System>& systems) {
    System through = gas_of("fast particles cross several slabs", walled_box({64, 6, 6}, {1, 2}), 0.1,
                            {{0.5, 1, 150}}, 81);
    for (std::size_t i = 0; i < 150; i += 50) through.particles.motion[i].velocity.x = i == 50 ? -140 : 140;
    systems.push_back(through);
    // Heavy and fast among light ones at rest: each hit doubles the speed beyond the step's assumed reach.
    System hammer = gas_of("heavy into light at rest", periodic_box({48, 8, 0}), 0.1, {{0.3, 0.01, 120}}, 82,
                           Part{{4, 0, 0}, {48, 8, 0}});
    for (Motion& motion : hammer.particles.motion) motion.velocity = {};
    add_particle(hammer, {2, 4, 0}, {12, 1, 0}, 1, 100);
    systems.push_back(hammer);
    for (double offset : {0.0, 0.5, 0.999, 1.0}) {
        System pair = empty_system("six diameters per step", periodic_box({32, 32, 32}), 1);
        add_particle(pair, {14, 16, 16}, {6, 0, 0});
        add_particle(pair, {18, 16 + offset, 16}, {-6, 0, 0});
        systems.push_back(pair);
    }
    System resting = empty_system("fast on resting, across a face", periodic_box({32, 32, 0}), 1);
    add_particle(resting, {1, 31.75, 0}, {});
    add_particle(resting, {28, 0.25, 0}, {6, 0, 0});
    systems.push_back(resting);
}

void add_at_walls(std::vector<System>& systems) {
    System corner = empty_system("corners", walled_box({8, 8, 8}), 1, 8);
    add_particle(corner, {1.5, 1.5, 1.5}, {-2, -2, -2});
    add_particle(corner, {6.5, 6.5, 4}, {2, 2, 0});
    add_particle(corner, {6.5, 2, 6.5}, {2, 0, 2});
    systems.push_back(corner);
    System resting = empty_system("on a wall, squeezed by another", walled_box({8, 8, 0}), 0.5, 8);
    add_particle(resting, {0.5, 4, 0}, {0, 0, 0});
    add_particle(resting, {2.5, 4, 0}, {-4, 0, 0});
    add_particle(resting, {0.5, 7.5, 0}, {0, -1, 0});
    add_particle(resting, {7.5, 0.5, 0}, {-3, 0, 0});
    systems.push_back(resting);
    System lossy = resting;
    lossy.name = "on a wall, inelastic";
    lossy.restitution = Restitution(0.5).set(0, wall_species, 0);
    systems.push_back(lossy);
    System narrow = empty_system("bouncing between close walls", walled_box({16, 1.0625, 0}), 1);
    for (int k = 0; k < 8; ++k)
        add_particle(narrow, {1.0 + 1.75 * k, 0.53, 0}, {0.25 * (k % 3 - 1), 0.5 + 0.125 * k, 0});
    systems.push_back(narrow);
}

void add_coincident(std::vector<System>& systems) {
    System same = empty_system("two at the same position", periodic_box({16, 16, 16}), 0.5);
    add_particle(same, {8, 8, 8}, {1, 0, 0});
    add_particle(same, {8, 8, 8}, {-1, 0.5, 0});
    add_particle(same, {10, 8, 8}, {-1, 0, 0});
    add_particle(same, {4, 4, 4}, {});
    add_particle(same, {4, 4, 4}, {});
    systems.push_back(same);
    System deep = empty_system("overlapping, approaching and not", periodic_box({16, 16, 0}), 0.5);
    add_particle(deep, {8, 8, 0}, {1, 0, 0});
    add_particle(deep, {8.5, 8, 0}, {-1, 0, 0});
    add_particle(deep, {2, 2, 0}, {-1, 0, 0});
    add_particle(deep, {2.5, 2.25, 0}, {1, 0, 0});
    add_particle(deep, {1, 14, 0}, {0, 1, 0});
    add_particle(deep, {1, 14.75, 0}, {0, 1, 0});
    systems.push_back(deep);
}

void add_wrapping(std::vector<System>& systems) {
    System wrap = empty_system("coordinates that wrap onto L", periodic_box({32, 32, 32}), 1);
    const double below = std::nextafter(32.0, 0.0);
    add_particle(wrap, {0, 2, 2}, {-1e-17, 0, 0});
    add_particle(wrap, {0, 5, 0}, {-1e-300, 0, -1e-16});
    add_particle(wrap, {below, 8, 2}, {1e-15, 0, 0});
    add_particle(wrap, {below, 11, below}, {-1e-17, 0, 4});
    add_particle(wrap, {28, 0, 4}, {4, -1e-17, 0});
    add_particle(wrap, {4, 0, 28}, {-4, 0, 4});
    add_particle(wrap, {2, 0, 8}, {-4, 0, -1e-17});
    systems.push_back(wrap);
    System images = empty_system("contacts through faces, edges and corners", periodic_box({8, 8, 8}), 0.5);
    add_particle(images, {0.25, 2, 2}, {-1, 0, 0});
    add_particle(images, {6.75, 2, 2}, {1, 0, 0});
    add_particle(images, {0.5, 0.5, 5}, {-1, -1, 0});
    add_particle(images, {7.5, 7.5, 5}, {1, 1, 0});
    add_particle(images, {7.25, 4, 7.25}, {1, 0, 1});
    add_particle(images, {0.25, 4, 0.25}, {-1, 0, -1});
    systems.push_back(images);
}

/// A light disc flies off a heavy one, is shot on by a chain of ever lighter discs, and touches one that lies
/// farther from the middle of its straight path than half the box: no part of its way is that long.
void add_carried_round_the_box(std::vector<System>& systems) {
    constexpr double radius = 0.002, speed = 0.24, shot_at = 0.924, start = 0.3;
    const Vec3 along{std::sqrt(0.75), 0.5, 0};
    System system = empty_system("carried round the box", periodic_box({1, 4, 0}), 1, 2);
    const auto add = [&](Vec3 x, Vec3 v, double mass) { add_particle(system, x, v, radius, mass); };
    constexpr double gap = 0.0005;
    add({start, 2, 0}, {-speed, 0, 0}, 1e-16);
    add({start - 2 * radius - gap, 2, 0}, {}, 1e6);
    const Vec3 shot{start - gap + speed * (shot_at - gap / speed), 2, 0};
    const Vec3 from = shot - 2 * radius * along;
    constexpr std::array masses{1e-12, 1e-8, 1e-4};
    double back = 0, time = shot_at, pushed = 8 * speed;
    for (const double mass : masses) {
        back += 4 * radius;
        time -= 4 * radius / pushed;
        pushed /= 2;
        add(from - back * along, {}, mass);
        back += 2 * radius;
    }
    add(from - (back + speed * time) * along, speed * along, 1);
    const Vec3 flown{speed, 0, 0};
    const Vec3 flight = flown + 2 * (8 * speed - dot(flown, along)) * along;
    const double to_target = (start - 0.5 * speed + 0.5 - shot.x) / flight.x;
    add(shot + to_target * flight + 2 * radius * along, {}, 1e-16);
    systems.push_back(system);
}

/// So long that single precision along it is coarser than the particles' gaps across.
void add_long(std::vector<System>& systems) {
    systems.push_back(gas_of("long along y", periodic_box({20, 4000, 20}), 0.2, {{0.5, 1, 80}}, 71,
                             Part{{0, 3990, 0}, {20, 4000, 20}}));
    systems.push_back(gas_of("narrow closed box", walled_box({20, 1, 0}), 1, {{0.05, 1, 120}}, 73));
    for (std::size_t k = systems.size() - 2; k < systems.size(); ++k) systems[k].num_steps = 3;
}

void add_small(std::vector<System>& systems) {
    systems.push_back(empty_system("nobody", periodic_box({4, 4, 4}), 1));
    System one = empty_system("one alone", walled_box({4, 4, 0}), 0.5, 6);
    add_particle(one, {1, 2, 0}, {2.5, -1.75, 0});
    systems.push_back(one);
    System still = empty_system("nobody moves", periodic_box({8, 8, 8}), 1);
    for (const Vec3& site : lattice_sites({3, 3, 3}, {1, 1, 1}, {2, 1, 1})) add_particle(still, site, {});
    systems.push_back(still);
    System together = still;
    together.name = "all move alike, touching";
    together.dt = 0.5;
    for (Motion& motion : together.particles.motion) motion.velocity = {0.5, -1.25, 0.75};
    systems.push_back(together);
}

}  // namespace

std::vector<System> degenerate_systems() {
    std::vector<System> systems;
    add_crowded(systems);
    add_on_faces(systems);
    add_common_coordinate(systems);
    add_ties(systems);
    add_touching(systems);
    add_fast(systems);
    add_at_walls(systems);
    add_coincident(systems);
    add_wrapping(systems);
    add_carried_round_the_box(systems);
    add_long(systems);
    add_small(systems);
    return systems;
}

System jammed_lattice(int n, std::uint64_t seed) {
    System system = empty_system("jammed lattice", periodic_box({1.0 * n, 1.0 * n, 1.0 * n}), 0.05);
    for (const Vec3& site : lattice_sites({n, n, n}, {0.5, 0.5, 0.5})) add_particle(system, site, {});
    shuffle_ids(system, seed);
    thermalise(system, 1, seed + 1);
    return system;
}

System newtons_cradle(int axis, std::size_t num_spheres, double gap, double speed) {
    System system = empty_system("newton's cradle", periodic_box({64, 64, 64}), 1);
    for (std::size_t k = 0; k < num_spheres; ++k) {
        Vec3 x{16, 16, 16}, v;
        x[axis] += static_cast<double>(k) * (1 + gap);
        if (k == 0) v[axis] = speed;
        add_particle(system, x, v);
    }
    shuffle_ids(system, 91);
    return system;
}

System touching_cluster(int n, std::uint64_t seed) {
    System system = empty_system("touching fcc cluster", periodic_box({32, 32, 32}), 0.5);
    const double half_cell = std::sqrt(0.5);
    for (int k = 0; k < n * n * n; ++k) {
        const int i = k % n, j = k / n % n, l = k / n / n;
        if ((i + j + l) % 2 == 0)
            add_particle(system, {14 + half_cell * i, 14 + half_cell * j, 14 + half_cell * l}, {});
    }
    add_particle(system, {11, 14.75, 14.5}, {6, 0.25, 0.125});
    shuffle_ids(system, seed);
    return system;
}

System rollback_trap(const std::array<int, 3>& order) {
    System system = empty_system("rollback trap", periodic_box({64, 64, 0}), 1.5, 1);
    for (int pair : order) {
        if (pair == 0) {
            add_particle(system, {20, 30, 0}, {4, 0, 0});  // p, touches r at 0.5 and stops there, or ...
            add_particle(system, {23.5, 30, 0}, {}, 1);    // r
        } else if (pair == 1) {
            add_particle(system, {25.6, 27, 0}, {});                     // q, ... touches q at 1.4
            add_particle(system, {25.6, 25.1, 0}, {0, 1.5, 0}, 0.5, 5);  // y, touches q at 0.6
        } else {
            add_particle(system, {23.5, 31.9, 0}, {});          // s, takes r away at 0.3
            add_particle(system, {21.9, 33.7, 0}, {8, -4, 0});  // w, touches s at 0.2
        }
    }
    return system;
}

System tied_rows(bool row_first) {
    System system = empty_system("two rows hit at one instant", periodic_box({64, 64, 0}), 0.53125, 1);
    const Vec3 link{0.1875, 0.25, 0}, middle{33, 32, 0}, last = middle - 2 * link;
    for (const bool is_row : {row_first, !row_first}) {
        if (is_row) {
            for (int k = 0; k < 3; ++k) add_particle(system, last - k * link, {}, 0.15625);
            add_particle(system, last - 3 * link - Vec3{6, 8, 0}, {12, 16, 0}, 0.15625);  // touches at 0.5
        } else {
            add_particle(system, {30 - 0.03125, 32, 0}, {2, 0, 0});  // touches at 0.5 ...
            add_particle(system, {32, 32, 0}, {}, 0.53125);          // ... which touches the middle at once
        }
    }
    add_particle(system, middle, {}, 0.46875);
    return system;
}

void require_unique_images(const System& system) {
    double largest_reach = 0, second_reach = 0;
    for (std::size_t i = 0; i < system.particles.size(); ++i) {
        const double reach =
            system.particles.attributes[i].radius + system.dt * norm(system.particles.motion[i].velocity);
        second_reach = std::max(second_reach, std::min(reach, largest_reach));
        largest_reach = std::max(largest_reach, reach);
    }
    for (int axis = 0; axis < 3; ++axis)
        if (system.box.is_periodic(axis) && !(system.box.size[axis] / 2 > largest_reach + second_reach))
            throw std::runtime_error("test system " + system.name + ": box too small for its minimum image");
}

}  // namespace ricochet::test
