// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/ballistic.hpp"

#include <cmath>
#include <span>

#include "dynamics/normal.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
Vec3 initial_velocity(InitialVelocities kind, double thermal_energy, double mass, int dimension,
                      std::uint64_t seed, ParticleId id) {
    if (kind == InitialVelocities::zero) return {};
    RICOCHET_CHECK_GE(thermal_energy, 0);
    RICOCHET_CHECK_GT(mass, 0);
    Vec3 normal = standard_normals3({.seed = seed, .stream = Stream::velocity, .step = 0}, id);
    if (dimension == 2) normal.z = 0;
    if (kind == InitialVelocities::maxwell) return std::sqrt(thermal_energy / mass) * normal;
    return std::sqrt(dimension * thermal_energy / mass) * direction_of_normals(normal);
}

void assign_velocities(Particles& particles, InitialVelocities kind, double thermal_energy, int dimension,
                       std::uint64_t seed) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Motion& motion = particles.motion[k];
        motion.velocity =
            initial_velocity(kind, thermal_energy, particles.attributes[k].mass, dimension, seed, motion.id);
    }
}

Freedom ballistic_freedom(const Box& box, std::uint64_t num_particles) {
    Freedom freedom{box.dimension * static_cast<double>(num_particles), {}};
    if (num_particles < 2) return freedom;
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (!box.is_periodic(axis)) continue;
        freedom.is_relative[static_cast<std::size_t>(axis)] = true;
        freedom.degrees -= 1;
    }
    return freedom;
}

void NetMomentum::add(const Particles& particles) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const double mass = particles.attributes[k].mass;
        for (int axis = 0; axis < 3; ++axis)
            sums[static_cast<std::size_t>(axis)].add(mass * particles.motion[k].velocity[axis]);
        sums[3].add(mass);
    }
}

void NetMomentum::merge(const NetMomentum& other) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].merge(other.sums[k]);
}

Vec3 NetMomentum::drift() const {
    const double mass = sums[3].value();
    if (mass == 0) return {};
    return {sums[0].value() / mass, sums[1].value() / mass, sums[2].value() / mass};
}

void remove_drift(Particles& particles, Vec3 drift) {
    for (Motion& motion : particles.motion) motion.velocity = motion.velocity - drift;
}

ExactSum kinetic_energy(const Particles& particles) {
    ExactSum sum;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const Vec3 v = particles.motion[k].velocity;
        sum.add(0.5 * (particles.attributes[k].mass * dot(v, v)));
    }
    return sum;
}

void scale_velocities(Particles& particles, double factor) {
    for (Motion& motion : particles.motion) motion.velocity = factor * motion.velocity;
}

void scale_to_temperature(Exchange& exchange, const Box& box, double thermal_energy,
                          std::uint64_t num_particles, Particles& particles) {
    ExactSum energy = kinetic_energy(particles);
    reduce_exact(exchange, std::span(&energy, 1));
    if (energy.value() > 0)
        scale_velocities(particles, std::sqrt(ballistic_freedom(box, num_particles).degrees * thermal_energy /
                                              (2 * energy.value())));
}

void settle(Exchange& exchange, const Box& box, double thermal_energy, std::uint64_t num_particles,
            Particles& particles) {
    if (num_particles < 2) return;
    const Freedom freedom = ballistic_freedom(box, num_particles);
    NetMomentum net;
    net.add(particles);
    reduce_exact(exchange, std::span<ExactSum>(net.sums));
    Vec3 drift = net.drift();
    for (int axis = 0; axis < 3; ++axis)
        if (!freedom.is_relative[static_cast<std::size_t>(axis)]) drift[axis] = 0;
    remove_drift(particles, drift);
    scale_to_temperature(exchange, box, thermal_energy, num_particles, particles);
}

}  // namespace ricochet
