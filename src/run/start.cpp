// SPDX-License-Identifier: BSD-3-Clause
#include "run/start.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "dynamics/ballistic.hpp"
#include "dynamics/brownian.hpp"
#include "model/wall_path.hpp"
#include "model/world_facts.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/contact/rules.hpp"
#include "run/found_box.hpp"
#include "run/grown_start.hpp"
#include "run/particle_file.hpp"

namespace ricochet {
namespace {

LatticeKind lattice_kind(LatticeType type) {
    switch (type) {
        case LatticeType::simple_cubic:
            return LatticeKind::sc;
        case LatticeType::face_centred_cubic:
            return LatticeKind::fcc;
        case LatticeType::square:
            return LatticeKind::square;
        case LatticeType::hexagonal:
            break;
    }
    return LatticeKind::hexagonal;
}

/// Species that may overlap at the start, because their rule is to pass. While a run equilibrates all bounce, so that
/// none may overlap before.
std::vector<bool> passing_species(const Config& config, const World& world) {
    if (config.run.equilibrate.value_or(0) > 0) return {};
    const std::size_t num_species = world.species.size();
    const ContactRules rules(world);
    std::vector<bool> passing;
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = 0; b < num_species; ++b)
            passing.push_back(rules.pair_overlap(a, b) == Overlap::passes);
    return std::find(passing.begin(), passing.end(), true) == passing.end() ? std::vector<bool>() : passing;
}

GrowthOptions growth_options(const Config& config) {
    return {.rate = config.placement.rate,
            .from = config.placement.from,
            .until_pressure = config.placement.until_pressure};
}

Placement place(Exchange& exchange, const Config& config, const World& world) {
    switch (config.placement.method) {
        case PlacementMethod::random:
            return place_at_random(world, exchange, passing_species(config, world));
        case PlacementMethod::dense:
            return place_densely(world, exchange, passing_species(config, world));
        case PlacementMethod::grow:
            return place_by_growth(world, growth_options(config), exchange);
        case PlacementMethod::lattice:
            return place_on_lattice(lattice_kind(config.placement.lattice), world, exchange);
        case PlacementMethod::file:
            break;
    }
    Placement placement;
    StartFile start = start_from_file(config, exchange);
    placement.notes = notes_on_frames(config, start, exchange);
    placement.particles = std::move(start.particles);
    placement.has_velocities = start.has_velocities && may_keep_velocities(config.dynamics.velocities);
    return placement;
}

void set_effective_masses(const World& world, Particles& particles) {
    particles.attributes.change_all([&](Attributes& a) {
        a.mass = effective_mass(world.bath_energy.value(), world.timestep, a.diffusion);
    });
}

void set_thermal_velocities(Exchange& exchange, const Config& config, const World& world,
                            Particles& particles) {
    const bool is_maxwell = config.dynamics.velocities != StartVelocities::equal_speed;
    assign_velocities(particles, is_maxwell ? InitialVelocities::maxwell : InitialVelocities::equal_speed,
                      config.dynamics.kT, config.box.dimension, config.run.seed);
    if (is_maxwell) settle(exchange, world, config.dynamics.kT, particles);
}

}  // namespace

/// With walls that are inside their faces at step 0 as bodies, of which placements keep off.
static World starting_world(const Config& config) {
    World world = world_of(config);
    for (const WallOptions& wall : config.walls) {
        const auto face = static_cast<std::size_t>(wall.face);
        const double depth = wall_depth(world.walls[face], world.timestep, 0);
        if (!(depth > 0)) continue;
        const int axis = static_cast<int>(face / 2);
        const bool is_high = face % 2 == 1;
        BodyPlane plane;
        plane.point[axis] = is_high ? world.box.size[axis] - depth : depth;
        plane.normal[axis] = is_high ? -1 : 1;
        world.bodies.push_back({"wall " + std::string(to_word(wall.face)), plane});
    }
    return world;
}

SettledBox settle_box(Exchange& exchange, const Config& config) {
    if (!config.placement.until_pressure) return {.config = config};
    FoundPlacement grown = place_until_pressure(world_of(config), growth_options(config), exchange);
    return {.config = in_found_box(config, grown.found),
            .found = grown.found,
            .placement = std::move(grown.placement)};
}

Start make_start(Exchange& exchange, const Config& config, std::optional<Placement> placed) {
    const World world = starting_world(config);
    Placement placement = placed ? *std::move(placed) : place(exchange, config, world);
    const bool needs_equilibration =
        placement.needs_equilibration && !world.bath_energy && !is_at_rest(world);
    Start start{std::move(placement.particles), 0, std::move(placement.notes), needs_equilibration,
                placement.num_sites};
    std::int64_t count = static_cast<std::int64_t>(start.particles.size());
    exchange.sum(std::span(&count, 1));
    start.num_particles = static_cast<std::uint64_t>(count);
    if (world.bath_energy)
        set_effective_masses(world, start.particles);
    else if (!placement.has_velocities)
        set_thermal_velocities(exchange, config, world, start.particles);
    exchange.offer_end_of_start();
    return start;
}

namespace {

PlacementForecast foreseen(Exchange& exchange, const Config& config, const World& world) {
    switch (config.placement.method) {
        case PlacementMethod::random:
            return foresee_random_placement(world, exchange, passing_species(config, world));
        case PlacementMethod::dense:
            return foresee_dense_placement(world, exchange, passing_species(config, world));
        case PlacementMethod::grow:
            return foresee_growth(world, growth_options(config), exchange);
        case PlacementMethod::lattice:
            return foresee_lattice_placement(lattice_kind(config.placement.lattice), world, exchange);
        case PlacementMethod::file:
            break;
    }
    return {};
}

}  // namespace

PlacementForecast foresee_placement(Exchange& exchange, const Config& config) {
    const World world = starting_world(config);
    PlacementForecast forecast = foreseen(exchange, config, world);
    forecast.needs_equilibration = forecast.needs_equilibration && !world.bath_energy && !is_at_rest(world);
    return forecast;
}

}  // namespace ricochet
