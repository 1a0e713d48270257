// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/random_bodies.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "geometry/body_room.hpp"
#include "tests/support/worlds.hpp"

namespace ricochet::test {

namespace {

Vec3 random_place(const Box& box, HashRandom& random) {
    Vec3 place;
    for (int axis = 0; axis < box.dimension; ++axis)
        place[axis] = random.is_one_in(6) ? random.uniform(-0.1, 1.1) * box.size[axis]
                                          : random.uniform() * box.size[axis];
    return place;
}

Vec3 random_direction(int dimension, HashRandom& random) {
    if (random.is_one_in(2)) {
        Vec3 along;
        along[static_cast<int>(random.index(static_cast<std::uint64_t>(dimension)))] =
            random.is_one_in(2) ? 1 : -1;
        return along;
    }
    const Vec3 v = random.normal_vector(dimension);
    return (1 / norm(v)) * v;
}

/// Along an axis of the box, where others do not close in themselves.
Vec3 closing_direction(const Box& box, HashRandom& random) {
    const bool has_only_walls = !box.is_periodic(0) && !box.is_periodic(1) && !box.is_periodic(2);
    if (has_only_walls) return random_direction(box.dimension, random);
    Vec3 along;
    along[static_cast<int>(random.index(static_cast<std::uint64_t>(box.dimension)))] = 1;
    return along;
}

BodyShape random_spheres(const Box& box, HashRandom& random) {
    BodySpheres many;
    const std::uint64_t count = 1 + random.index(30);
    for (std::uint64_t k = 0; k < count; ++k)
        many.spheres.push_back({random_place(box, random), 0.1 * random.uniform() * shortest_edge(box)});
    return many;
}

BodyShape random_shape(const Box& box, HashRandom& random, BodySide& side) {
    const double edge = shortest_edge(box);
    const Vec3 place = random_place(box, random);
    switch (random.index(6)) {
        case 0:
            if (random.is_one_in(3)) side = BodySide::both;
            return BodySphere{place, random.uniform(0.05, 0.25) * edge};
        case 1:
            return BodyCapsule{
                place, place + random.uniform(0.05, 0.4) * edge * random_direction(box.dimension, random),
                random.uniform(0.02, 0.15) * edge};
        case 2:
            return BodyCylinder{place, closing_direction(box, random), random.uniform(0.02, 0.15) * edge};
        case 3: {
            Vec3 high = place;
            for (int axis = 0; axis < box.dimension; ++axis) high[axis] += random.uniform(0.02, 0.4) * edge;
            return BodyBox{place, high};
        }
        case 4:
            side = BodySide::both;
            return BodyPlane{place, closing_direction(box, random)};
        default:
            return random_spheres(box, random);
    }
}

}  // namespace

Body random_body(const Box& box, HashRandom& random) {
    Body body;
    body.shape = random_shape(box, random, body.side);
    return body;
}

Body random_container(const Box& box, HashRandom& random) {
    Body body{.name = "container", .side = BodySide::inside};
    const double radius = random.uniform(0.3, 0.5) * shortest_edge(box);
    const Vec3 middle = 0.5 * box.size;
    int longest = 0;
    for (int axis = 1; axis < box.dimension; ++axis)
        if (box.size[axis] > box.size[longest]) longest = axis;
    Vec3 half;
    half[longest] = random.uniform(0, 1) * (0.5 * box.size[longest] - radius);
    Vec3 along;
    along[longest] = 1;
    switch (random.index(4)) {
        case 0:
            body.shape = BodySphere{middle, radius};
            break;
        case 1:
            body.shape = BodyCapsule{middle - half, middle + half, radius};
            break;
        case 2:
            body.shape = BodyCylinder{middle, along, radius};
            break;
        default:
            body.shape = BodyBox{0.1 * box.size, 0.9 * box.size};
    }
    return body;
}

namespace {

void remove_those_in_the_way(System& system, const World& world) {
    const BodyRoom room(world);
    std::size_t num_kept = 0;
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        if (room.keeps_off(system.particles.motion[k].position, system.particles.attributes[k].radius))
            system.particles.move_within(k, num_kept++);
    system.particles.resize(num_kept);
}

void set_random_rules(World& world, HashRandom& random) {
    const std::uint64_t num_species = world.species.size();
    for (std::size_t k = 0; k < world.bodies.size(); ++k)
        for (SpeciesIndex a = 0; a < num_species; ++a) {
            if (!random.is_one_in(3)) continue;
            ContactRule rule = Bounce{random.uniform(0.5, 1)};
            if (random.is_one_in(2)) {
                const bool is_certain = random.is_one_in(2) || world.bath_energy;
                React react{.first = a, .probability = is_certain ? 1 : random.uniform()};
                if (!random.is_one_in(4))
                    react.products[0] = static_cast<SpeciesIndex>(random.index(num_species));
                rule = react;
            }
            world.rules.push_back({a,
                                   wall_species,
                                   rule,
                                   static_cast<RuleNumber>(world.rules.size()),
                                   {static_cast<BodyNumber>(first_body + k)}});
        }
}

}  // namespace

/// What moves along some axes only does not meet bodies; what rests stays.
void free_what_moves_along_some(Particles& particles, World& world) {
    const auto is_partly_frozen = [](std::uint32_t axes) { return axes != 0 && axes != all_axes; };
    for (std::size_t k = 0; k < particles.size(); ++k)
        if (is_partly_frozen(particles.attributes[k].frozen_axes))
            particles.attributes.edit(k).frozen_axes = 0;
    for (Species& species : world.species)
        if (is_partly_frozen(species.frozen_axes)) species.frozen_axes = 0;
}

void give_random_bodies(System& system, HashRandom& random) {
    World world = world_of(system);
    free_what_moves_along_some(system.particles, world);
    const std::uint64_t count = 1 + random.index(4);
    for (std::uint64_t k = 0; k < count; ++k) {
        world.bodies.push_back(random_body(world.box, random));
        world.bodies.back().name = "body " + std::to_string(k);
    }
    if (random.is_one_in(2)) world.bodies.push_back(random_container(world.box, random));
    remove_those_in_the_way(system, world);
    if (system.world && random.is_one_in(2)) set_random_rules(world, random);
    system.world = world;
}

}  // namespace ricochet::test
