// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers for tests: splitmix64's finaliser over (seed, counter). Independent of the project's own
// generator, the same on every machine, without libm but for log_uniform. The "normal" is a sum of twelve uniforms
// (Irwin-Hall), whose kurtosis is 2.9 and whose tails end at 6; collisions turn it into the real thing.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "ricochet/model/vec3.hpp"

namespace ricochet::test {

class HashRandom {
  public:
    explicit HashRandom(std::uint64_t seed) : state_(mixed(seed)) {}

    std::uint64_t bits() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in 0 .. count - 1 (bias below 2^-40 for the counts of tests).
    std::uint64_t index(std::uint64_t count) { return bits() % count; }
    /// True with the probability 1/count.
    bool is_one_in(std::uint64_t count) { return index(count) == 0; }
    /// In [low, high), its logarithm uniform.
    double log_uniform(double low, double high) { return low * std::pow(high / low, uniform()); }

    /// Mean 0, variance 1.
    double normal() {
        double sum = -6;
        for (int k = 0; k < 12; ++k) sum += uniform();
        return sum;
    }
    /// Independent normals; z = 0 in two dimensions.
    Vec3 normal_vector(int dimension) {
        const double x = normal(), y = normal();
        return {x, y, dimension == 3 ? normal() : 0};
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[index(k)]);
    }

  private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

}  // namespace ricochet::test
