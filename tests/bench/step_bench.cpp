// SPDX-License-Identifier: BSD-3-Clause
//
// What a step costs on one core: elastic gases of equal spheres over density and size, and dilute Brownian
// spheres. The figures to read are the counters, CPU time in each case:
//   ns_per_contact         of the steady state of an elastic gas (1e3 / it: million pair contacts per second)
//   ns_per_particle_step   of Brownian spheres, the random drive included
//   contacts               per particle and step; z_ratio: their rate over the Enskog rate, which says that
//   the
//                          benchmark measured a fluid and that nothing was missed
//   predicted, searches, merges  per contact, for tuning
// Start: a simple cubic lattice, which melts also at volume fraction 0.49, every particle moved at random by
// as much as leaves no overlap. Before the measurement elastic gases run for 20 contacts per particle,
// Brownian spheres for 32 steps that are longer than those measured.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/math.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/dynamics/ballistic.hpp"
#include "ricochet/dynamics/brownian.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace {

using namespace ricochet;

struct Gas {
    Box box;
    Particles particles;
    double contact_rate = 0;  ///< Enskog, per particle and time
};

/// Spheres of diameter, mass and kT 1 at volume fraction phi, about num_particles of them.
Gas lattice_gas(double phi, std::size_t num_particles) {
    const auto cells = static_cast<std::size_t>(std::round(std::cbrt(static_cast<double>(num_particles))));
    const double edge = std::cbrt(fixed::pi / 6 / phi);
    const double length = static_cast<double>(cells) * edge;
    const double most_shift = 0.5 * (edge - 1);
    Gas gas;
    gas.box.size = {length, length, length};
    for (std::size_t k = 0; k < cells * cells * cells; ++k) {
        RandomSequence random({.seed = 2, .stream = Stream::placement}, k);
        const auto shifted = [&](std::size_t cell) {
            return (static_cast<double>(cell) + 0.5) * edge + most_shift * (2 * random.uniform() - 1);
        };
        Motion motion;
        motion.position = {shifted(k / (cells * cells)), shifted(k / cells % cells), shifted(k % cells)};
        motion.id = k;
        Attributes attributes;
        attributes.radius = 0.5;
        attributes.mass = 1;
        gas.particles.push_back(motion, attributes, {});
    }
    assign_velocities(gas.particles, InitialVelocities::maxwell, 1.0, 3, 1);
    const double z =
        (1 + phi + phi * phi - 2. / 3. * phi * phi * phi * (1 + phi)) / ((1 - phi) * (1 - phi) * (1 - phi));
    gas.contact_rate = 6 / std::sqrt(fixed::pi) * (z - 1);
    return gas;
}

void sort_in_space(const StepEngine& engine, Particles& particles) {
    Particles sorted;
    for (const std::uint32_t k : engine.spatial_order()) sorted.append(particles, k);
    particles = std::move(sorted);
}

struct Totals {
    std::uint64_t contacts = 0;
    StepStatistics statistics;
};

void run_step(StepEngine& engine, Gas& gas, double dt, Totals& totals) {
    engine.begin_step(gas.particles, gas.particles.size(), {}, dt, Coverage{});
    constexpr double contacts_per_window = 0.08;
    const double expected =
        2.0 * static_cast<double>(engine.num_predicted()) / static_cast<double>(gas.particles.size());
    engine.plan_windows(1 + static_cast<std::uint64_t>(expected / contacts_per_window));
    while (engine.has_window()) {
        engine.begin_window();
        engine.resolve();
        while (engine.is_overloaded()) {
            engine.halve_window();
            engine.resolve();
        }
        engine.commit_window();
    }
    engine.end_step();
    totals.contacts += engine.contacts().size();
    totals.statistics += engine.statistics();
}

void report(benchmark::State& state, const Totals& totals, const Gas& gas, double dt) {
    const auto steps = static_cast<double>(state.iterations());
    const auto n = static_cast<double>(gas.particles.size());
    const auto contacts = static_cast<double>(totals.contacts);
    using benchmark::Counter;
    const auto inverse_rate = Counter::kIsRate | Counter::kInvert;
    state.counters["ns_per_contact"] = Counter(contacts * 1e-9, inverse_rate);
    state.counters["ns_per_particle_step"] = Counter(n * steps * 1e-9, inverse_rate);
    state.counters["contacts"] = 2 * contacts / n / steps;
    state.counters["z_ratio"] = 2 * contacts / n / steps / dt / gas.contact_rate;
    state.counters["predicted"] = static_cast<double>(totals.statistics.num_predicted) / contacts;
    state.counters["searches"] = (static_cast<double>(totals.statistics.num_searches) - n * steps) / contacts;
    state.counters["enlarged"] = static_cast<double>(totals.statistics.num_enlarged) / contacts;
    state.counters["merges"] = static_cast<double>(totals.statistics.num_merges) / contacts;
}

/// Arguments: 1000 phi, number of particles, 1000 x (Enskog contacts per particle and step).
void elastic_gas(benchmark::State& state) {
    Gas gas =
        lattice_gas(static_cast<double>(state.range(0)) * 1e-3, static_cast<std::size_t>(state.range(1)));
    const double contacts_per_step = static_cast<double>(state.range(2)) * 1e-3;
    const double dt = contacts_per_step / gas.contact_rate;
    const auto engine = make_step_engine(gas.box, ContactRules(1, 1), {});
    Totals unrecorded, totals;
    for (double contacts = 0; contacts < 20; contacts += contacts_per_step)
        run_step(*engine, gas, dt, unrecorded);
    sort_in_space(*engine, gas.particles);
    std::uint64_t step = 0;
    for (auto _ : state) {
        run_step(*engine, gas, dt, totals);
        if (++step % 16 == 0) sort_in_space(*engine, gas.particles);
    }
    report(state, totals, gas, dt);
}
BENCHMARK(elastic_gas)
    ->Args({300, 4'000, 1000})
    ->Args({300, 32'000, 1000})
    ->Args({300, 256'000, 1000})
    ->Args({490, 32'000, 1000})
    ->Args({100, 32'000, 500})
    ->Args({10, 32'000, 100})
    ->Unit(benchmark::kMillisecond);

/// Arguments: 1000 phi, number of particles, 1000 x (root mean square of the whole step vector in diameters).
void brownian_gas(benchmark::State& state) {
    Gas gas =
        lattice_gas(static_cast<double>(state.range(0)) * 1e-3, static_cast<std::size_t>(state.range(1)));
    const double rms_step = static_cast<double>(state.range(2)) * 1e-3;
    for (Attributes& attributes : gas.particles.attributes) attributes.diffusion = 1;
    const auto engine = make_step_engine(gas.box, ContactRules(1, 1), {});
    std::uint64_t step = 0;
    const auto run = [&](double rms, Totals& totals) {
        const double dt = rms * rms / 6;  // D = 1: <r^2> = 6 D dt
        drive_brownian(gas.particles, 3, dt, 1, step);
        run_step(*engine, gas, dt, totals);
        if (++step % 16 == 0) sort_in_space(*engine, gas.particles);
        return dt;
    };
    Totals unrecorded, totals;
    while (step < 32) run(0.5, unrecorded);
    double dt = 0;
    for (auto _ : state) dt = run(rms_step, totals);
    gas.contact_rate *= std::sqrt(2 / dt);  // thermal speed sqrt(2 D / dt) instead of 1
    report(state, totals, gas, dt);
}
BENCHMARK(brownian_gas)->Args({10, 100'000, 100})->Args({200, 32'000, 100})->Unit(benchmark::kMillisecond);

}  // namespace
