// SPDX-License-Identifier: BSD-3-Clause
//
// The drive of Brownian particles and the first velocities of ballistic ones, against the distributions that
// they stand for. Bounds are 4 standard errors; the seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/hash.hpp"
#include "core/simd.hpp"
#include "dynamics/ballistic.hpp"
#include "dynamics/brownian.hpp"
#include "dynamics/normal.hpp"
#include "model/particle_hash.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Particles 0..n-1 with masses and diffusion coefficients given by their id.
Particles some_particles(std::size_t n, auto mass, auto diffusion) {
    Particles particles;
    for (ParticleId id = 0; id < n; ++id) {
        Attributes attributes;
        attributes.mass = mass(id);
        attributes.diffusion = diffusion(id);
        particles.push_back({{}, {}, 0, id}, attributes, {});
    }
    return particles;
}

Particles equal_particles(std::size_t n, double mass, double diffusion) {
    return some_particles(
        n, [&](ParticleId) { return mass; }, [&](ParticleId) { return diffusion; });
}

double mean_over(const Particles& particles, auto function) {
    double sum = 0;
    for (const Motion& motion : particles.motion) sum += function(motion);
    return sum / static_cast<double>(particles.size());
}

double square(double x) { return x * x; }

/// The normal is that of the id.
TEST(Brownian, VelocityIsAmplitudeTimesNormal) {
    const auto diffusion = [](ParticleId id) { return 0.5 + 0.25 * static_cast<double>(id % 3); };
    Particles particles = some_particles(1000, diffusion, diffusion);
    drive_brownian(particles, 3, 0.25, 9, 12);
    for (const Motion& motion : particles.motion)
        EXPECT_EQ(motion.velocity, std::sqrt(8 * diffusion(motion.id)) *
                                       standard_normals3({9, Stream::brownian, 12}, motion.id));
}

TEST(Brownian, DiscsStayInTheirPlane) {
    Particles particles = equal_particles(300, 1, 2);
    for (Motion& motion : particles.motion) motion.velocity = {7, 7, 7};
    drive_brownian(particles, 2, 0.1, 9, 12);
    for (const Motion& motion : particles.motion) {
        EXPECT_EQ(motion.velocity.z, 0);
        EXPECT_NE(motion.velocity.x, 7);
    }
}

/// The counter of the generator.
TEST(Brownian, RefusesStepsBeyondTheCounter) {
    Particles particles = equal_particles(3, 1, 1);
    EXPECT_NO_THROW(drive_brownian(particles, 3, 0.1, 9, max_random_step - 1));
    EXPECT_THROW(drive_brownian(particles, 3, 0.1, 9, max_random_step), RunError);
}

TEST(Brownian, ParticlesWithoutDiffusionRest) {
    Particles particles = equal_particles(3, 1, 0);
    drive_brownian(particles, 3, 0.1, 9, 12);
    for (const Motion& motion : particles.motion) EXPECT_EQ(motion.velocity, Vec3{});
}

TEST(Brownian, OrderPartitionAndTargetChangeNoBit) {
    const auto diffusion = [](ParticleId id) { return 1 + 1e-3 * static_cast<double>(id); };
    Particles all = some_particles(1001, diffusion, diffusion);
    Particles parts[2];
    for (std::size_t k = all.size(); k-- > 0;) parts[k * 7 % 3 == 0].append(all, k);
    drive_brownian(all, 3, 0.1, 5, 3);
    for (const SimdTarget& target : supported_simd_targets()) {
        const ForcedSimdTarget forced(target);
        for (Particles& part : parts) drive_brownian(part, 3, 0.1, 5, 3);
        Fingerprint sum = fingerprint(parts[0]);
        sum.merge(fingerprint(parts[1]));
        EXPECT_EQ(sum, fingerprint(all)) << target.name;
    }
}

/// The equilibration draws other numbers than the recorded steps.
TEST(Brownian, DriveDrawsFromTheStreamOfItsStep) {
    const BrownianDrive drive(3, 0.1, 9);
    const auto driven = [&](DrivenStep step) {
        Particles particles = equal_particles(40, 1, 2);
        drive.before_drift(particles, step);
        drive.after_drift(particles, step);
        return fingerprint(particles);
    };
    const auto drawn = [](std::uint64_t step, Stream stream) {
        Particles particles = equal_particles(40, 1, 2);
        drive_brownian(particles, 3, 0.1, 9, step, stream);
        return fingerprint(particles);
    };
    EXPECT_EQ(driven({.number = 7}), drawn(7, Stream::brownian));
    EXPECT_EQ(driven({.number = 7, .is_recorded = false}), drawn(7, Stream::equilibration));
    Particles started = equal_particles(40, 1, 2);
    drive.start(started);
    EXPECT_EQ(fingerprint(started), drawn(0, Stream::brownian));
}

/// Writes the digit of its name behind what the velocity holds: 1 at the start, 2 before, 3 after the drift.
class DigitDrive final : public Drive {
  public:
    explicit DigitDrive(double name) : name_(name) {}
    void start(Particles& owned) const override { append(owned, 1); }
    void before_drift(Particles& owned, DrivenStep) const override { append(owned, 2); }
    void after_drift(Particles& owned, DrivenStep) const override { append(owned, 3); }

  private:
    void append(Particles& owned, double event) const {
        for (Motion& m : owned.motion) m.velocity.x = 100 * m.velocity.x + 10 * event + name_;
    }
    double name_;
};

/// In order before the drift, in opposite order after it.
TEST(DriveList, ActsInMirroredOrder) {
    DriveList drives;
    drives.add(std::make_unique<DigitDrive>(7));
    drives.add(std::make_unique<DigitDrive>(8));
    Particles one = equal_particles(1, 1, 0);
    drives.start(one);
    drives.before_drift(one, {});
    drives.after_drift(one, {});
    EXPECT_EQ(one.motion[0].velocity.x, 171827283837.0);
}

// Berg: <r^2> = 2 d D t, <x^4> = 12 D^2 t^2. Relative standard errors sqrt(2/(d N)) and sqrt(32/(3 d N)).
TEST(Brownian, FreeParticlesDiffuse) {
    constexpr std::size_t n = 20000;
    constexpr int num_steps = 25;
    const double D = 0.7, dt = 0.04, t = num_steps * dt;
    for (const int dimension : {2, 3}) {
        Particles particles = equal_particles(n, 1, D);
        for (std::uint64_t step = 0; step < num_steps; ++step) {
            drive_brownian(particles, dimension, dt, 31, step);
            for (Motion& motion : particles.motion)
                motion.position = advanced(motion.position, motion.velocity, dt);
        }
        const double samples = static_cast<double>(n) * dimension;
        const double msd = mean_over(particles, [](const Motion& m) { return dot(m.position, m.position); });
        const double fourth = mean_over(particles, [](const Motion& m) {
            return square(square(m.position.x)) + square(square(m.position.y)) + square(square(m.position.z));
        });
        EXPECT_NEAR(msd / (2 * dimension * D * t), 1, 4 * std::sqrt(2 / samples));
        EXPECT_NEAR(fourth / (12 * dimension * square(D * t)), 1, 4 * std::sqrt(32 / (3 * samples)));
    }
}

TEST(Brownian, EffectiveMassMakesItMaxwellian) {
    constexpr std::size_t n = 20000;
    const double kT = 2, dt = 0.01, D = 0.3, mass = effective_mass(kT, dt, D);
    Particles particles = equal_particles(n, mass, D);
    drive_brownian(particles, 3, dt, 1, 1);
    const double energy =
        mean_over(particles, [&](const Motion& m) { return 0.5 * mass * dot(m.velocity, m.velocity); });
    EXPECT_NEAR(energy, 1.5 * kT, 4 * kT * std::sqrt(1.5 / n));
}

TEST(Ballistic, MaxwellVelocitiesHaveTheirMoments) {
    constexpr std::size_t n = 40000;
    const double kT = 1.5, mass = 4, variance = kT / mass;
    for (const int dimension : {2, 3}) {
        Particles particles = equal_particles(n, mass, 0);
        assign_velocities(particles, InitialVelocities::maxwell, kT, dimension, 3);
        for (int axis = 0; axis < dimension; ++axis) {
            const auto moment = [&](int power) {
                return mean_over(particles,
                                 [&](const Motion& m) { return std::pow(m.velocity[axis], power); });
            };
            const double root_n = std::sqrt(static_cast<double>(n));
            EXPECT_NEAR(moment(1), 0, 4 * std::sqrt(variance) / root_n);
            EXPECT_NEAR(moment(2) / variance, 1, 4 * std::sqrt(2) / root_n);
            EXPECT_NEAR(moment(4) / square(variance), 3, 4 * std::sqrt(96) / root_n);
        }
        const double v2 = mean_over(particles, [](const Motion& m) { return dot(m.velocity, m.velocity); });
        const double v4 =
            mean_over(particles, [](const Motion& m) { return square(dot(m.velocity, m.velocity)); });
        EXPECT_NEAR(v4 / square(v2), dimension == 3 ? 5.0 / 3 : 2.0, 4 * std::sqrt(24.0 / n));
    }
}

TEST(Ballistic, EqualSpeedsAreEqualAndIsotropic) {
    constexpr std::size_t n = 40000;
    for (const int dimension : {2, 3}) {
        Particles particles = equal_particles(n, 2, 0);
        assign_velocities(particles, InitialVelocities::equal_speed, 1, dimension, 3);
        const double speed = std::sqrt(dimension / 2.0);
        for (const Motion& motion : particles.motion)
            ASSERT_NEAR(norm(motion.velocity), speed, 4e-16 * speed);
        // Unit vectors: <n_i> = 0, <n_i n_j> = delta_ij/d, <n_i^4> = 3/(d (d + 2)).
        const double bound = 4 / std::sqrt(static_cast<double>(n)), d = dimension;
        for (int i = 0; i < dimension; ++i) {
            const auto component = [&](const Motion& m, int axis) { return m.velocity[axis] / speed; };
            EXPECT_NEAR(mean_over(particles, [&](const Motion& m) { return component(m, i); }), 0, bound);
            EXPECT_NEAR(
                mean_over(particles, [&](const Motion& m) { return square(square(component(m, i))); }),
                3 / (d * (d + 2)), bound / 2);
            for (int j = 0; j <= i; ++j)
                EXPECT_NEAR(
                    mean_over(particles, [&](const Motion& m) { return component(m, i) * component(m, j); }),
                    i == j ? 1 / d : 0.0, bound / 2);
        }
    }
}

TEST(Ballistic, VelocitiesDependOnSeedAndIdOnly) {
    const auto velocity = [](std::uint64_t seed, ParticleId id) {
        return initial_velocity(InitialVelocities::maxwell, 1, 1, 3, seed, id);
    };
    EXPECT_EQ(velocity(1, 2), velocity(1, 2));
    EXPECT_NE(velocity(1, 2), velocity(1, 3));
    EXPECT_NE(velocity(1, 2), velocity(2, 2));
    EXPECT_EQ(initial_velocity(InitialVelocities::zero, 1, 1, 3, 1, 2), Vec3{});
    EXPECT_EQ(initial_velocity(InitialVelocities::maxwell, 1, 1, 2, 1, 2).z, 0);
}

/// One degree of freedom per periodic axis is not thermal.
TEST(Ballistic, LeavesOutTheDriftOfPeriodicAxes) {
    using enum Boundary;
    const auto freedom = [](int dimension, std::array<Boundary, 3> boundary, std::uint64_t count) {
        const Species any;
        return ballistic_freedom({dimension, {1, 1, dimension == 2 ? 0.0 : 1.0}, boundary},
                                 std::span(&any, 1), std::span(&count, 1));
    };
    EXPECT_EQ(freedom(3, {periodic, periodic, periodic}, 10).degrees, 27);
    EXPECT_EQ(freedom(2, {periodic, periodic, periodic}, 10).degrees, 18);
    EXPECT_EQ(freedom(3, {reflecting, periodic, reflecting}, 10).degrees, 29);
    EXPECT_EQ(freedom(3, {reflecting, periodic, reflecting}, 10).is_relative,
              (std::array{false, true, false}));
    EXPECT_EQ(freedom(3, {reflecting, reflecting, reflecting}, 10).degrees, 30);
    EXPECT_EQ(freedom(3, {periodic, periodic, periodic}, 1).degrees, 3);
    EXPECT_EQ(freedom(3, {periodic, periodic, periodic}, 1).is_relative, (std::array{false, false, false}));
}

TEST(Ballistic, EnergyGrowsAsTheSquareOfTheScale) {
    Particles particles = equal_particles(500, 2, 0);
    assign_velocities(particles, InitialVelocities::maxwell, 1, 3, 5);
    const double before = kinetic_energy(particles).value();
    scale_velocities(particles, 2);
    EXPECT_EQ(kinetic_energy(particles).value(), 4 * before);
}

TEST(NetMomentum, RemovalLeavesOnlyRounding) {
    Particles particles = some_particles(
        5000, [](ParticleId id) { return 1 + static_cast<double>(id % 5); }, [](ParticleId) { return 0.0; });
    assign_velocities(particles, InitialVelocities::maxwell, 1, 3, 3);
    NetMomentum before, after;
    before.add(particles);
    EXPECT_GT(norm(before.drift()), 1e-4);
    remove_drift(particles, before.drift());
    after.add(particles);
    EXPECT_LT(norm(after.drift()), 1e-16);
}

TEST(NetMomentum, IsTheSameInAnyOrderAndSplit) {
    Particles particles = some_particles(
        5000, [](ParticleId id) { return 1 + static_cast<double>(id % 5); }, [](ParticleId) { return 0.0; });
    assign_velocities(particles, InitialVelocities::maxwell, 1, 3, 4);
    NetMomentum whole, merged;
    whole.add(particles);
    std::mt19937_64 random(1);
    std::vector<Particles> parts(7);
    for (std::size_t k = particles.size(); k-- > 0;) parts[random() % parts.size()].append(particles, k);
    for (const Particles& part : parts) {
        NetMomentum momentum;
        momentum.add(part);
        merged.merge(momentum);
    }
    EXPECT_EQ(merged.drift(), whole.drift());
    EXPECT_EQ(NetMomentum().drift(), Vec3{});
}

}  // namespace
}  // namespace ricochet
