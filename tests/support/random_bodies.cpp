// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/random_bodies.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>

#include "geometry/body_room.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
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

/// Draws of its own, which change none of the others.
HashRandom draws_of(Vec3 place) { return HashRandom(std::bit_cast<std::uint64_t>(place.x)); }

BodyShape random_shape(const Box& box, HashRandom& random, BodySide& side) {
    const double edge = shortest_edge(box);
    const Vec3 place = random_place(box, random);
    switch (random.index(6)) {
        case 0:
            if (random.is_one_in(3)) side = BodySide::both;
            return BodySphere{place, random.uniform(0.05, 0.25) * edge};
        case 1:
            if (draws_of(place).is_one_in(2)) side = BodySide::both;
            return BodyCapsule{
                place, place + random.uniform(0.05, 0.4) * edge * random_direction(box.dimension, random),
                random.uniform(0.02, 0.15) * edge};
        case 2:
            if (draws_of(place).is_one_in(2)) side = BodySide::both;
            return BodyCylinder{place, closing_direction(box, random), random.uniform(0.02, 0.15) * edge};
        case 3: {
            Vec3 high = place;
            for (int axis = 0; axis < box.dimension; ++axis) high[axis] += random.uniform(0.02, 0.4) * edge;
            if (draws_of(place).is_one_in(3)) side = BodySide::both;
            return BodyBox{place, high};
        }
        case 4:
            side = BodySide::both;
            return BodyPlane{place, closing_direction(box, random)};
        default:
            return random_spheres(box, random);
    }
}

/// Of any edges about a place.
BodyBox random_crate(const Box& box, Vec3 place, HashRandom& draws) {
    Vec3 half;
    for (int axis = 0; axis < box.dimension; ++axis) half[axis] = draws.uniform(0.05, 0.45) * box.size[axis];
    if (box.dimension == 2) place.z = 0;
    return {place - half, place + half};
}

/// Through the box, or in the middle of it.
Body random_shell(const Box& box, HashRandom& random) {
    Body body{.name = "shell", .side = BodySide::both};
    const Vec3 place = random.uniform(0.3, 0.7) * box.size;
    HashRandom draws = draws_of(place);
    const double edge = shortest_edge(box);
    if (random.is_one_in(2)) {
        const double radius = random.uniform(0.1, 0.4) * edge;
        const double half = draws.uniform(0.05, 0.95) * (0.5 * edge - radius);
        const Vec3 to_end = half * random_direction(box.dimension, draws);
        body.shape = BodySphere{place, radius};
        if (draws.uniform() < 0.6)
            body.shape = BodyCapsule{place - to_end, place + to_end, radius};
        else if (draws.is_one_in(2))
            body.shape = random_crate(box, place, draws);
    } else {
        const Vec3 direction = closing_direction(box, random);
        body.shape = BodyPlane{place, direction};
        if (draws.is_one_in(2)) body.shape = BodyCylinder{place, direction, draws.uniform(0.1, 0.4) * edge};
    }
    return body;
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
        if (room.keeps_off(system.particles.motion[k].position, system.particles.attributes[k].radius,
                           system.particles.attributes[k].species))
            system.particles.move_within(k, num_kept++);
    system.particles.resize(num_kept);
}

/// For steps of rates that suit the species; infinite in one of three.
double random_body_rate(const World& world, SpeciesIndex a, HashRandom& random) {
    if (random.is_one_in(3)) return std::numeric_limits<double>::infinity();
    const Species& species = world.species[a];
    return random.log_uniform(0.05, 50) * diffusion_of(species, species.radius) / species.radius;
}

/// About the surface, or near it.
void add_random_patches(Body& body, const Box& box, HashRandom& random) {
    const std::uint64_t count = random.is_one_in(2) ? 0 : 1 + random.index(3);
    for (std::uint64_t k = 0; k < count; ++k) {
        const Vec3 middle = std::visit(
            [&](const auto& shape) {
                using Shape = std::decay_t<decltype(shape)>;
                if constexpr (std::is_same_v<Shape, BodySphere>) return shape.centre;
                if constexpr (std::is_same_v<Shape, BodyCapsule>) return shape.to;
                if constexpr (std::is_same_v<Shape, BodyBox>) return shape.high;
                return random_place(box, random);
            },
            body.shape);
        const double radius = random.uniform(0.05, 0.3) * shortest_edge(box);
        body.patches.push_back({"patch " + std::to_string(k),
                                middle + radius * random_direction(box.dimension, random), radius});
    }
}

void set_random_rules(World& world, HashRandom& random, bool may_be_passed) {
    const std::uint64_t num_species = world.species.size();
    for (std::size_t k = 0; k < num_body_parts(world.bodies); ++k)
        for (SpeciesIndex a = 0; a < num_species; ++a) {
            const bool is_shell =
                may_be_passed && k < world.bodies.size() && world.bodies[k].side == BodySide::both;
            if (!is_shell && !random.is_one_in(3)) continue;
            ContactRule rule = Bounce{random.uniform(0.5, 1)};
            if (is_shell && !random.is_one_in(4)) {
                Pass pass{.probability = random.is_one_in(3) ? 1 : random.uniform()};
                if (ContactRules(world).have_rates()) pass = {.rate = random_body_rate(world, a, random)};
                rule = pass;
            } else if (random.is_one_in(2)) {
                const bool is_certain = random.is_one_in(2) || world.bath_energy;
                React react{.first = a, .probability = is_certain ? 1 : random.uniform()};
                if (ContactRules(world).have_rates()) react.rate = random_body_rate(world, a, random);
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

void give_random_bodies(System& system, HashRandom& random, bool may_be_passed) {
    World world = world_of(system);
    free_what_moves_along_some(system.particles, world);
    const std::uint64_t count = 1 + random.index(4);
    for (std::uint64_t k = 0; k < count; ++k) {
        world.bodies.push_back(random_body(world.box, random));
        world.bodies.back().name = "body " + std::to_string(k);
    }
    if (system.world) world.bodies.push_back(random_shell(world.box, random));
    if (random.is_one_in(2)) world.bodies.push_back(random_container(world.box, random));
    for (Body& body : world.bodies) add_random_patches(body, world.box, random);
    if (system.world && !random.is_one_in(4)) set_random_rules(world, random, may_be_passed);
    remove_those_in_the_way(system, world);
    system.world = world;
}

}  // namespace ricochet::test
