// SPDX-License-Identifier: BSD-3-Clause
//
// Restitution that falls with the speed of approach: e(v) = min(1, scale (v/speed)^-exponent).
//
// Let w be the speed up to which contacts are elastic, scale (w/speed)^-exponent = 1. What arrives at v > w leaves at
// w (v/w)^(1 - exponent), so that ln(v/w) falls by the factor 1 - exponent at each contact: to w, and never below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/error.hpp"
#include "tests/support/falling_run.hpp"
#include "tests/support/message_of.hpp"

namespace ricochet::test {
namespace {

double speed_without_loss(const RestitutionLaw& law) {
    return law.speed * std::pow(law.value, 1 / law.exponent);
}

/// The speed at the contact after this number of others, by the closed form.
double speed_after(const RestitutionLaw& law, double first, int num_contacts) {
    const double least = speed_without_loss(law);
    return first <= least
               ? first
               : least * std::exp(std::pow(1 - law.exponent, num_contacts) * std::log(first / least));
}

/// Two alike fly at each other, off elastic walls, and at each other again.
TEST(RestitutionBySpeed, TwoFollowTheClosedForm) {
    for (const RestitutionLaw law : {RestitutionLaw{0.32, 0.234, 0.01}, RestitutionLaw{0.9, 0.1, 3},
                                     RestitutionLaw{0.5, 1, 1}, RestitutionLaw{0.1, 0.5, 100}}) {
        const double first = 40 * speed_without_loss(law);
        System system =
            system_of("two", walled_box({4, 4, 4}), 2 / first, {{0.5, 1}}, ContactRule(Bounce{law}));
        set_wall(*system.world, 0, Bounce{});
        add_of_species(system, 0, {1, 2, 2}, {0.5 * first, 0, 0});
        add_of_species(system, 0, {3, 2, 2}, {-0.5 * first, 0, 0});
        FallingRun run(std::move(system));
        int num_contacts = 0;
        double largest_error = 0;
        while (num_contacts < 60) {
            for (const Contact& contact : run.step()) {
                if (contact.species_high == wall_species) continue;
                const double expected = speed_after(law, first, num_contacts++);
                largest_error = std::max(largest_error, std::abs(contact.speed / expected - 1));
            }
        }
        std::printf("scale %g, exponent %g: largest relative error of 60 speeds %.1e\n", law.value,
                    law.exponent, largest_error);
        EXPECT_LE(largest_error, 1e-12);
    }
}

/// Under gravity without a duration: the speed at the floor falls to that of elastic contacts, and stays.
TEST(RestitutionBySpeed, BallOnTheFloorGoesOn) {
    constexpr RestitutionLaw law{0.6, 0.25, 1};
    constexpr double g = 9.81, dt = 0.01;
    System system = system_of("ball", walled_box({4, 4, 4}), dt, {{0.1, 1}}, ContactRule(Bounce{law}));
    system.world->gravity = {0, 0, -g};
    add_of_species(system, 0, {2, 2, 1.1});
    FallingRun run(std::move(system));
    const double first = std::sqrt(2 * g);
    int num_contacts = 0;
    double largest_error = 0, latest = 0;
    for (int step = 0; step * dt < 20; ++step)
        for (const Contact& contact : run.step()) {
            latest = contact.speed;
            const double expected = speed_after(law, first, num_contacts++);
            largest_error = std::max(largest_error, std::abs(latest / expected - 1));
        }
    const double elastic = speed_without_loss(law);
    std::printf("%d contacts, speeds to %.1e of the closed form; latest %.8f of %.8f\n", num_contacts,
                largest_error, latest, elastic);
    EXPECT_LE(largest_error, 1e-10);
    EXPECT_NEAR(latest / elastic, 1, 1e-6);
    EXPECT_GE(num_contacts, 200);
    EXPECT_LE(num_contacts, 20 / (2 * elastic / g) + 10);
}

/// Constants as low would collapse (collapse_test.cpp).
TEST(RestitutionBySpeed, ThreeOnALineDoNotCollapse) {
    constexpr RestitutionLaw law{0.05, 0.3, 1};
    System system = system_of("three", periodic_box({40, 8, 8}), 5, {{0.5, 1}}, ContactRule(Bounce{law}));
    add_of_species(system, 0, {10, 4, 4}, {1, 0, 0});
    add_of_species(system, 0, {12, 4, 4});
    add_of_species(system, 0, {14, 4, 4});
    FallingRun run(system);
    const std::size_t count = run.step().size();
    std::printf("three balls by speed: %zu contacts\n", count);
    EXPECT_LE(count, 60u);
    EXPECT_NEAR(totals(run.particles()).momentum.x, 1, 1e-12);
}

TEST(RestitutionBySpeed, CapNamesSlowContacts) {
    System system = system_of("ball", walled_box({4, 4, 4}), 1, {{0.1, 1}},
                              ContactRule(Bounce{RestitutionLaw{1e-3, 1, 1}}));
    system.world->gravity = {0, 0, -1};
    add_of_species(system, 0, {2, 2, 0.1 + 1e-6});
    const std::string message =
        message_of<RunError>([&] { FallingRun(system, {.contact_cap = 100}).step(); });
    EXPECT_NE(message.find("many contacts that are too slow to lose energy"), std::string::npos) << message;
    EXPECT_EQ(message.find("collaps"), std::string::npos) << message;
}

// --- a gas -------------------------------------------------------------------------------------------------

/// Means over the contacts of a gas of unit mass: the density of the speed of approach v is
/// v/(2 kT) exp(-v^2/(4 kT)), and a contact takes (1 - e(v)^2) v^2/4.
struct LossPerContact {
    double mean = 0, mean_square = 0;

    LossPerContact(const RestitutionLaw& law, double kT, int num_intervals = 200'000) {
        constexpr double fastest = 20;
        const double width = fastest / num_intervals;
        for (int k = 0; k < num_intervals; ++k) {
            const double v = (k + 0.5) * width;
            const double e = std::min(1.0, law.value * std::pow(v / law.speed, -law.exponent));
            const double loss = 0.25 * (1 - e * e) * v * v;
            const double share = 0.5 * v / kT * std::exp(-0.25 * v * v / kT) * width;
            mean += share * loss;
            mean_square += share * loss * loss;
        }
    }
};

/// In the first moments of many gases, while they are Maxwell's, at the temperature by half of these contacts.
TEST(RestitutionBySpeed, GasLosesTheMaxwellianMean) {
    constexpr double rate = 1.76454, per_particle = 0.03;  // collisions in equilibrium, and here
    constexpr std::uint64_t num_gases = 600;
    const std::vector<RestitutionLaw> laws{{0.32, 0.234, 0.01}, {0.8, 0.234, 1}, {0.5, 1, 1}};
    std::vector<double> lost(laws.size()), num_contacts(laws.size());
    double energy = 0;
    for (std::uint64_t seed = 0; seed < num_gases; ++seed) {
        System gas = equal_gas(3, 4000, 0.1, 900 + seed);
        gas.dt = per_particle / rate;
        const double before = totals(gas.particles).energy;
        energy += before;
        for (std::size_t k = 0; k < laws.size(); ++k) {
            System system = gas;
            World world = world_of(system);
            world.pair_rule = Bounce{laws[k]};
            system.world = world;
            EngineRun run(std::move(system));
            num_contacts[k] += static_cast<double>(run.run(1).num_pair);
            lost[k] += before - totals(run.particles()).energy;
        }
    }
    for (std::size_t k = 0; k < laws.size(); ++k) {
        const LossPerContact expected(laws[k], 1 - 0.5 * lost[k] / energy);
        const double variance = expected.mean_square - expected.mean * expected.mean;
        const double error = std::sqrt(variance / num_contacts[k]) / expected.mean;
        const double ratio = lost[k] / num_contacts[k] / expected.mean;
        std::printf("scale %g, exponent %g, speed %g: %.0f contacts take %.4f of the expected, error %.4f\n",
                    laws[k].value, laws[k].exponent, laws[k].speed, num_contacts[k], ratio, error);
        constexpr double of_correlations = 0.005;
        EXPECT_NEAR(ratio, 1, 4 * error + of_correlations);
    }
}

/// kT after this many collisions of each particle: a contact is one of two, which have 3/2 kT each.
double cooled_by(const RestitutionLaw& law, double collisions) {
    constexpr int num_parts = 200;
    double kT = 1;
    for (int part = 0; part < num_parts; ++part) {
        const double width = collisions / num_parts;
        const double half_way = kT - 0.5 * width * LossPerContact(law, kT, 4000).mean / 3;
        kT -= width * LossPerContact(law, half_way, 4000).mean / 3;
    }
    return kT;
}

/// Runs until each has had this many collisions in the mean. Returns kT, and sets the number that each has had.
double cool(const RestitutionLaw& law, std::uint64_t seed, double& collisions) {
    System system = equal_gas(3, 500, 0.1, seed);
    system.dt = 0.2;
    EngineRun elastic(system);
    elastic.run(20);
    system = elastic.system();
    const double start = totals(system.particles).energy;
    World world = world_of(system);
    world.pair_rule = Bounce{law};
    system.world = world;
    const double wanted = collisions, number = static_cast<double>(system.particles.size());
    EngineRun gas(std::move(system));
    collisions = 0;
    while (collisions < wanted) collisions += 2 * static_cast<double>(gas.run(1).num_pair) / number;
    return totals(gas.particles()).energy / start;
}

/// Ever more slowly, as slow contacts are kept more of. The speed is that at the start.
TEST(RestitutionBySpeed, GasCoolsAsTheMeanLossSays) {
    constexpr int num_seeds = 8;
    const RestitutionLaw law{0.9, 0.15, 1};
    double ratio = 0, of_constant = 0;
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        double collisions = 60;
        const double kT = cool(law, 700 + seed, collisions);
        ratio += kT / cooled_by(law, collisions) / num_seeds;
        of_constant += kT / std::exp(-(1 - law.value * law.value) * collisions / 3) / num_seeds;
    }
    std::printf("kT after 60 collisions over that expected: %.4f; over that of a constant: %.4f\n", ratio,
                of_constant);
    EXPECT_NEAR(ratio, 1, 0.04);
    EXPECT_GE(std::abs(of_constant - 1), 0.2);
}

}  // namespace
}  // namespace ricochet::test
