// SPDX-License-Identifier: BSD-3-Clause
//
// A + B <-> C among many, at equilibrium: A and B exclude each other, all else passes. The mean number of A in frames
// is held against the exact one.
//
// The exact one: a state with c of C has the weight Z(a, a) V^c K^c / (a! a! c!), a = N - c. K is the rate over the
// decay rate, and Z the configuration integral of a A and a B that exclude each other: by Widom insertion of one of
// each, a few percent apart from V^2 Z(a - 1, a - 1). In the dilute system 1 - v / V per pair that excludes, v = 4 pi /
// 3, is enough.
//
// Tolerance: in K of 2 % (2D and dilute: 3 %) and three standard errors, which parts of the run show.
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include "dynamics/brownian.hpp"
#include "dynamics/decays.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr SpeciesIndex partner_a = 0, partner_b = 1, pair_c = 2;
constexpr double diffusion_of_partners = 2.3;
constexpr std::size_t num_pairs = 100;

struct Mixture {
    int dimension;
    double edge;          ///< of the box
    double reduced_rate;  ///< h R
    double step;          ///< s / R
    double decay_rate;    ///< 1/time

    double timestep() const { return step * step / (2 * diffusion_of_partners); }
    double volume() const { return dimension == 3 ? edge * edge * edge : edge * edge; }
    double rate() const {
        return (dimension == 3 ? 4 : 2) * std::numbers::pi * diffusion_of_partners * reduced_rate;
    }
    double ideal_constant() const { return rate() / decay_rate; }
};

/// A mixture of as many A as C, were they ideal.
Mixture half_bound(int dimension, double edge, double reduced_rate, double step) {
    Mixture mixture{dimension, edge, reduced_rate, step, 0};
    mixture.decay_rate = mixture.rate() * 0.5 * num_pairs / mixture.volume();
    return mixture;
}

/// `num_bound` at the start; the others apart from each other.
System mixture_system(const Mixture& mixture, std::size_t num_bound, bool has_partners = true) {
    System system;
    system.box = periodic_box({mixture.edge, mixture.edge, mixture.dimension == 3 ? mixture.edge : 0});
    system.dt = mixture.timestep();
    const auto mass = [&](double diffusion) { return system.dt / (2 * diffusion); };
    system.world = world_with({{0.2, mass(2), 2}, {0.8, mass(0.3), 0.3}, {0.7, mass(0.25), 0.25}},
                              mixture.dimension, Pass{});
    make_brownian(*system.world, system.dt, system.dt);
    system.world->decays = {{pair_c, {partner_a, partner_b}, mixture.decay_rate}};
    React bind{.first = partner_a, .products = {pair_c, absent_species}};
    bind.rate = mixture.rate();
    if (has_partners) set_pair(*system.world, partner_a, partner_b, bind, 0);
    HashRandom random(7);
    for (std::size_t k = 0; k < num_pairs; ++k)
        for (const SpeciesIndex species :
             {k < num_bound ? pair_c : partner_a, k < num_bound ? pair_c : partner_b}) {
            if (k < num_bound && species == pair_c && system.particles.size() > k) continue;
            const Species& matter = system.world->species[species];
            add_particle(system, {}, {}, matter.radius, matter.mass);
            Motion& motion = system.particles.motion.back();
            const double part = species == partner_a ? 0.5 : species == partner_b ? 0.0 : 0.25;
            for (int axis = 0; axis < mixture.dimension; ++axis)
                motion.position[axis] = mixture.edge * random.uniform(0, 1);
            motion.position.x = mixture.edge * (part + random.uniform(0.1, 0.4));
            Attributes& attributes = system.particles.attributes.edit(system.particles.size() - 1);
            attributes.species = species;
            attributes.diffusion = matter.diffusion;
        }
    return system;
}

std::size_t number_of(const Particles& particles, SpeciesIndex species) {
    std::size_t count = 0;
    for (const Attributes& attributes : particles.attributes) count += attributes.species == species ? 1 : 0;
    return count;
}

/// visit(particles) at the end of each step, when frames are taken.
template <class Visit>
void run(const System& system, std::uint64_t num_steps, Visit&& visit) {
    MpiExchange exchange{boost::mpi::communicator()};
    Decays decays(exchange, world_of(system));
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    const BrownianDrive drive(system.box.dimension, system.dt, 31);
    Particles particles = system.particles;
    decays.start(particles);
    for (std::uint64_t step = 0; step < num_steps; ++step) {
        decays.decay({step}, particles);
        drive.before_drift(particles, {step, true});
        resolve_step(*engine, particles, system.dt, 1, step);
        decays.decay({step, true}, particles);
        visit(particles);
    }
}

struct Mean {
    double value, standard_error;
};

/// By 32 parts; the first eighth of the run is left out.
Mean mean_number_of_a(const Mixture& mixture, std::uint64_t num_steps) {
    constexpr std::uint64_t num_parts = 32;
    std::vector<double> parts(num_parts, 0);
    const std::uint64_t first = num_steps / 8, per_part = (num_steps - first) / num_parts;
    std::uint64_t step = 0;
    run(mixture_system(mixture, num_pairs / 2), first + num_parts * per_part,
        [&](const Particles& particles) {
            if (step >= first)
                parts[(step - first) / per_part] +=
                    static_cast<double>(number_of(particles, partner_a)) / static_cast<double>(per_part);
            ++step;
        });
    double sum = 0, squares = 0;
    for (const double part : parts) sum += part / num_parts;
    for (const double part : parts) squares += (part - sum) * (part - sum);
    return {sum, std::sqrt(squares / (num_parts * (num_parts - 1)))};
}

/// K by numbers, d ln K / dA.
double slope_of_constant(double a) { return 1 / (static_cast<double>(num_pairs) - a) + 2 / a; }

void expect_mean(const Mixture& mixture, double exact, double tolerance, std::uint64_t num_steps) {
    const auto [mean, standard_error] = mean_number_of_a(mixture, num_steps);
    const double off = -slope_of_constant(exact) * (mean - exact),
                 error = slope_of_constant(exact) * standard_error;
    std::cout << mixture.dimension << "D, box " << mixture.edge << ", h R " << mixture.reduced_rate
              << ", s/R " << mixture.step << ", decay rate dt " << mixture.decay_rate * mixture.timestep()
              << ": mean A " << mean << " +- " << standard_error << ", exact " << exact << "; K " << 1 + off
              << " +- " << error << std::endl;
    EXPECT_NEAR(off, 0, tolerance + 3 * error);
}

/// By the chain of births and deaths, where each pair that excludes lacks the share v / V of the volume.
double exact_mean_of_dilute(const Mixture& mixture) {
    const double v = mixture.dimension == 3 ? 4 * std::numbers::pi / 3 : std::numbers::pi;
    double weight = 1, sum = 0, sum_of_a = 0;
    for (std::size_t c = 0; c <= num_pairs; ++c) {
        const auto a = static_cast<double>(num_pairs - c);
        sum += weight;
        sum_of_a += weight * a;
        const double room = std::pow(1 - v / mixture.volume(), 2 * a - 1);
        weight *= mixture.ideal_constant() / mixture.volume() * a * a / (static_cast<double>(c) + 1) / room;
    }
    return sum_of_a / sum;
}

/// At the decay rate and step in the middle of what `check` accepts. 7.6 % of the volume is within reach of a partner.
TEST(ReversibleMixture, IsRight) { expect_mean(half_bound(3, 14, 5, 0.4), 47.48, 0.02, 30'000); }

TEST(LongReversibleMixture, IsRight) {
    expect_mean(half_bound(3, 14, 5, 0.4), 47.48, 0.02, 400'000);
    expect_mean(half_bound(3, 14, 5, 0.2), 47.48, 0.02, 800'000);
}

TEST(LongReversibleMixture, IsRightIn2D) {
    expect_mean(half_bound(2, 40, 2, 0.4), 46.85, 0.03, 400'000);
    expect_mean(half_bound(2, 40, 2, 0.2), 46.85, 0.03, 800'000);
}

/// `probability` is decay rate times timestep.
void expect_dilute_mean(double probability) {
    for (const double step : {0.1, 0.2, 0.4}) {
        Mixture mixture{3, 35, 5, step, 0};
        mixture.decay_rate = probability / mixture.timestep();
        const double num_steps = 200'000 / step;  // few are bound where steps are short
        expect_mean(mixture, exact_mean_of_dilute(mixture), 0.03, static_cast<std::uint64_t>(num_steps));
    }
}

/// The largest decay rate that `check` accepts without a word.
TEST(LongReversibleMixture, IsRightWhereDilute) { expect_dilute_mean(0.1); }

TEST(LongReversibleMixture, IsRightWhereDecayIsRare) { expect_dilute_mean(0.03); }

/// Without a rule for partners C is left alone: exp(-k t) of it are there at time t.
TEST(ReversibleMixture, DecaysExponentially) {
    Mixture mixture = half_bound(3, 14, 5, 0.4);
    constexpr std::uint64_t num_steps = 25;
    const System system = mixture_system(mixture, num_pairs, false);
    std::size_t left = 0;
    for (int repeat = 0; repeat < 40; ++repeat) {
        System other = system;
        other.world->seed = 100 + static_cast<std::uint64_t>(repeat);
        std::size_t latest = 0;
        run(other, num_steps, [&](const Particles& particles) { latest = number_of(particles, pair_c); });
        left += latest;
    }
    const double n = 40.0 * num_pairs;
    const double p = std::exp(-mixture.decay_rate * static_cast<double>(num_steps) * mixture.timestep());
    const double z = (static_cast<double>(left) - n * p) / std::sqrt(n * p * (1 - p));
    std::cout << "left " << left << ", expected " << n * p << ", z " << z << std::endl;
    EXPECT_LT(std::abs(z), 3);
}

}  // namespace
}  // namespace ricochet::test
