// SPDX-License-Identifier: BSD-3-Clause
//
// Drives by kicks: what they add to velocities, and that it depends on nothing but step, id, place and velocity.
#include "dynamics/kicks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "model/acceleration.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr Kicks kicks{1, 10, 0.05, 7};

Box mixed_box(Vec3 size) {
    Box box = periodic_box(size);
    box.boundary[1] = Boundary::reflecting;
    return box;
}

/// At rest, at random.
Particles particles_in(const Box& box, std::size_t count) {
    System system;
    system.box = box;
    HashRandom random(3);
    while (system.particles.size() < count) {
        Vec3 at;
        for (int axis = 0; axis < box.dimension; ++axis) at[axis] = random.uniform(0, box.size[axis]);
        add_particle(system, at, {}, 0.5);
    }
    return system.particles;
}

double most_change(ParticleId id) { return acceleration_of(kicks, id) * kicks.interval; }

TEST(Kicks, RaiseNoSpeedAboveTheLimit) {
    HashRandom random(1);
    const auto any = [&] {
        return Vec3{random.uniform(-8, 8), random.uniform(-8, 8), random.uniform(-8, 8)};
    };
    int num_limited = 0;
    for (int k = 0; k < 1000; ++k) {
        const Vec3 velocity = any(), kick = 0.3 * any(), next = kicked(velocity, kick, 5);
        EXPECT_LE(norm(next), std::max(5.0, norm(velocity)) * (1 + 1e-15));
        EXPECT_LE(norm(next - velocity), norm(kick) * (1 + 1e-14));
        EXPECT_EQ(kicked(velocity, kick, no_limit), velocity + kick);
        num_limited += next != velocity + kick ? 1 : 0;
    }
    EXPECT_GT(num_limited, 100);
    EXPECT_LT(num_limited, 900);
}

TEST(RandomAccelerations, KickByTheAcceleration) {
    for (const int dimension : {2, 3}) {
        Particles particles = particles_in(periodic_box({20, 20, 20}), 600);
        const RandomAccelerations drive(dimension, kicks, no_limit, 3);
        Vec3 sum, squares;
        std::vector<Vec3> first;
        for (std::uint64_t step = 0; step < 6; ++step) {
            const Particles before = particles;
            drive.before_drift(particles, {step, true});
            for (std::size_t k = 0; k < particles.size(); ++k) {
                const Vec3 kick = particles.motion[k].velocity - before.motion[k].velocity;
                const double length = most_change(particles.motion[k].id);
                EXPECT_NEAR(norm(kick), length, 1e-13);
                if (step == 0) first.push_back(kick);
                const bool is_same = norm(kick - first[k]) < 1e-13;
                EXPECT_EQ(is_same, step < 3) << "step " << step;
                if (step % 3 != 0) continue;
                const Vec3 direction = (1 / length) * kick;
                sum = sum + direction;
                squares = squares + Vec3{direction.x * direction.x, direction.y * direction.y,
                                         direction.z * direction.z};
            }
        }
        // of 1,200 directions; the standard error of a sum is at most sqrt(1200/2) = 24, of one of squares 12
        EXPECT_LT(norm(sum), 100);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(squares[axis], axis < dimension ? 1200.0 / dimension : 0, axis < dimension ? 50 : 0);
    }
}

/// What is kept from step to step does not show.
TEST(RandomAccelerations, DependOnStepAndIdOnly) {
    const Particles start = particles_in(periodic_box({20, 20, 20}), 700);
    const RandomAccelerations kept(3, kicks, 4, 5);
    Particles particles = start, expected = start;
    for (std::uint64_t step = 0; step < 12; ++step) {
        Particles other;  // in another order, some of them away for a step
        for (std::size_t k = particles.size(); k-- > 0;)
            if (k % 7 != step % 7) other.append(particles, k);
        Particles absent;
        for (std::size_t k = 0; k < particles.size(); ++k)
            if (k % 7 == step % 7) absent.append(particles, k);
        kept.before_drift(other, {step, true});
        RandomAccelerations(3, kicks, 4, 5).before_drift(absent, {step, true});
        RandomAccelerations(3, kicks, 4, 5).before_drift(expected, {step, true});
        particles = other;
        for (std::size_t k = 0; k < absent.size(); ++k) particles.append(absent, k);
        for (const Motion& motion : particles.motion)
            ASSERT_EQ(motion.velocity, expected.motion[motion.id].velocity) << "step " << step;
    }
    EXPECT_NE(particles.motion[0].id, 0u);
}

TEST(VelocityField, HasTheValuesOfTaylorAndGreen) {
    const double root = std::sqrt(0.5);
    const VelocityField cube(periodic_box({20, 20, 20}), kicks, no_limit, 3);
    EXPECT_NEAR(norm(cube.flow_at({5, 0, 0}) - Vec3{3, 0, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(cube.flow_at({0, 5, 10}) - Vec3{0, 3, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(cube.flow_at({2.5, 2.5, 2.5}) - Vec3{1.5 * root, -1.5 * root, 0}), 0, 1e-14);
    // between walls there is half a wave
    const VelocityField closed(walled_box({20, 20, 20}), kicks, no_limit, 3);
    EXPECT_NEAR(norm(closed.flow_at({10, 0, 0}) - Vec3{3, 0, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(closed.flow_at({0, 10, 20}) - Vec3{0, 3, 0}), 0, 1e-14);
    // in a long box it is faster along the long axis
    const VelocityField channel(periodic_box({10, 40, 20}), kicks, no_limit, 3);
    EXPECT_NEAR(norm(channel.flow_at({2.5, 0, 0}) - Vec3{0.75, 0, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(channel.flow_at({0, 10, 0}) - Vec3{0, -3, 0}), 0, 1e-14);
}

TEST(VelocityField, HasNoDivergenceNorEntersWalls) {
    constexpr double h = 1e-4, top_speed = 3;
    for (const Vec3 size : {Vec3{20, 20, 20}, Vec3{10, 40, 15}})
        for (const Box& box : {periodic_box(size), walled_box(size), mixed_box(size)}) {
            const VelocityField field(box, kicks, no_limit, top_speed);
            const Particles places = particles_in(box, 500);
            double fastest = 0, most_slope = 0;
            for (const Motion& motion : places.motion) {
                double divergence = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    Vec3 beyond;
                    beyond[axis] = h;
                    const Vec3 slope = (0.5 / h) * (field.flow_at(motion.position + beyond) -
                                                    field.flow_at(motion.position - beyond));
                    divergence += slope[axis];
                    most_slope = std::max(most_slope, norm(slope));
                    for (const double wall : {0.0, box.size[axis]}) {
                        Vec3 at = motion.position;
                        at[axis] = wall;
                        if (!box.has_walls(axis)) continue;
                        EXPECT_NEAR(field.flow_at(at)[axis], 0, 1e-14);
                    }
                }
                EXPECT_NEAR(divergence, 0, 1e-8);
                fastest = std::max(fastest, norm(field.flow_at(motion.position)));
            }
            EXPECT_GT(most_slope, 0.1);
            EXPECT_LE(fastest, top_speed * (1 + 1e-15));
            EXPECT_GT(fastest, 0.85 * top_speed);
        }
}

TEST(VelocityField, DrivesByTheAccelerationAtMost) {
    const Box box = walled_box({20, 30, 20});
    const VelocityField field(box, kicks, no_limit, 3);
    Particles particles = particles_in(box, 300);
    std::size_t num_full = 0;
    for (std::uint64_t step = 0; step < 80; ++step) {
        const Particles before = particles;
        field.before_drift(particles, {step, true});
        for (std::size_t k = 0; k < particles.size(); ++k) {
            const Motion &now = particles.motion[k], &then = before.motion[k];
            const double most = most_change(now.id), change = norm(now.velocity - then.velocity);
            const Vec3 missing = field.flow_at(then.position) - then.velocity;
            EXPECT_NEAR(change, std::min(most, norm(missing)), 1e-14);
            EXPECT_LE(norm(field.flow_at(now.position) - now.velocity), norm(missing) + 1e-15);
            num_full += change > 0.999 * most ? 1 : 0;
        }
    }
    EXPECT_GT(num_full, 300u);
    for (const Motion& motion : particles.motion)
        EXPECT_LT(norm(motion.velocity - field.flow_at(motion.position)), 1e-14);
}

TEST(VelocityField, DrivesNobodyInAnEquilibration) {
    const Box box = periodic_box({20, 20, 20});
    const Particles start = particles_in(box, 20);
    Particles particles = start;
    VelocityField(box, kicks, no_limit, 3).before_drift(particles, {5, false});
    RandomAccelerations(3, kicks, no_limit, 1).before_drift(particles, {5, false});
    for (std::size_t k = 0; k < start.size(); ++k)
        EXPECT_EQ(particles.motion[k].velocity, start.motion[k].velocity);
}

/// By cells and by time bounds, on one to four ranks.
TEST(VelocityField, DrivesToTheSameBitsOnAnyRanks) {
    System system;
    system.box = mixed_box({40, 24, 24});
    fill_at_random(system, {{.radius = 0.9, .count = 250}}, {}, system.box.size, 6);
    thermalise(system, 1, 7);
    system.dt = kicks.interval;
    SlabRunSettings settings;
    settings.num_steps = 30;
    settings.drive = [&](Particles& particles, int step) {
        VelocityField(system.box, kicks, 4, 5)
            .before_drift(particles, {static_cast<std::uint64_t>(step), true});
    };
    const SlabRun expected = run_reference(system, settings);
    ASSERT_GT(expected.contacts.size(), 50u);
    settings.engine.kicks = kicks;
    for (const char* search : {"cells", "time_bounds"}) {
        settings.engine.search = search_named(search);
        for (const int num_ranks : {1, 2, 3, 4})
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << search << " on " << num_ranks << " ranks";
    }
}

}  // namespace
}  // namespace ricochet::test
