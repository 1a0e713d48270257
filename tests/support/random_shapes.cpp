// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/random_shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "geometry/polytope.hpp"
#include "geometry/solid_pair.hpp"
#include "tests/support/random_bodies.hpp"
#include "tests/support/worlds.hpp"

namespace ricochet::test {
namespace {

std::vector<Vec3> box_of(Vec3 edges, int dimension) {
    std::vector<Vec3> corners;
    corners.reserve(8);
    for (int k = 0; k < (dimension == 2 ? 4 : 8); ++k)
        corners.push_back({(k & 1) * edges.x, (k >> 1 & 1) * edges.y, (k >> 2 & 1) * edges.z});
    return corners;
}

std::vector<Vec3> some_points(int dimension, HashRandom& random) {
    const double z = dimension == 3 ? 1 : 0;
    switch (random.index(4)) {
        case 0:
            return box_of({1, 1, z}, dimension);
        case 1:
            return box_of({random.uniform(0.3, 1), random.uniform(0.3, 1), z * random.uniform(0.3, 1)},
                          dimension);
        case 2:
            if (dimension == 2) return {{0, 0, 0}, {1, 0, 0}, {0.5, random.uniform(0.3, 1), 0}};
            return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, random.uniform(0.3, 1.5)}};
        default:
            break;
    }
    std::vector<Vec3> points;
    const std::uint64_t count = 4 + random.index(5);
    for (std::uint64_t k = 0; k < count; ++k) points.push_back(random.normal_vector(dimension));
    return points;
}

bool makes_no_shapes(const ContactRule& rule) {
    if (std::holds_alternative<Coalesce>(rule) || std::holds_alternative<Stick>(rule)) return true;
    const React* const react = std::get_if<React>(&rule);
    return react != nullptr && react->rate < std::numeric_limits<double>::infinity();
}

/// The radius of all particles of a species; none where they differ, or there are none.
std::optional<double> radius_of_all(const System& system, SpeciesIndex species) {
    std::optional<double> radius;
    for (const Attributes& attributes : system.particles.attributes) {
        if (attributes.species != species) continue;
        if (radius && *radius != attributes.radius) return std::nullopt;
        radius = attributes.radius;
    }
    return radius;
}

bool has_only_spheres(const World& world, SpeciesIndex species) {
    if (makes_no_shapes(world.pair_rule)) return true;
    return std::ranges::any_of(world.rules, [&](const SpeciesRule& rule) {
        const bool passes_body = std::holds_alternative<Pass>(rule.rule) && rule.b == wall_species;
        return (rule.a == species || rule.b == species) && (makes_no_shapes(rule.rule) || passes_body);
    });
}

/// Whether sums of the shape with all capsules are thick enough to be found.
bool has_sums(const World& world, const std::vector<Vec3>& corners) {
    return std::ranges::all_of(world.bodies, [&](const Body& body) {
        const auto* const capsule = std::get_if<BodyCapsule>(&body.shape);
        return capsule == nullptr || SolidPair::has_sum(corners, *capsule, world.box.dimension);
    });
}

/// The last species does not move along some axes.
void freeze_some(System& system, HashRandom& random) {
    const auto frozen = static_cast<std::uint32_t>(random.index(8));
    system.world->species.back().frozen_axes = frozen;
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        if (system.particles.attributes[k].species + 1 == system.world->species.size())
            system.particles.attributes.edit(k).frozen_axes = frozen;
    stop_along_frozen_axes(system.particles);
}

/// A cell of a lattice for each, at random velocities; some bounce with losses, some fall.
System dense_shapes(std::uint64_t seed, HashRandom& random) {
    const int dimension = random.is_one_in(3) ? 2 : 3, n = dimension == 2 ? 6 : 4;
    Box box = periodic_box({1.0 * n, 1.0 * n, dimension == 2 ? 0 : 1.0 * n});
    set_random_walls(box, random);
    const ContactRule common = Bounce{random.is_one_in(2) ? 1 : random.uniform(0.3, 1)};
    const double widest = random.is_one_in(2) ? 0.5 : random.uniform(0.3, 0.5);
    System system = system_of("shapes " + std::to_string(seed), box, random.log_uniform(0.1, 0.8),
                              {{widest, 1}, {random.uniform(0.2, widest), 2}, {0.3, 0.5}}, common);
    for (SpeciesIndex k = 0; k < 3; ++k)
        if (!random.is_one_in(4))
            system.world->species[k].corners =
                random_corners(dimension, system.world->species[k].radius, random);
    if (random.is_one_in(3)) {  // cubes that touch: along the axes they are as wide as the cells
        const Vec3 edges{1, 1, dimension == 2 ? 0.0 : 1.0};
        for (SpeciesIndex k = 0; k < 3; ++k) {
            Species& species = system.world->species[k];
            species.corners = centred(*convex_hull(box_of(edges, dimension), dimension)).corners;
            species.radius = (1 + 1e-12) * bounding_radius(species.corners);
        }
    }
    for (const Vec3 site :
         lattice_sites({n, n, dimension == 2 ? 1 : n}, {0.5, 0.5, dimension == 2 ? 0 : 0.5}))
        if (random.is_one_in(2))
            add_of_species(system, static_cast<SpeciesIndex>(random.index(3)), site,
                           random.normal_vector(dimension));
    shuffle_ids(system, random.bits());
    if (random.is_one_in(2))
        give_random_bodies(system, random, false);
    else if (random.is_one_in(4))
        freeze_some(system, random);
    return system;
}

}  // namespace

std::vector<Vec3> random_corners(int dimension, double radius, HashRandom& random) {
    for (;;) {
        const auto hull = convex_hull(some_points(dimension, random), dimension);
        if (!hull) continue;
        std::vector<Vec3> corners = centred(*hull).corners;
        const double scale = (1 - 1e-12) * (radius / bounding_radius(corners));
        for (Vec3& corner : corners) corner = scale * corner;
        return corners;
    }
}

void give_random_shapes(System& system, HashRandom& random) {
    const bool has_products = system.world.has_value();
    if (!has_products) system.world = world_of(system);
    World& world = *system.world;
    for (SpeciesIndex k = 0; k < world.species.size(); ++k) {
        const std::optional<double> radius = radius_of_all(system, k);
        if (!radius || has_only_spheres(world, k) || random.is_one_in(4)) continue;
        if (has_products && *radius != world.species[k].radius) continue;
        std::vector<Vec3> corners = random_corners(system.box.dimension, *radius, random);
        if (!has_sums(world, corners)) continue;
        world.species[k].radius = *radius;
        world.species[k].corners = std::move(corners);
    }
}

FuzzCase shape_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x736861706573);
    FuzzCase (*const kinds[])(std::uint64_t) = {fuzz_case,         gravity_fuzz_case, rule_fuzz_case,
                                                surface_fuzz_case, body_fuzz_case,    gravity_fuzz_case};
    if (seed % 2 == 0) {
        FuzzCase fuzz = run_at_random(dense_shapes(seed, random), random);
        fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
        return fuzz;
    }
    for (;;) {
        FuzzCase fuzz = kinds[seed / 2 % std::size(kinds)](random.bits() >> 32);
        if (rules_of(fuzz.system).have_rates()) continue;
        give_random_shapes(fuzz.system, random);
        fuzz.what = "shape fuzz case " + std::to_string(seed) + ": " + fuzz.what;
        return fuzz;
    }
}

}  // namespace ricochet::test
