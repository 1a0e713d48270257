// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/worlds.hpp"

namespace ricochet::test {

World world_with(const std::vector<Matter>& species, int dimension, const ContactRule& common) {
    World world;
    world.box.dimension = dimension;
    for (const Matter& matter : species) {
        Species& entry = world.species.emplace_back();
        entry.radius = matter.radius;
        entry.mass = matter.mass;
        entry.diffusion = matter.diffusion;
    }
    world.pair_rule = common;
    if (std::holds_alternative<Bounce>(common)) world.wall_rule = common;
    return world;
}

World plain_world(std::size_t num_species) {
    World world;
    world.species.resize(num_species);
    return world;
}

void set_pair(World& world, SpeciesIndex a, SpeciesIndex b, const ContactRule& rule, RuleNumber number) {
    world.rules.push_back({a, b, rule, number});
}

void set_wall(World& world, SpeciesIndex a, const ContactRule& rule, RuleNumber number) {
    world.rules.push_back({a, wall_species, rule, number});
}

void set_wall_face(World& world, SpeciesIndex a, std::size_t face, const ContactRule& rule,
                   RuleNumber number) {
    world.rules.push_back({a, wall_species, rule, number, {static_cast<BodyNumber>(face)}});
}

double make_brownian(World& world, double energy_time, double timestep) {
    world.timestep = timestep;
    world.bath_energy = energy_time / timestep;
    return *world.bath_energy * timestep;
}

}  // namespace ricochet::test
