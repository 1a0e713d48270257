// SPDX-License-Identifier: BSD-3-Clause
//
// Whole runs of inputs, as a user makes them, against statistical mechanics. With Nc contacts the relative
// standard error of Z - 1 from the virial is 1.3/sqrt(Nc) and that of the collision rate 1/sqrt(Nc), measured
// on runs of 2,000 particles; tests take four of them and 3/N for the finite size. A code that loses contacts
// conserves energy and momentum all the same, but it fails here.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/mpi/kept_run.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet::test {
namespace {

constexpr double sqrt_pi = 1.7724538509055160;

/// P V / (N kT) over the whole run, from the pressures of its samples.
double compressibility(const KeptRun& run, double kT) {
    const auto& samples = run.kept.samples;
    double sum = 0;
    for (std::size_t k = 1; k < samples.size(); ++k)
        sum += samples[k].values.pressure * (samples[k].time - samples[k - 1].time);
    const double pressure = sum / samples.back().time;
    return pressure * run.config.box.volume() / (static_cast<double>(run.totals.num_particles) * kT);
}

double collision_rate(const KeptRun& run) {
    return 2 * static_cast<double>(run.totals.num_collisions) /
           (static_cast<double>(run.totals.num_particles) * run.kept.samples.back().time);
}

/// Relative error that four standard errors and the finite size allow.
double allowed(const KeptRun& run, double one_sigma) {
    return 4 * one_sigma / std::sqrt(static_cast<double>(run.totals.num_collisions)) +
           3 / static_cast<double>(run.totals.num_particles);
}

std::string gas(const std::string& size, const std::string& fraction, const std::string& run) {
    return "box: {size: " + size + ", boundary: periodic}\n" +
           "species: [{name: ball, radius: 0.5, mass: 1, volume_fraction: " + fraction + "}]\n" +
           "placement: {method: random}\ndynamics: {type: ballistic, kT: 1}\n" + "run: {" + run +
           ", equilibrate: {collisions_per_particle: 8}}\n" +
           "output: {file: none.h5md, trajectory_every: 0, observables_every: 5}\n";
}

void expect_gas(const KeptRun& run, double theory) {
    const int dimension = run.config.box.dimension;
    const double kT = run.kept.samples.front().values.temperature;
    const double excess = compressibility(run, kT) - 1;
    EXPECT_NEAR(excess, theory - 1, allowed(run, 1.3) * (theory - 1));
    const double rate = collision_rate(run);
    EXPECT_NEAR(rate, (theory - 1) * 2 * dimension / sqrt_pi * std::sqrt(kT), allowed(run, 1) * rate);
    // The same from the count, without an equation of state.
    EXPECT_NEAR(excess, sqrt_pi / (2 * dimension) * rate / std::sqrt(kT), allowed(run, 1) * excess);
    EXPECT_NEAR(run.kept.samples.back().values.energy, run.kept.samples.front().values.energy,
                1e-12 * run.kept.samples.front().values.energy);
}

/// They have their pressure and collision rate.
TEST(GasObservables, SpheresAtAnyTimestep) {
    const double theory = equal_sphere_compressibility(3, 0.3);
    for (const std::string timestep : {"timestep: 0.02, steps: 1000", "timestep: 0.2, steps: 100"})
        expect_gas(run_input(gas("[15, 15, 15]", "0.3", timestep)), theory);
}

/// They have their pressure and collision rate.
TEST(GasObservables, DiluteSpheres) {
    expect_gas(run_input(gas("[30, 30, 30]", "0.05", "timestep: 0.5, steps: 200")),
               equal_sphere_compressibility(3, 0.05));
}

/// They have their pressure and collision rate.
TEST(GasObservables, Discs) {
    expect_gas(run_input(gas("[64, 64]", "0.4", "timestep: 0.1, steps: 200")),
               equal_sphere_compressibility(2, 0.4));
}

/// They have the same pressure.
TEST(GasObservables, BrownianSpheresAtAnyTimestep) {
    const double theory = equal_sphere_compressibility(3, 0.2);
    for (const std::string timestep :
         {"timestep: 0.008, steps: 300", "timestep: 0.002, steps: 600", "timestep: 0.0005, steps: 1200"}) {
        const KeptRun run = run_input(
            "box: {size: [14, 14, 14]}\n"
            "species: [{name: ball, radius: 0.5, diffusion: 1, volume_fraction: 0.2}]\n"
            "dynamics: {type: brownian, kT: 1.5}\n"
            "run: {equilibrate: {collisions_per_particle: 5}, " +
            timestep + "}\noutput: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
        EXPECT_NEAR(compressibility(run, 1.5) - 1, theory - 1, allowed(run, 1.3) * (theory - 1)) << timestep;
    }
}

/// It has its pressure and contacts.
TEST(GasObservables, Mixture) {
    const KeptRun run = run_input(
        "box: {size: [16, 16, 16]}\n"
        "species:\n  - {name: small, radius: 0.5, mass: 1, count: 1200}\n"
        "  - {name: large, radius: 0.8, mass: 3, count: 300}\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 200, equilibrate: {collisions_per_particle: 8}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 5}\n");
    // Boublik, Mansoori, Carnahan, Starling & Leland, with moments of the diameters.
    const double volume = 16 * 16 * 16;
    const auto moment = [&](int k) {
        return std::numbers::pi / 6 * (1200 + 300 * std::pow(1.6, k)) / volume;
    };
    const double x0 = moment(0), x1 = moment(1), x2 = moment(2), x3 = moment(3), room = 1 - x3;
    const double theory =
        1 / room + 3 * x1 * x2 / (x0 * room * room) + x2 * x2 * x2 * (3 - x3) / (x0 * room * room * room);
    const double kT = run.kept.samples.front().values.temperature;
    const double error = allowed(run, 1.3) + 0.01;  // the formula's own error
    EXPECT_NEAR(compressibility(run, kT) - 1, theory - 1, error * (theory - 1));
    const std::array<SizeClass, 2> classes{{{1200 / volume, 0.5, 1}, {300 / volume, 0.8, 3}}};
    const double contacts = contact_rate_density(3, classes, kT) * volume * run.kept.samples.back().time;
    EXPECT_NEAR(static_cast<double>(run.totals.num_collisions), contacts,
                (allowed(run, 1) + 0.02) * contacts);
}

TEST(GasObservables, WallsFeelThePressureOfTheGas) {
    const KeptRun run = run_input(
        "box: {size: [30, 12, 12], boundary: [reflecting, periodic, periodic]}\n"
        "species: [{name: ball, radius: 0.5, mass: 1, count: 1500}]\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 1000, equilibrate: {collisions_per_particle: 5}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
    const double kT = run.kept.samples.front().values.temperature;
    double walls = 0;
    for (std::size_t k = 1; k < run.kept.samples.size(); ++k)
        walls +=
            (run.kept.samples[k].values.wall_pressure[0] + run.kept.samples[k].values.wall_pressure[1]) / 2;
    walls /= static_cast<double>(run.kept.samples.size() - 1);
    EXPECT_GT(run.totals.num_wall_contacts, 5'000);
    const double n = 1500 / (12.0 * 12 * 29);  // centres keep a radius from the walls
    const double theory = n * kT * equal_sphere_compressibility(3, n * std::numbers::pi / 6);
    EXPECT_NEAR(walls, theory, 0.05 * theory);
}

/// Means over the run: the virial's pressure, and that on the faces over all of them.
std::pair<double, double> pressures(const KeptRun& run) {
    double inside = 0, outside = 0;
    for (std::size_t k = 1; k < run.kept.samples.size(); ++k) {
        const auto& sample = run.kept.samples[k];
        const double time = sample.time - run.kept.samples[k - 1].time;
        inside += sample.values.pressure * time;
        for (int face = 0; face < 2 * run.config.box.dimension; ++face)
            outside += sample.values.wall_pressure[static_cast<std::size_t>(face)] * time /
                       (2 * run.config.box.dimension);
    }
    return {inside / run.kept.samples.back().time, outside / run.kept.samples.back().time};
}

/// In a closed box the virial theorem makes them equal but for the change of sum of m v x, whose standard
/// deviation per axis is below L sqrt(2 N m kT / 3).
void expect_pressure_of_the_walls(const std::string& input) {
    const KeptRun run = run_input(input);
    const auto [inside, outside] = pressures(run);
    EXPECT_GT(run.totals.num_wall_contacts, 10'000);
    EXPECT_NEAR(inside / outside, 1, 0.01);
}

TEST(GasObservables, PressureIsThatOnWalls) {
    expect_pressure_of_the_walls(
        "box: {size: [14, 12, 10], boundary: reflecting}\n"
        "species: [{name: ball, radius: 0.5, mass: 1, count: 600}]\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 1000, equilibrate: {collisions_per_particle: 5}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
}

/// It is that between them.
TEST(GasObservables, PressureOfMixturesOnWalls) {
    expect_pressure_of_the_walls(
        "box: {size: [14, 12, 10], boundary: reflecting}\n"
        "species:\n  - {name: small, radius: 0.3, mass: 1, count: 700}\n"
        "  - {name: large, radius: 0.9, mass: 5, count: 60}\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 1000, equilibrate: {collisions_per_particle: 5}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
}

/// They touch walls at distances of their own, other ones at other walls.
TEST(GasObservables, PressureOfShapesOnWalls) {
    expect_pressure_of_the_walls(
        "box: {size: [14, 12, 10], boundary: reflecting}\n"
        "species:\n  - {name: cube, shape: {cube: 0.9}, mass: 1, count: 300}\n"
        "  - {name: pyramid, shape: {pyramid: [1, 1.2]}, mass: 2, count: 300}\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 1000, equilibrate: {collisions_per_particle: 5}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
}

/// It is that between them.
TEST(GasObservables, PressureOfDiscsOnWalls) {
    expect_pressure_of_the_walls(
        "box: {size: [25, 30], boundary: reflecting}\n"
        "species: [{name: ball, radius: 0.5, mass: 1, count: 400}]\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.1, steps: 2000, equilibrate: {collisions_per_particle: 5}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 10}\n");
}

TEST(GasObservables, FreeBrownianParticlesDiffuse) {
    const KeptRun run = run_input(
        "box: {size: [100, 100, 100]}\n"
        "species:\n  - {name: slow, radius: 0.001, diffusion: 0.5, count: 3000}\n"
        "  - {name: fast, radius: 0.001, diffusion: 2, count: 3000}\n"
        "dynamics: {type: brownian, kT: 1}\nrun: {timestep: 0.05, steps: 40}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 20}\n");
    for (const KeptSample& sample : run.kept.samples) {
        const double error = 4 * std::sqrt(2 / (3.0 * 3000)) * 6 * sample.time;
        EXPECT_NEAR(sample.values.mean_square_displacement[0], 6 * 0.5 * sample.time, 0.5 * error);
        EXPECT_NEAR(sample.values.mean_square_displacement[1], 6 * 2 * sample.time, 2 * error);
        EXPECT_NEAR(sample.values.temperature, 1, 4 * std::sqrt(2 / (3.0 * 6000)));
    }
}

}  // namespace
}  // namespace ricochet::test
