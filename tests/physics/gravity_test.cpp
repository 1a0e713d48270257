// SPDX-License-Identifier: BSD-3-Clause
//
// Gravity: energy of what bounces for long, and a gas in equilibrium.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "dynamics/brownian.hpp"
#include "dynamics/forces.hpp"
#include "tests/support/falling_run.hpp"

namespace ricochet::test {
namespace {

System falling_system(const Box& box, double dt, Vec3 gravity) {
    System system = system_of("falling", box, dt, {{0.1, 1}});
    system.world->gravity = gravity;
    return system;
}

/// Over many steps; returns the number of contacts with obstacles.
std::uint64_t bounce(FallingRun& run, std::uint64_t least) {
    std::uint64_t count = 0;
    while (count < least) count += run.step().size();
    return count;
}

TEST(Gravity, BouncingBallKeepsItsEnergy) {
    System system = falling_system(walled_box({4, 4, 4}), 0.25, {0, 0, -9.81});
    add_of_species(system, 0, {2, 2, 1.1}, {0.3, 0.2, 0});
    FallingRun run(std::move(system));
    const double before = run.energy();
    const std::uint64_t count = bounce(run, 100'000);
    const double change = std::abs(run.energy() / before - 1);
    std::printf("%llu contacts, |dE/E| %.1e\n", static_cast<unsigned long long>(count), change);
    EXPECT_LE(change, 5e-11);
}

/// Dropped from 1 above contact it touches after (2 k + 1) sqrt(2/g), at any timestep.
TEST(Gravity, BouncingBallIsOnTime) {
    for (const double dt : {1.0, 0.1, 0.003}) {
        System system = falling_system(walled_box({4, 4, 4}), dt, {0, 0, -9.81});
        add_of_species(system, 0, {2, 2, 1.1});
        FallingRun run(std::move(system));
        double start = 0;
        for (int k = 0; k < 10;) {
            for (const Contact& contact : run.step())
                EXPECT_NEAR(start + contact.key.time, (2 * k++ + 1) * std::sqrt(2 / 9.81), 1e-12);
            start += dt;
        }
    }
}

/// The inside of a sphere, with a small sphere at its bottom.
void expect_energy_in_bowl(double dt) {
    System system = falling_system(walled_box({4, 4, 4}), dt, {0, 0, -1});
    const Vec3 centre{2, 2, 2};
    const BodySphere bowl{centre, 1.5}, peg{{2.1, 2, 0.8}, 0.3};
    system.world->bodies = {{"bowl", bowl, BodySide::inside}, {"peg", peg}};
    add_of_species(system, 0, {2.2, 2.3, 2.4}, {0.3, -0.2, 0.1});
    FallingRun run(std::move(system));
    const double before = run.energy();
    double farthest = 0, nearest = 10;
    std::uint64_t count = 0;
    while (count < 100'000) {
        count += run.step().size();
        const Vec3 x = run.particles().motion[0].position;
        farthest = std::max(farthest, norm(x - centre));
        nearest = std::min(nearest, norm(x - peg.centre));
    }
    const double change = std::abs(run.energy() - before);
    std::printf("dt %g: |dE| %.1e, outside by %.1e, in the peg by %.1e\n", dt, change, farthest - 1.4,
                0.4 - nearest);
    EXPECT_LE(change, 5e-11);
    EXPECT_LE(farthest, 1.4 + 1e-13);
    EXPECT_GE(nearest, 0.4 - 1e-13);
}

TEST(Gravity, BowlWithAPegKeepsEnergy) { expect_energy_in_bowl(0.1); }
TEST(Gravity, BowlWithAPegKeepsEnergyInLongSteps) { expect_energy_in_bowl(1); }

// --- a gas -------------------------------------------------------------------------------------------------

constexpr double edge = 8, kT = 1, strength = 0.3;
constexpr int num_bins = 8, num_blocks = 20;

/// In equilibrium: heights from the barometric law, velocities from Maxwell's.
System barometric_gas(int axis, double dt) {
    constexpr std::size_t num_particles = 2000;
    constexpr double radius = 0.03;
    System system =
        system_of("gas", walled_box({edge, edge, edge}, {static_cast<std::size_t>(axis)}), dt, {{radius, 1}});
    system.world->gravity[axis] = -strength;
    HashRandom random(77 + static_cast<std::uint64_t>(axis));
    while (system.particles.size() < num_particles) {
        Vec3 at{random.uniform(0, edge), random.uniform(0, edge), random.uniform(0, edge)};
        const double height = edge - 2 * radius, scale = kT / strength;
        at[axis] = radius - scale * std::log(1 - random.uniform() * (1 - std::exp(-height / scale)));
        bool is_free = true;
        for (const Motion& other : system.particles.motion)
            is_free =
                is_free && norm(minimum_image(at - other.position, ImageLengths(system.box))) > 2 * radius;
        if (is_free) add_of_species(system, 0, at, std::sqrt(kT) * random.normal_vector(3));
    }
    return system;
}

using Profile = std::array<double, num_bins>;  ///< parts of all particles

Profile barometric_profile(double radius, double temperature) {
    Profile parts{};
    const auto below = [&](double z) {
        return 1 - std::exp(-strength / temperature * (std::clamp(z, radius, edge - radius) - radius));
    };
    for (int k = 0; k < num_bins; ++k)
        parts[static_cast<std::size_t>(k)] =
            (below((k + 1) * edge / num_bins) - below(k * edge / num_bins)) / below(edge);
    return parts;
}

struct GasRun {
    std::array<Profile, num_blocks> blocks{};
    double floor = 0, lid = 0;  ///< impulses
    double momentum = 0;        ///< gained along the axis
    double time = 0;
    double temperature = 0;  ///< mean over the steps
};

GasRun run_gas(int axis, double dt, int num_steps) {
    FallingRun run(barometric_gas(axis, dt));
    GasRun result;
    result.momentum = -totals(run.particles()).momentum[axis];
    const double each = 1 / static_cast<double>(run.particles().size());
    const int steps_per_block = num_steps / num_blocks;
    for (auto& block : result.blocks)
        for (int step = 0; step < steps_per_block; ++step) {
            for (const Contact& contact : run.step())
                if (contact.species_high == wall_species)
                    (contact.body % 2 == 0 ? result.floor : result.lid) += contact.impulse;
            for (const Motion& motion : run.particles().motion) {
                const double bin = std::floor(motion.position[axis] * num_bins / edge);
                block[static_cast<std::size_t>(bin)] += each / steps_per_block;
            }
            result.time += dt;
            const auto degrees = 3 * static_cast<double>(run.particles().size());
            result.temperature += 2 * totals(run.particles()).energy / degrees / num_steps;
        }
    result.momentum += totals(run.particles()).momentum[axis];
    return result;
}

void expect_equilibrium(int axis, double dt, int num_steps) {
    const GasRun run = run_gas(axis, dt, num_steps);
    const Profile expected = barometric_profile(0.03, run.temperature);
    for (std::size_t k = 0; k < num_bins; ++k) {
        double mean = 0, square = 0;
        for (const Profile& block : run.blocks) mean += block[k] / num_blocks;
        for (const Profile& block : run.blocks) square += (block[k] - mean) * (block[k] - mean);
        const double error = std::sqrt(square / (num_blocks * (num_blocks - 1.0)));
        std::printf("bin %zu: %.5f, expected %.5f, se %.5f\n", k, mean, expected[k], error);
        EXPECT_NEAR(mean, expected[k], 4 * error) << "axis " << axis << ", dt " << dt;
    }
    std::printf("kT %.5f\n", run.temperature);
    // Exactly: what the walls give is the weight, but for what the gas still has.
    const double weight = 2000 * strength;
    EXPECT_NEAR((run.floor - run.lid) / run.time, weight + run.momentum / run.time, 1e-9 * weight);
    const double mean_force = (run.floor - run.lid) / run.time;
    std::printf("floor less lid over weight: %.6f\n", mean_force / weight);
}

TEST(Gravity, GasHasTheBarometricProfile) { expect_equilibrium(2, 0.5, 4000); }
TEST(Gravity, GasHasItInShortSteps) { expect_equilibrium(2, 0.05, 20'000); }
TEST(Gravity, GasHasItAlongTheSlabAxis) { expect_equilibrium(0, 0.5, 4000); }

// --- Brownian particles that drift -------------------------------------------------------------------------

/// The part of all particles whose height above contact is below a tenth of kT/F, over that of the barometric law.
double density_at_floor(double step_over_scale) {
    constexpr double radius = 0.001, scale = 1, height = 6, diffusion = 1, across = 8;
    constexpr int num_particles = 500, num_steps = 1500;
    const double dt = step_over_scale * scale * step_over_scale * scale / (2 * diffusion);
    const Box box = walled_box({across, across, height + 2 * radius}, {2});
    System system = system_of("drift", box, dt, {{radius, effective_mass(1, dt, diffusion)}});
    system.world->gravity.z = -2 * (diffusion / scale) / dt;
    HashRandom random(5);
    for (int k = 0; k < num_particles; ++k) {
        const double z = -scale * std::log(1 - random.uniform() * (1 - std::exp(-height / scale)));
        add_of_species(system, 0, {random.uniform(0, across), random.uniform(0, across), radius + z});
    }
    system.particles.attributes.change_all([](Attributes& a) { a.diffusion = diffusion; });
    const BrownianDrive noise(3, dt, 9);
    FallingRun run(std::move(system));
    double num_low = 0;
    for (int step = 0; step < num_steps; ++step) {
        run.drive(noise, static_cast<std::uint64_t>(step));
        run.step();
        for (const Motion& motion : run.particles().motion)
            num_low += motion.position.z - radius < 0.1 * scale ? 1 : 0;
    }
    return num_low / num_steps / num_particles / ((1 - std::exp(-0.1)) / (1 - std::exp(-height / scale)));
}

/// Chords against walls at rest would give 0.76 and 0.59 of it.
TEST(BrownianDrift, HasTheDensityAtTheFloor) {
    for (const double step : {0.6, 1.0}) {
        const double ratio = density_at_floor(step);
        std::printf("step %.1f kT/F: density at the floor %.4f of exact\n", step, ratio);
        EXPECT_NEAR(ratio, 1, 0.03) << step;
    }
}

/// The parts of two species whose height above contact is below a tenth of their kT/F, over those of the barometric
/// law. They drift at 1 and at `other` of their diffusion, which is 1; the frame at the mean.
std::array<double, 2> densities_at_floor(double step, double other) {
    constexpr double radius = 0.001, height = 6, across = 8;
    constexpr int num_pairs = 250, num_steps = 1500;
    const double dt = step * step / 2, mass = effective_mass(1, dt, 1), mean = 0.5 * (1 + other);
    const std::array<double, 2> scales{1, 1 / other};
    System system = system_of("forces", walled_box({across, across, height + 2 * radius}, {2}), dt,
                              {{radius, mass}, {radius, mass}});
    system.world->gravity.z = -2 * mean / dt;
    HashRandom random(5);
    for (int k = 0; k < 2 * num_pairs; ++k) {
        const auto s = static_cast<std::size_t>(k % 2);
        const double z = -scales[s] * std::log(1 - random.uniform() * (1 - std::exp(-height / scales[s])));
        add_of_species(system, static_cast<SpeciesIndex>(s),
                       {random.uniform(0, across), random.uniform(0, across), radius + z});
    }
    system.particles.attributes.change_all([](Attributes& a) { a.diffusion = 1; });
    std::vector<Species> species(2);
    species[0].force = Vec3{0, 0, -1};
    species[1].force = Vec3{0, 0, -other};
    const BrownianDrive noise(3, dt, 9);
    const Forces forces(species, 1, {0, 0, -mean});
    FallingRun run(std::move(system));
    std::array<double, 2> num_low{};
    for (std::uint64_t number = 0; number < num_steps; ++number) {
        run.drive(noise, number);
        run.drive(forces, number);
        run.step();
        for (std::size_t k = 0; k < run.particles().size(); ++k) {
            const SpeciesIndex s = run.particles().attributes[k].species;
            num_low[s] += run.particles().motion[k].position.z - radius < 0.1 * scales[s] ? 1 : 0;
        }
    }
    for (std::size_t s = 0; s < 2; ++s)
        num_low[s] /= num_steps * num_pairs * (1 - std::exp(-0.1)) / (1 - std::exp(-height / scales[s]));
    return num_low;
}

/// Off by what `check` tells: by 0.42 of the step over kT/F, with that part of F that is beside the mean.
TEST(BrownianDrift, OfSpeciesIsOffByItsOwnPart) {
    for (const double step : {0.3, 0.6}) {
        const auto [heavy, light] = densities_at_floor(step, 0.5);
        std::printf("steps of %.1f kT/F, forces 1 and 0.5: density at the floor %.4f and %.4f of exact\n",
                    step, heavy, light);
        EXPECT_NEAR(heavy, 1 - 0.42 * 0.25 * step, 0.03);
        EXPECT_NEAR(light, 1 + 0.42 * 0.25 * step, 0.03);
    }
}

}  // namespace
}  // namespace ricochet::test
