// SPDX-License-Identifier: BSD-3-Clause
//
// Two particles with a tether between them, against exact results.
//
// Ballistic: the virial theorem. A pair that stays together turns all of its relative motion into virial, the sum over
// its contacts of impulse times distance is -2 K t, with K the kinetic energy relative to the centre of mass, up to a
// term that does not grow. Where K is as much as equipartition gives it, Z is 1/2 per monomer: that of a gas of dimers.
//
// Brownian: nothing prefers any place between contact and the end of the tether, so the partner is uniform by volume in
// that shell, for any step length. The centre of mass moves by the mean of both displacements: D/2.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "dynamics/brownian.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

/// A at the place, B at `distance` from it, tethered to each other. R is 1.
System tethered_pair(int dimension, double length, double distance, double mass) {
    System system;
    system.name = "a tethered pair";
    system.box = periodic_box({9, 9, dimension == 3 ? 9.0 : 0});
    system.world = world_with({{0.5, mass, 1}}, dimension, Bounce{});
    set_pair(*system.world, 0, 0, Stick{.length = length}, 0);
    const double z = dimension == 3 ? 4 : 0;
    add_particle(system, {4, 4, z}, {}, 0.5, mass);
    add_particle(system, {4 + distance, 4, z}, {}, 0.5, mass);
    system.particles.track.keep_tethers();
    for (std::size_t k = 0; k < 2; ++k) {
        system.particles.attributes.edit(k).diffusion = 1;
        system.particles.track.tethers()[k].add(system.particles.motion[1 - k].id, 0);
    }
    return system;
}

Vec3 separation(const System& system, const Particles& particles) {
    return minimum_image(particles.motion[1].position - particles.motion[0].position,
                         ImageLengths(system.box));
}

struct Virial {
    double per_time = 0;
    double relative_energy = 0;
    int num_holds = 0, num_contacts = 0;
};

/// The virial of a ballistic pair with random velocities.
Virial virial_of(int dimension, double length, std::uint64_t seed, double dt, int num_steps) {
    System system = tethered_pair(dimension, length, 1 + 0.5 * (length - 1), 1);
    HashRandom random(seed);
    for (Motion& motion : system.particles.motion) motion.velocity = random.normal_vector(dimension);
    const Vec3 u = system.particles.motion[1].velocity - system.particles.motion[0].velocity;
    Virial result{.relative_energy = dot(u, u) / 4};
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    Particles particles = system.particles;
    for (int step = 0; step < num_steps; ++step) {
        for (const Contact& contact :
             resolve_step(*engine, particles, dt, 1, static_cast<std::uint64_t>(step))) {
            result.per_time += contact.impulse * contact.distance;
            (contact.effect == ContactEffect::hold ? result.num_holds : result.num_contacts) += 1;
        }
        const double distance = norm(separation(system, particles));
        EXPECT_GE(distance, 1 - 1e-12);
        EXPECT_LE(distance, length * (1 + 1e-12));
    }
    result.per_time /= dt * num_steps;
    return result;
}

/// The virial is that of impulses at contacts and at the end of the tether.
TEST(TetheredPair, VirialIsThatOfDimers) {
    for (const int dimension : {2, 3}) {
        for (const double length : {1.02, 1.3, 2.0}) {
            int num_contacts = 0;
            for (std::uint64_t seed = 0; seed < 8; ++seed) {
                const Virial virial = virial_of(dimension, length, seed, 0.3, 4000);
                // The term that does not grow is r.u/2, at most.
                const double largest_term = length * std::sqrt(4 * virial.relative_energy) / (0.3 * 4000);
                EXPECT_NEAR(virial.per_time, -2 * virial.relative_energy, largest_term) << "seed " << seed;
                EXPECT_GT(virial.num_holds, 300);
                num_contacts += virial.num_contacts;
            }
            EXPECT_GT(num_contacts, 300);
        }
    }
}

/// Where the partner was found: counts in shells of equal volume (2D: area), and how often on either side along x.
struct Places {
    static constexpr std::size_t num_shells = 10;
    std::array<double, num_shells> in_shell{};
    double total = 0;

    double chi_square() const {
        double sum = 0;
        const double expected = total / static_cast<double>(num_shells);
        for (const double count : in_shell) sum += (count - expected) * (count - expected) / expected;
        return sum;
    }
};

/// Sampled so rarely that samples are independent. `step`: sqrt(2 D dt) of the pair, over R.
Places places_of(int dimension, double length, double step, int num_samples) {
    const double dt = step * step / 4;
    System system = tethered_pair(dimension, length, 1 + 0.5 * (length - 1), 0.5 * dt);
    system.dt = dt;
    make_brownian(*system.world, dt, dt);
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    const BrownianDrive drive(dimension, dt, 31);
    const double mixing_time = (length - 1) * (length - 1) / 2;
    const int apart = 1 + static_cast<int>(2 * mixing_time / dt);
    const auto content = [dimension](double r) { return std::pow(r, dimension); };
    Particles particles = system.particles;
    Places places;
    for (int k = 0; k < num_samples * apart; ++k) {
        drive.before_drift(particles, {static_cast<std::uint64_t>(k), true});
        resolve_step(*engine, particles, dt, 1, static_cast<std::uint64_t>(k));
        if (k % apart != 0) continue;
        const double share = (content(norm(separation(system, particles))) - 1) / (content(length) - 1);
        const double shell = std::clamp(share, 0.0, 1 - 1e-9) * static_cast<double>(Places::num_shells);
        ++places.in_shell[static_cast<std::size_t>(shell)];
        ++places.total;
    }
    return places;
}

/// In 2D and 3D. 9 degrees of freedom: 27.9 is exceeded in one of 1,000 cases.
TEST(TetheredPair, IsUniformInItsShell) {
    for (const int dimension : {2, 3}) {
        for (const double step : {0.1, 0.5}) {
            const Places places = places_of(dimension, 1.5, step, 4000);
            EXPECT_LT(places.chi_square(), 27.9) << dimension << "D, s/R " << step;
        }
    }
}

/// Impulses between the two cancel: their centre diffuses with D/2, to rounding.
TEST(TetheredPair, CentreMovesByTheMeanDisplacement) {
    const double dt = 0.01;
    System system = tethered_pair(3, 1.2, 1.1, 0.5 * dt);
    system.dt = dt;
    make_brownian(*system.world, dt, dt);
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    const BrownianDrive drive(3, dt, 37);
    Particles particles = system.particles;
    const ImageLengths images(system.box);
    std::size_t num_contacts = 0;
    for (std::uint64_t step = 0; step < 2000; ++step) {
        drive.before_drift(particles, {step, true});
        const auto centre = [&] {
            return particles.motion[0].position + 0.5 * separation(system, particles);
        };
        const Vec3 before = centre();
        const Vec3 mean = 0.5 * (particles.motion[0].velocity + particles.motion[1].velocity);
        num_contacts += resolve_step(*engine, particles, dt, 1, step).size();
        EXPECT_LT(norm(minimum_image(centre() - (before + dt * mean), images)), 1e-13);
    }
    EXPECT_GT(num_contacts, 1000u);
}

}  // namespace
}  // namespace ricochet::test
