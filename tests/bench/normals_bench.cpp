// SPDX-License-Identifier: BSD-3-Clause
//
// Cost per particle or term of what every step does: normal numbers on each instruction set, the Brownian
// drive, exact sums, hashes. The counter per_item is the time for one.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/hash.hpp"
#include "core/math.hpp"
#include "core/simd.hpp"
#include "dynamics/brownian.hpp"
#include "dynamics/normal.hpp"
#include "model/particle_hash.hpp"
#include "model/size_distribution.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

void report(benchmark::State& state, std::size_t items) {
    state.counters["per_item"] =
        benchmark::Counter(static_cast<double>(items),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void normals(benchmark::State& state, const SimdTarget& target, int dimension) {
    const ForcedSimdTarget forced(target);
    std::vector<ParticleId> ids(4096);
    std::iota(ids.begin(), ids.end(), ParticleId{1} << 33);
    std::vector<double> x(ids.size()), y(ids.size()), z(dimension == 3 ? ids.size() : 0);
    RandomKey key{.seed = 0x9e3779b97f4a7c15ull, .stream = Stream::brownian, .step = 0};
    for (auto _ : state) {
        ++key.step;
        standard_normals3(key, ids, x, y, z);
        benchmark::ClobberMemory();
    }
    report(state, ids.size());
}

/// Box-Muller as one would write it with the C library, from the same generator.
void normals_by_library(benchmark::State& state) {
    const std::size_t count = 4096;
    RandomKey key{.seed = 0x9e3779b97f4a7c15ull, .stream = Stream::brownian, .step = 0};
    const auto radius = [](std::uint64_t word) {
        return std::sqrt(-2 * std::log(uniform_above_zero_from(word)));
    };
    for (auto _ : state) {
        ++key.step;
        for (ParticleId id = 0; id < count; ++id) {
            const RandomWords xy = random_words(key, id, 0), z = random_words(key, id, 1);
            const double angle = 2 * fixed::pi * uniform_from(xy[1]);
            Vec3 normal{radius(xy[0]) * std::cos(angle), radius(xy[0]) * std::sin(angle),
                        radius(z[0]) * std::cos(2 * fixed::pi * uniform_from(z[1]))};
            benchmark::DoNotOptimize(normal);
        }
    }
    report(state, count);
}
BENCHMARK(normals_by_library);

void brownian_drive(benchmark::State& state) {
    const bool one_diffusion = state.range(1) == 1;
    Particles particles;
    for (ParticleId id = 0; id < static_cast<ParticleId>(state.range(0)); ++id) {
        Attributes attributes;
        attributes.diffusion = one_diffusion ? 1.0 : 1.0 + 1e-9 * static_cast<double>(id);
        particles.push_back({{}, {}, 0, id}, attributes, {});
    }
    std::uint64_t step = 0;
    for (auto _ : state) drive_brownian(particles, 3, 0.1, 1, ++step);
    report(state, particles.size());
}
BENCHMARK(brownian_drive)->ArgNames({"particles", "one_diffusion"})->ArgsProduct({{10000, 1000000}, {0, 1}});

std::vector<double> terms(double spread) {
    std::vector<double> values(4096);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const RandomWords words = random_words({1, Stream::velocity, 0}, k);
        values[k] = (uniform_from(words[0]) - 0.5) * fixed::exp(spread * (uniform_from(words[1]) - 0.5));
    }
    return values;
}

void exact_sum(benchmark::State& state) {
    const std::vector<double> values = terms(static_cast<double>(state.range(0)));
    for (auto _ : state) {
        ExactSum sum;
        for (const double x : values) sum.add(x);
        benchmark::DoNotOptimize(sum);
    }
    report(state, values.size());
}
BENCHMARK(exact_sum)->ArgName("spread")->Arg(1)->Arg(100);

void exact_sum_value(benchmark::State& state) {
    ExactSum sum;
    for (const double x : terms(20)) sum.add(x);
    for (auto _ : state) benchmark::DoNotOptimize(sum.value());
    report(state, 1);
}
BENCHMARK(exact_sum_value);

void hash_of_state(benchmark::State& state) {
    Particles particles;
    for (ParticleId id = 0; id < 10000; ++id) particles.push_back({{}, {}, 0, id}, {}, {});
    for (auto _ : state) benchmark::DoNotOptimize(fingerprint(particles));
    report(state, particles.size());
}
BENCHMARK(hash_of_state);

void radius_sampling(benchmark::State& state) {
    const LogNormalRadius distribution{.median = 2, .sigma = 0.3, .minimum = 1, .maximum = 5};
    for (auto _ : state)
        for (ParticleId id = 0; id < 1000; ++id) benchmark::DoNotOptimize(sample_radius(distribution, 1, id));
    report(state, 1000);
}
BENCHMARK(radius_sampling);

void fixed_log(benchmark::State& state) {
    const std::vector<double> values = terms(20);
    for (auto _ : state)
        for (const double x : values) benchmark::DoNotOptimize(fixed::log(std::fabs(x) + 0x1p-60));
    report(state, values.size());
}
BENCHMARK(fixed_log);

void fixed_exp(benchmark::State& state) {
    const std::vector<double> values = terms(5);
    for (auto _ : state)
        for (const double x : values) benchmark::DoNotOptimize(fixed::exp(x));
    report(state, values.size());
}
BENCHMARK(fixed_exp);

const bool registered = [] {
    for (const SimdTarget& target : supported_simd_targets())
        for (const int dimension : {3, 2})
            benchmark::RegisterBenchmark(
                ("normals/" + target.name + "/dimension:" + std::to_string(dimension)).c_str(),
                [=](benchmark::State& state) { normals(state, target, dimension); });
    return true;
}();

}  // namespace
}  // namespace ricochet
