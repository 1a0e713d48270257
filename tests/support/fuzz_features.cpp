// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/fuzz_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/wall_path.hpp"
#include "tests/support/reference_decays.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {

namespace {

/// The axes along which all particles move, and all that they may become.
std::vector<int> axes_free_for_all(const System& system) {
    std::uint32_t frozen = 0;
    for (const Attributes& matter : system.particles.attributes) frozen |= matter.frozen_axes;
    for (const Species& species : world_of(system).species) frozen |= species.frozen_axes;
    std::vector<int> axes;
    for (int axis = 0; axis < system.box.dimension; ++axis)
        if ((frozen >> axis & 1) == 0) axes.push_back(axis);
    return axes;
}

/// Whether a species may pass a body.
bool has_membranes(const System& system) {
    const ContactRules& rules = rules_of(system);
    for (SpeciesIndex species = 0; species < rules.num_species(); ++species)
        for (BodyNumber body = first_body; body < rules.num_bodies(); ++body)
            if (std::holds_alternative<Pass>(rules.at_body(species, body))) return true;
    return false;
}

}  // namespace

void let_fall(FuzzCase& fuzz, HashRandom& random) {
    System& system = fuzz.system;
    const std::vector<int> axes = axes_free_for_all(system);
    if (axes.empty() || rules_of(system).have_rates() || has_membranes(system)) return;
    World world = world_of(system);
    const double way = random.log_uniform(1e-8, 0.1) * shortest_edge(system.box);
    const double speed = fastest_speed(system.particles), dt = system.dt;
    const double size =
        random.is_one_in(2) ? way / (dt * dt) : std::min(way / dt, random.uniform(0.1, 4) * speed) / dt;
    if (random.is_one_in(2))
        world.gravity[axes[random.index(axes.size())]] = random.is_one_in(4) ? size : -size;
    else
        for (const int axis : axes) world.gravity[axis] = random.uniform(-size, size);
    system.world = world;
    fuzz.settings.drive = [before = fuzz.settings.drive, g = world.gravity, dt](Particles& particles,
                                                                                int step) {
        before(particles, step);
        for (Motion& motion : particles.motion)
            motion.velocity = motion.velocity + (step == 0 ? 0.5 * dt : dt) * g;
    };
    fuzz.what += ", falling";
}

void let_some_fall(FuzzCase& fuzz, std::uint64_t seed) {
    HashRandom random(seed ^ 0x67726176697479);
    if (random.is_one_in(3)) let_fall(fuzz, random);
}

void prevent_collapse_of_some(FuzzCase& fuzz, std::uint64_t seed) {
    HashRandom random(seed ^ 0x636f6c6c61707365);
    if (random.is_one_in(2)) return;
    World world = world_of(fuzz.system);
    world.collapse_duration = random.log_uniform(random.is_one_in(4) ? 1e-5 : 0.05, 5) * fuzz.system.dt;
    if (!random.is_one_in(4)) {
        if (std::holds_alternative<Bounce>(world.pair_rule)) world.pair_rule = Bounce{random.uniform(0, 1)};
        if (std::holds_alternative<Bounce>(world.wall_rule)) world.wall_rule = Bounce{random.uniform(0.2, 1)};
    }
    fuzz.system.world = world;
    fuzz.settings.num_steps += 2;  // so that contacts of earlier steps matter
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    fuzz.what += ", without collapse";
}

void let_restitution_fall_for_some(FuzzCase& fuzz, std::uint64_t seed) {
    HashRandom random(seed ^ 0x627269646765);
    if (!random.is_one_in(3)) return;
    World world = world_of(fuzz.system);
    const double fastest = std::max(0.01, fastest_speed(fuzz.system.particles));
    const auto draw = [&](RestitutionLaw& law) {
        if (random.is_one_in(4)) return;
        law = {random.log_uniform(0.05, 2), random.is_one_in(4) ? 1 : random.uniform(0.02, 1),
               fastest * random.log_uniform(1e-3, 1)};
    };
    const auto draw_of = [&](ContactRule& rule) {
        if (Bounce* const bounce = std::get_if<Bounce>(&rule)) draw(bounce->restitution);
        if (React* const react = std::get_if<React>(&rule)) draw(react->restitution);
        if (Stick* const stick = std::get_if<Stick>(&rule)) draw(stick->restitution);
    };
    draw_of(world.pair_rule);
    draw_of(world.wall_rule);
    for (SpeciesRule& of : world.rules) draw_of(of.rule);
    fuzz.system.world = world;
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    fuzz.what += ", restitution by speed";
}

void heat_some_surfaces(FuzzCase& fuzz, HashRandom& random) {
    World& world = fuzz.system.world.emplace(world_of(fuzz.system));
    const std::size_t num_bodies = ContactRules(world).num_bodies();
    double energy = 0.1;
    for (std::size_t k = 0; k < fuzz.system.particles.size(); ++k) {
        const Vec3 v = fuzz.system.particles.motion[k].velocity;
        energy = std::max(energy, fuzz.system.particles.attributes[k].mass * dot(v, v));
    }
    const auto rule = [&]() { return Thermal{energy * random.log_uniform(0.01, 4)}; };
    for (SpeciesIndex a = 0; a < world.species.size(); ++a) {
        const std::uint32_t frozen = world.species[a].frozen_axes;
        if (random.is_one_in(2)) set_wall(world, a, rule());
        for (BodyNumber body = 0; body < num_bodies; ++body)
            if (random.is_one_in(4) && (body < first_body || frozen == 0))
                world.rules.push_back({a, wall_species, rule(), no_rule, {body}});
    }
    fuzz.what += ", with temperatures";
}

void move_some_walls(FuzzCase& fuzz, HashRandom& random) {
    System& system = fuzz.system;
    World& world = system.world.emplace(world_of(system));
    const double duration = fuzz.settings.num_steps * system.dt;
    std::array<bool, 3> are_free{};
    for (const int axis : axes_free_for_all(system)) are_free[static_cast<std::size_t>(axis)] = true;
    for (int face = 0; face < 2 * system.box.dimension; ++face) {
        if (!system.box.has_walls(face / 2) || !are_free[static_cast<std::size_t>(face / 2)] ||
            random.is_one_in(3))
            continue;
        WallMotion& wall = world.walls[static_cast<std::size_t>(face)];
        const double edge = system.box.size[face / 2];
        if (!random.is_one_in(3)) {
            wall.amplitude = edge * random.log_uniform(1e-7, 0.1);
            wall.frequency = random.log_uniform(0.01, 3) / (2 * std::numbers::pi * system.dt);
            wall.phase = random.uniform();
        }
        if (wall.amplitude == 0 || random.is_one_in(4))
            wall.velocity = edge * random.log_uniform(1e-4, 0.25) / duration;
    }
    fuzz.what += ", with moving walls";
    if (rules_of(system).have_tethers() || random.is_one_in(4)) return;
    std::size_t num_kept = 0;
    for (std::size_t k = 0; k < system.particles.size(); ++k) {
        const double radius = system.particles.attributes[k].radius;
        bool is_inside = true;
        for (int face = 0; face < 2 * system.box.dimension; ++face) {
            const double depth = wall_depth(world.walls[static_cast<std::size_t>(face)], system.dt, 0);
            const double x = system.particles.motion[k].position[face / 2];
            const double from_face = face % 2 == 0 ? x : system.box.size[face / 2] - x;
            is_inside = is_inside && (!system.box.has_walls(face / 2) || from_face >= depth + radius);
        }
        if (is_inside) system.particles.move_within(k, num_kept++);
    }
    system.particles.resize(num_kept);
}

void let_decay(FuzzCase& fuzz, HashRandom& random) {
    fuzz.system.world->decays = random_decays(fuzz.system, random);
}

void let_parents_pass_all(FuzzCase& fuzz) {
    World& world = *fuzz.system.world;
    const ContactRules rules(world);
    for (const DecayChannel& channel : world.decays) {
        if (rules.sticks(channel.from)) continue;
        for (SpeciesIndex other = 0; other < rules.num_species(); ++other)
            set_pair(world, channel.from, other, Pass{}, rules.pair_number(channel.from, other));
    }
}

}  // namespace ricochet::test
