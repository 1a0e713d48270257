// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and accuracy of mutual gravity by the tree: an evaluation of all accelerations, sorting included. Counters per
// case:
//   per_particle    time of all ranks together over the particles
//   points, cells   interactions of a particle
//   median, p99     relative error of the acceleration, against direct sums at a sample of particles; without images
//   net             sum of all forces over the sum of their magnitudes
// Ranks are threads. With the potential it is a sample's cost; the inverse law has a logarithm then.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/support/gravity_systems.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::flat_disc;
using test::GravitySystem;
using test::plummer_sphere;
using test::run_ranks;
using test::uniform_sources;

GravitySystem periodic_sources(std::size_t count) {
    GravitySystem system = uniform_sources({1, 1, 1}, count);
    system.box.boundary.fill(Boundary::periodic);
    return system;
}

GravitySystem system_named(const std::string& name, std::size_t count) {
    if (name == "plummer") return plummer_sphere(count);
    if (name == "disc") return flat_disc(count);
    if (name == "periodic") return periodic_sources(count);
    return uniform_sources(name == "square" ? Vec3{1, 1, 0} : Vec3{1, 1, 1}, count);
}

/// Each rank's share, by slabs.
std::vector<std::vector<GravitySource>> shares_of(const GravitySystem& system, int num_ranks) {
    std::vector<GravitySource> sorted = system.sources;
    std::sort(sorted.begin(), sorted.end(),
              [](const GravitySource& a, const GravitySource& b) { return a.position.x < b.position.x; });
    std::vector<std::vector<GravitySource>> shares(static_cast<std::size_t>(num_ranks));
    for (std::size_t k = 0; k < sorted.size(); ++k)
        shares[k * shares.size() / sorted.size()].push_back(sorted[k]);
    return shares;
}

Vec3 exact_acceleration(const GravitySystem& system, const std::vector<PointMass>& points, std::size_t k) {
    TargetBatch target(std::span<const PointMass>(&points[k], 1));
    const auto at = static_cast<std::uint32_t>(k), size = static_cast<std::uint32_t>(points.size());
    const std::array<PointRange, 2> others{PointRange{0, at}, PointRange{at + 1, size - at - 1}};
    const double softening = system.law.softening;
    add_points({system.law.form, softening * softening, false}, points.data(), others, target);
    return system.law.constant * target.sum(0);
}

void report_errors(benchmark::State& state, const GravitySystem& system,
                   const std::vector<GravityField>& fields) {
    std::vector<PointMass> points;
    for (const GravitySource& source : system.sources) points.push_back({source.position, source.mass});
    Vec3 net;
    double magnitudes = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        net = net + points[k].mass * fields[k].acceleration;
        magnitudes += points[k].mass * norm(fields[k].acceleration);
    }
    std::vector<double> errors;
    const std::size_t num_samples = std::min<std::size_t>(points.size(), 1000);
    for (std::size_t sample = 0; sample < num_samples; ++sample) {
        const std::size_t k = sample * (points.size() / num_samples);
        const Vec3 exact = exact_acceleration(system, points, k);
        errors.push_back(norm(fields[k].acceleration - exact) / norm(exact));
    }
    std::sort(errors.begin(), errors.end());
    state.counters["median"] = errors[num_samples / 2];
    state.counters["p99"] = errors[num_samples * 99 / 100];
    state.counters["net"] = norm(net) / magnitudes;
}

void on_one_rank(benchmark::State& state, const std::string& name, WithPotential potential) {
    const GravitySystem system = system_named(name, static_cast<std::size_t>(state.range(0)));
    SerialExchange exchange;
    SelfGravity gravity(exchange, system.box, {.law = system.law});
    std::vector<GravityField> fields;
    for (auto _ : state) benchmark::DoNotOptimize(gravity.find_fields(system.sources, potential, fields));
    const auto size = static_cast<double>(system.sources.size());
    state.counters["per_particle"] =
        benchmark::Counter(size, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.counters["points"] = static_cast<double>(gravity.counts().num_points) / size;
    state.counters["cells"] = static_cast<double>(gravity.counts().num_cells) / size;
    if (name != "periodic") report_errors(state, system, fields);
}

void on_ranks(benchmark::State& state, const std::string& name) {
    const GravitySystem system = system_named(name, static_cast<std::size_t>(state.range(0)));
    const auto num_ranks = static_cast<int>(state.range(1));
    const auto shares = shares_of(system, num_ranks);
    for (auto _ : state)
        run_ranks(num_ranks, [&](Exchange& exchange) {
            std::vector<GravityField> fields;
            SelfGravity gravity(exchange, system.box, {.law = system.law});
            gravity.find_fields(shares[static_cast<std::size_t>(exchange.rank())], WithPotential::no, fields);
        });
}

const bool registered = [] {
    for (const std::string name : {"uniform", "plummer", "disc", "square", "periodic"}) {
        const auto forces = [=](benchmark::State& state) { on_one_rank(state, name, WithPotential::no); };
        const auto both = [=](benchmark::State& state) { on_one_rank(state, name, WithPotential::yes); };
        const auto ranks = [=](benchmark::State& state) { on_ranks(state, name); };
        auto* cases = benchmark::RegisterBenchmark(("forces/" + name).c_str(), forces);
        cases->ArgName("particles")->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
        if (name == "uniform" || name == "plummer") cases->Arg(1000000);
        benchmark::RegisterBenchmark(("with_potential/" + name).c_str(), both)
            ->ArgName("particles")
            ->Arg(100000)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("on_ranks/" + name).c_str(), ranks)
            ->ArgNames({"particles", "ranks"})
            ->ArgsProduct({{100000}, {1, 2}})
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    }
    return true;
}();

}  // namespace
}  // namespace ricochet
