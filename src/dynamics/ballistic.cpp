// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/ballistic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "dynamics/normal.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// Of the axes of the box.
int num_free_axes(int dimension, std::uint32_t frozen_axes) {
    int count = 0;
    for (int axis = 0; axis < dimension; ++axis) count += (frozen_axes >> axis & 1) == 0 ? 1 : 0;
    return count;
}

/// Whether contacts conserve momentum along the axis.
bool conserve_momentum(const Box& box, std::span<const Species> species, int axis) {
    return box.is_periodic(axis) && std::all_of(species.begin(), species.end(), [axis](const Species& one) {
               return (one.frozen_axes >> axis & 1) == 0;
           });
}

std::vector<std::uint64_t> numbers_by_species(Exchange& exchange, const World& world,
                                              const Particles& particles) {
    std::vector<std::int64_t> counts(world.species.size());
    for (const Attributes& attributes : particles.attributes) ++counts[attributes.species];
    exchange.sum(counts);
    return {counts.begin(), counts.end()};
}

}  // namespace

Vec3 initial_velocity(InitialVelocities kind, double thermal_energy, double mass, int dimension,
                      std::uint64_t seed, ParticleId id, std::uint32_t frozen_axes) {
    const int num_axes = num_free_axes(dimension, frozen_axes);
    if (kind == InitialVelocities::zero || num_axes == 0) return {};
    RICOCHET_CHECK_GE(thermal_energy, 0);
    RICOCHET_CHECK_GT(mass, 0);
    Vec3 normal = standard_normals3({.seed = seed, .stream = Stream::velocity, .step = 0}, id);
    if (dimension == 2) normal.z = 0;
    normal = without_axes(normal, frozen_axes);
    if (kind == InitialVelocities::maxwell) return std::sqrt(thermal_energy / mass) * normal;
    return std::sqrt(num_axes * thermal_energy / mass) * direction_of_normals(normal);
}

void assign_velocities(Particles& particles, InitialVelocities kind, double thermal_energy, int dimension,
                       std::uint64_t seed) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Motion& motion = particles.motion[k];
        const Attributes& of = particles.attributes[k];
        motion.velocity =
            initial_velocity(kind, thermal_energy, of.mass, dimension, seed, motion.id, of.frozen_axes);
    }
}

double degrees_of_freedom(const Box& box, std::span<const Species> species,
                          std::span<const std::uint64_t> numbers) {
    RICOCHET_CHECK_EQ(species.size(), numbers.size());
    double degrees = 0;
    for (std::size_t s = 0; s < species.size(); ++s)
        degrees += num_free_axes(box.dimension, species[s].frozen_axes) * static_cast<double>(numbers[s]);
    return degrees;
}

Freedom ballistic_freedom(const Box& box, std::span<const Species> species,
                          std::span<const std::uint64_t> numbers) {
    Freedom freedom{degrees_of_freedom(box, species, numbers), {}};
    if (std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}) < 2) return freedom;
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (!conserve_momentum(box, species, axis)) continue;
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

void scale_to_temperature(Exchange& exchange, double degrees, double thermal_energy, Particles& particles) {
    ExactSum energy = kinetic_energy(particles);
    reduce_exact(exchange, std::span(&energy, 1));
    if (energy.value() > 0)
        scale_velocities(particles, std::sqrt(degrees * thermal_energy / (2 * energy.value())));
}

void settle(Exchange& exchange, const World& world, double thermal_energy, Particles& particles) {
    const std::vector<std::uint64_t> numbers = numbers_by_species(exchange, world, particles);
    std::uint64_t num_moving = 0;
    for (std::size_t s = 0; s < numbers.size(); ++s)
        if (world.species[s].frozen_axes != all_axes) num_moving += numbers[s];
    if (num_moving < 2) return;
    const Freedom freedom = ballistic_freedom(world.box, world.species, numbers);
    NetMomentum net;
    net.add(particles);
    reduce_exact(exchange, std::span<ExactSum>(net.sums));
    Vec3 drift = net.drift();
    for (int axis = 0; axis < 3; ++axis)
        if (!freedom.is_relative[static_cast<std::size_t>(axis)]) drift[axis] = 0;
    remove_drift(particles, drift);
    scale_to_temperature(exchange, freedom.degrees, thermal_energy, particles);
}

}  // namespace ricochet
