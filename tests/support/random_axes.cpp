// SPDX-License-Identifier: BSD-3-Clause
//
// Random axes along which particles of random systems do not move.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

std::uint32_t random_frozen_axes(int dimension, HashRandom& random) {
    if (random.is_one_in(2)) return 0;
    if (random.is_one_in(2)) return all_axes;
    const std::uint64_t some = 1 + random.index(dimension == 2 ? 2 : 6);  // neither none nor all
    return static_cast<std::uint32_t>(some);
}

/// Some that rest get another one into the same place, or inside of them and touching their surface.
void let_resting_overlap(System& system, HashRandom& random) {
    ParticleId next = 0;
    for (const Motion& motion : system.particles.motion) next = std::max(next, motion.id + 1);
    const std::size_t size = system.particles.size();
    for (std::size_t k = 0; k < size; ++k) {
        Attributes matter = system.particles.attributes[k];
        if (!matter.rests() || !random.is_one_in(3)) continue;
        Motion motion = system.particles.motion[k];
        motion.id = next++;
        if (random.is_one_in(2)) {
            motion.position.y += 0.5 * matter.radius;
            matter.radius *= 0.5;
            if (system.box.is_periodic(1) && motion.position.y >= system.box.size.y)
                motion.position.y -= system.box.size.y;
        }
        system.particles.push_back(motion, matter, {.origin = motion.position});
    }
}

/// At which even the lightest is hardly faster than those there are: steps are chosen for these.
double energy_of_release(const System& system, HashRandom& random) {
    double lightest = std::numeric_limits<double>::infinity();
    for (const Attributes& matter : system.particles.attributes) lightest = std::min(lightest, matter.mass);
    for (const Species& species : system.world->species)
        if (species.mass > 0) lightest = std::min(lightest, species.mass);
    const double speed = random.uniform(0.1, 0.5) * fastest_speed(system.particles);
    return std::isfinite(lightest) ? lightest * speed * speed : 0;
}

}  // namespace

void stop_along_frozen_axes(Particles& particles) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Vec3& velocity = particles.motion[k].velocity;
        velocity = without_axes(velocity, particles.attributes[k].frozen_axes);
    }
}

void freeze_random_axes(System& system, HashRandom& random) {
    AttributeList& all = system.particles.attributes;
    std::size_t num_species = system.world ? system.world->species.size() : 1;
    for (const Attributes& matter : all) num_species = std::max<std::size_t>(num_species, matter.species + 1);
    std::vector<std::uint32_t> frozen(num_species);
    for (std::uint32_t& axes : frozen) axes = random_frozen_axes(system.box.dimension, random);
    for (std::size_t k = 0; k < all.size(); ++k) all.edit(k).frozen_axes = frozen[all[k].species];
    if (system.world) {
        system.world->thermal_energy = energy_of_release(system, random);
        for (std::size_t s = 0; s < system.world->species.size(); ++s)
            system.world->species[s].frozen_axes = frozen[s];
        let_resting_overlap(system, random);
    }
    stop_along_frozen_axes(system.particles);
    share_records_of_some(system);
}

std::vector<System> systems_with_solids() {
    std::vector<System> systems;
    for (const int dimension : {2, 3}) {
        const bool is_flat = dimension == 2;
        System system = empty_system(is_flat ? "discs in a solid of discs" : "spheres in a solid of spheres",
                                     periodic_box({12, 8, is_flat ? 0.0 : 8}), 0.4, 3);
        HashRandom random(77);
        for (const Vec3& site : lattice_sites({12, 8, is_flat ? 1 : 8}, {})) {
            const Vec3 r = site - Vec3{6, 4, is_flat ? 0.0 : 4};
            if (dot(r, r) > 9) add_particle(system, site, {}, 0.75);
        }
        const std::size_t num_fixed = system.particles.size();
        for (int k = 0; k < 9; ++k)
            add_particle(system, Vec3{6, 4, is_flat ? 0.0 : 4} + 0.75 * Vec3{k % 3 - 1.0, k / 3 - 1.0, 0},
                         coarse_velocity(dimension, random), 0.25);
        for (std::size_t k = 0; k < system.particles.size(); ++k) {
            // Those that move do so along all axes, in a plane, or along a line.
            const std::array<std::uint32_t, 4> of_moving{0, 0, 4, 2};
            system.particles.attributes.edit(k).frozen_axes = k < num_fixed ? all_axes : of_moving[k % 4];
        }
        stop_along_frozen_axes(system.particles);
        shuffle_ids(system, 78);
        systems.push_back(system);
    }
    return systems;
}

void freeze_axes_of_some(System& system, std::uint64_t seed) {
    HashRandom random(seed ^ 0x61786573);
    if (random.is_one_in(3)) freeze_random_axes(system, random);
}

}  // namespace ricochet::test
