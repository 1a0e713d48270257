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
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <iostream>
#include <numbers>

#include "dynamics/brownian.hpp"
#include "dynamics/decays.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double edge = 5.5, decay_per_step = 0.009, diffusion_of_both = 2;

double free_volume(int dimension) {
    return dimension == 3 ? edge * edge * edge - 4 * pi / 3 : edge * edge - pi;
}

/// A (0) and B (1) apart, C (2) is both.
System pair_system(int dimension, double step) {
    System system;
    system.name = "a pair";
    system.box = periodic_box({edge, edge, dimension == 3 ? edge : 0});
    system.dt = step * step / (2 * diffusion_of_both);
    const double mass = 0.5 * system.dt;  // of D = 1
    system.rules = rules_for({{0.5, mass, 1}, {0.5, mass, 1}, {0.6, 2 * mass, 0.5}}, dimension, Bounce{});
    system.rules->set_energy_time(system.dt);
    system.rules->set_timestep(system.dt);
    system.rules->set_remember_absorbed(true);
    React bind{.first = 0, .products = {2, absent_species}};
    bind.rate = free_volume(dimension) * decay_per_step / system.dt;
    system.rules->set_pair(0, 1, bind, 0);
    add_particle(system, {1, 1, dimension == 3 ? 1.0 : 0}, {}, 0.5, mass);
    add_particle(system, {3, 3, dimension == 3 ? 3.0 : 0}, {}, 0.5, mass);
    for (std::size_t k = 0; k < 2; ++k) {
        system.particles.attributes.edit(k).diffusion = 1;
        system.particles.attributes.edit(k).species = static_cast<SpeciesIndex>(k);
    }
    return system;
}

/// h R, by which the rate exceeds that of diffusion.
double reduced_rate(const System& system) {
    const double surface = system.box.dimension == 3 ? 4 * pi : 2 * pi;
    return *system.rules->pair_rate(0, 1) / (surface * diffusion_of_both);
}

struct Occupation {
    double bound;
    double standard_error;
};

Occupation occupation_of(const System& system, int num_steps) {
    MpiExchange exchange{boost::mpi::communicator()};
    const double rate = decay_per_step / system.dt;
    Decays decays(exchange, system.box,
                  {system.box, *system.rules, {{.from = 2, .products = {0, 1}, .rate = rate}}, system.dt});
    const auto engine = make_step_engine(system.box, *system.rules, {});
    const BrownianDrive drive(system.box.dimension, system.dt, 29);
    Particles particles = system.particles;
    decays.start(particles);
    std::int64_t num_bound = 0;
    for (std::uint64_t step = 0; step < static_cast<std::uint64_t>(num_steps); ++step) {
        decays.before_step(step, particles);
        drive.before_drift(particles, {step, true});
        resolve_step(*engine, particles, system.dt, 1, step);
        num_bound += particles.size() == 1 ? 1 : 0;
    }
    EXPECT_EQ(*decays.next_id(), 2u);  // B always comes back as itself
    const double num_cycles = 0.5 * decay_per_step * num_steps / (1 + reduced_rate(system));
    return {static_cast<double>(num_bound) / num_steps, std::sqrt(1 / (8 * num_cycles))};
}

void expect_half(int dimension, double step, int num_steps) {
    const System system = pair_system(dimension, step);
    const auto [bound, standard_error] = occupation_of(system, num_steps);
    std::cout << dimension << "D, s/R " << step << ", h R " << reduced_rate(system) << ": bound " << bound
              << " +- " << standard_error << "\n";
    EXPECT_NEAR(bound, 0.5, 0.01 + 3 * standard_error);
}

/// In 2D and 3D.
TEST(ReversiblePair, IsBoundHalfOfTheTime) {
    for (const int dimension : {2, 3})
        for (const double step : {0.3, 0.7}) expect_half(dimension, step, 400'000);
}

/// In 2D and 3D, to 0.004.
TEST(LongReversiblePair, IsBoundHalfOfTheTime) {
    for (const int dimension : {2, 3})
        for (const double step : {0.1, 0.2, 0.3, 0.5, 0.7}) expect_half(dimension, step, 8'000'000);
}

}  // namespace
}  // namespace ricochet::test
