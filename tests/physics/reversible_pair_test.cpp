// SPDX-License-Identifier: BSD-3-Clause
//
// One A and one B that bind at an intrinsic rate and part again by decay. At equilibrium the pair is bound with odds
// rate / (decay rate * free volume): here 1 to 1, whatever the timestep.
//
// The free volume is that of the box less the sphere (2D: disc) that one partner closes to the other's centre. The
// contact distance R is 1, D of the pair is 2. Steps are s = sqrt(2 D dt) = 0.1 to 0.7 long.
//
// Tolerance: 0.01 for the rule's own error, and 3 standard errors. These follow from the switching rates: a pair that
// switches n times each way knows its odds to sqrt(1/(8 n)). Diffusion makes returns quick, so that n counts as less.
// The scatter of 64 parts of the run is printed beside it.
//
// Boxes are small, so that pairs switch often, but decay rate * dt stays below 0.01.
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <iostream>
#include <numbers>
#include <numeric>
#include <vector>

#include "dynamics/brownian.hpp"
#include "dynamics/decays.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double diffusion_of_both = 2;

struct PairCase {
    int dimension;
    double reduced_rate;  ///< h R, by which the rate exceeds that of diffusion
    double edge;          ///< of the box
    double step;          ///< s / R

    double timestep() const { return step * step / (2 * diffusion_of_both); }
    double rate() const { return (dimension == 3 ? 4 * pi : 2 * pi) * diffusion_of_both * reduced_rate; }
    double free_volume() const { return dimension == 3 ? edge * edge * edge - 4 * pi / 3 : edge * edge - pi; }
    double decay_rate() const { return rate() / free_volume(); }
};

/// A (0) and B (1) apart, C (2) is both.
System pair_system(const PairCase& pair) {
    const int dimension = pair.dimension;
    System system;
    system.name = "a pair";
    system.box = periodic_box({pair.edge, pair.edge, dimension == 3 ? pair.edge : 0});
    system.dt = pair.timestep();
    const double mass = 0.5 * system.dt;  // of D = 1
    system.world = world_with({{0.5, mass, 1}, {0.5, mass, 1}, {0.6, 2 * mass, 0.5}}, dimension, Bounce{});
    make_brownian(*system.world, system.dt, system.dt);
    system.world->decays = {{2, {0, 1}, pair.decay_rate()}};
    React bind{.first = 0, .products = {2, absent_species}};
    bind.rate = pair.rate();
    set_pair(*system.world, 0, 1, bind, 0);
    add_particle(system, {1, 1, dimension == 3 ? 1.0 : 0}, {}, 0.5, mass);
    add_particle(system, {3, 3, dimension == 3 ? 3.0 : 0}, {}, 0.5, mass);
    for (std::size_t k = 0; k < 2; ++k) {
        system.particles.attributes.edit(k).diffusion = 1;
        system.particles.attributes.edit(k).species = static_cast<SpeciesIndex>(k);
    }
    return system;
}

/// In the smallest box that suits the step.
PairCase small_case(int dimension, double reduced_rate, double step) {
    PairCase pair{dimension, reduced_rate, 5.5, step};
    while (pair.decay_rate() * pair.timestep() > 0.0095) pair.edge += 0.01;
    return pair;
}

struct Occupation {
    double bound;
    double standard_error;
    double scatter;  ///< the standard error that parts of the run show
};

/// The standard error of the mean of parts of equal length.
double standard_error_of(const std::vector<double>& parts) {
    const auto n = static_cast<double>(parts.size());
    double sum = 0, squares = 0;
    for (const double part : parts) sum += part;
    for (const double part : parts) squares += (part - sum / n) * (part - sum / n);
    return std::sqrt(squares / (n * (n - 1)));
}

Occupation occupation_of(const PairCase& pair, std::uint64_t num_steps) {
    const System system = pair_system(pair);
    MpiExchange exchange{boost::mpi::communicator()};
    Decays decays(exchange, world_of(system));
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    const BrownianDrive drive(system.box.dimension, system.dt, 29);
    Particles particles = system.particles;
    decays.start(particles);
    constexpr std::uint64_t num_parts = 64;
    std::vector<double> parts(num_parts);
    for (std::uint64_t step = 0; step < num_steps; ++step) {
        decays.decay({step}, particles);
        drive.before_drift(particles, {step, true});
        resolve_step(*engine, particles, system.dt, 1, step);
        decays.decay({step, true}, particles);
        parts[step * num_parts / num_steps] += particles.size() == 1 ? 1 : 0;
    }
    EXPECT_EQ(*decays.next_id(), 2u);  // B always comes back as itself
    const double time = static_cast<double>(num_steps) * system.dt;
    const double num_cycles = 0.5 * pair.decay_rate() * time / (1 + pair.reduced_rate);
    const double num_bound = std::accumulate(parts.begin(), parts.end(), 0.0);
    for (double& part : parts) part *= static_cast<double>(num_parts) / static_cast<double>(num_steps);
    return {num_bound / static_cast<double>(num_steps), std::sqrt(1 / (8 * num_cycles)),
            standard_error_of(parts)};
}

void expect_half(const PairCase& pair, double num_cycles) {
    ASSERT_LT(pair.decay_rate() * pair.timestep(), 0.01);
    const double time = 2 * num_cycles * (1 + pair.reduced_rate) / pair.decay_rate();
    const auto [bound, standard_error, scatter] =
        occupation_of(pair, static_cast<std::uint64_t>(time / pair.timestep()));
    std::cout << pair.dimension << "D, s/R " << pair.step << ", h R " << pair.reduced_rate << ": bound "
              << bound << " +- " << standard_error << " (scatter " << scatter << ")" << std::endl;
    EXPECT_NEAR(bound, 0.5, 0.01 + 3 * standard_error);
}

/// In 2D and 3D.
TEST(ReversiblePair, IsBoundHalfOfTheTime) {
    for (const double step : {0.3, 0.7}) {
        expect_half(small_case(2, 0.5, step), 4000);
        expect_half(small_case(3, 0.5, step), step < 0.5 ? 2000 : 4000);
    }
}

/// The rate and step of membrane_association.yaml, whose own equilibrium takes some 1e8 steps to know: [C] / ([A] [B])
/// of 1,000 partners within 4 % is [A] within 2 %.
TEST(LongReversiblePair, IsAsOnTheMembrane) { expect_half({2, 10 / (4 * pi), 11.5, std::sqrt(0.2)}, 15'000); }

/// In 2D and 3D, with a standard error of 0.004.
TEST(LongReversiblePair, IsBoundHalfOfTheTime) {
    for (const double step : {0.1, 0.2, 0.3, 0.5, 0.7}) {
        for (const double reduced_rate : {0.5, 5.0}) {
            expect_half(small_case(2, reduced_rate, step), 8000);
            expect_half(small_case(3, reduced_rate, step), 8000);
        }
    }
}

/// At a rate of ten times that of diffusion most pairs react again at once, where they part.
TEST(LongReversiblePair, IsHalfBoundAtHighRates) {
    for (const double step : {0.7, 0.5, 0.3}) {
        expect_half(small_case(3, 10, step), 8000);
        expect_half(small_case(2, 10, step), 8000);
    }
}

}  // namespace
}  // namespace ricochet::test
