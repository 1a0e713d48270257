// SPDX-License-Identifier: BSD-3-Clause
//
// Driven spheres, as in the experiments with time bounds.
#pragma once

#include <cstdint>

#include "dynamics/kicks.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Spheres of radii 0.5 to 2 in a box, without overlap, at speeds up to 10.
inline System spheres(const Box& box, std::uint64_t count, std::uint64_t seed) {
    constexpr double top_speed = 10;
    System system;
    system.name = "spheres";
    system.box = box;
    HashRandom random(seed);
    const ImageLengths images(box);
    while (system.particles.size() < count) {
        const double radius = random.uniform(0.5, 2);
        Vec3 at, velocity;
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double edge = box.has_walls(axis) ? radius : 0;
            at[axis] = random.uniform(edge, box.size[axis] - edge);
            velocity[axis] = random.uniform(-top_speed, top_speed);
        }
        if (norm(velocity) > top_speed) continue;
        const auto overlaps = [&](std::size_t k) {
            return norm(minimum_image(at - system.particles.motion[k].position, images)) <=
                   radius + system.particles.attributes[k].radius;
        };
        bool is_free = true;
        for (std::size_t k = 0; k < system.particles.size() && is_free; ++k) is_free = !overlaps(k);
        if (is_free) add_particle(system, at, velocity, radius);
    }
    return system;
}

/// Accelerations from 1 to 10.
inline Kicks kicks_for(double dt) { return {1, 10, dt, 5}; }

/// Each sphere is accelerated in a direction of its own, which is drawn anew every four steps.
inline SlabRunSettings driven(double dt, int num_steps) {
    SlabRunSettings settings;
    settings.num_steps = num_steps;
    settings.engine.kicks = kicks_for(dt);
    settings.drive = [dt](Particles& particles, int step) {
        const RandomAccelerations drive(3, kicks_for(dt), 10, 4);
        drive.before_drift(particles, {static_cast<std::uint64_t>(step), true});
    };
    return settings;
}

}  // namespace ricochet::test
