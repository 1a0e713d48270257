// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "core/hash.hpp"

namespace ricochet {
namespace {

// The known answers that come with Random123 (kat_vectors, philox4x32 10).
static_assert(philox_4x32_10({0, 0, 0, 0}, {0, 0}) ==
              PhiloxCounter{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
static_assert(philox_4x32_10({0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
                             {0xffffffffu, 0xffffffffu}) ==
              PhiloxCounter{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu});
static_assert(philox_4x32_10({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
                             {0xa4093822u, 0x299f31d0u}) ==
              PhiloxCounter{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u});

// The hash was taken of the outputs of Random123's philox4x32_R(10) for the same arguments.
TEST(Philox, AgreesWithRandom123) {
    std::mt19937_64 bits(1);
    const auto word = [&] { return static_cast<std::uint32_t>(bits() >> 32); };
    std::vector<PhiloxCounter> words;
    for (int k = 0; k < 10000; ++k) {
        const PhiloxCounter counter = {word(), word(), word(), word()};
        const PhiloxKey key = {word(), word()};
        words.push_back(philox_4x32_10(counter, key));
    }
    EXPECT_EQ(hash_values(std::span<const PhiloxCounter>(words)), 5659221764809747341u);
}

TEST(RandomWords, EveryArgumentCounts) {
    const RandomKey key{.seed = 5, .stream = Stream::placement, .step = 7};
    std::set<RandomWords> seen = {random_words(key, 9)};
    for (int bit = 0; bit < 64; ++bit) {
        seen.insert(random_words(key, 9 ^ (1ull << bit)));
        seen.insert(random_words({key.seed ^ (1ull << bit), key.stream, key.step}, 9));
        if (bit < 48) seen.insert(random_words({key.seed, key.stream, key.step ^ (1ull << bit)}, 9));
        if (bit < 8) seen.insert(random_words(key, 9, 1u << bit));
    }
    seen.insert(random_words({key.seed, Stream::brownian, key.step}, 9));
    seen.insert(random_words({key.seed, Stream::radius, key.step}, 9));
    EXPECT_EQ(seen.size(), 1u + 64 + 64 + 48 + 8 + 2);
}

TEST(Uniform, StaysInItsInterval) {
    EXPECT_EQ(uniform_from(0), 0.0);
    EXPECT_EQ(uniform_from(~0ull), 1 - 0x1p-53);
    EXPECT_EQ(uniform_above_zero_from(0), 0x1p-53);
    EXPECT_EQ(uniform_above_zero_from(~0ull), 1.0);
    EXPECT_EQ(bounded_from(0, 10), 0u);
    EXPECT_EQ(bounded_from(~0ull, 10), 9u);
    EXPECT_EQ(bounded_from(~0ull, 1), 0u);
    EXPECT_EQ(bounded_from(~0ull, ~0ull), ~0ull - 1);
}

// Kolmogorov's distance of n numbers is below 1.95/sqrt(n) with a probability of 99.9 %; the seed is fixed.
TEST(Uniform, FillsTheIntervalEvenly) {
    constexpr std::size_t n = 200000;
    std::vector<double> u(n);
    for (std::size_t k = 0; k < n; ++k)
        u[k] = uniform_from(random_words({1, Stream::placement, 3}, k)[k % 2]);
    std::sort(u.begin(), u.end());
    double distance = 0;
    for (std::size_t k = 0; k < n; ++k)
        distance =
            std::max({distance, u[k] - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - u[k]});
    EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(n)));
}

TEST(RandomSequence, GivesTheWordsOfItsBlocks) {
    const RandomKey key{.seed = 3, .stream = Stream::permutation, .step = 1};
    RandomSequence sequence(key, 17), again(key, 17);
    for (unsigned block = 0; block < 256; ++block)
        for (const std::uint64_t word : random_words(key, 17, block)) EXPECT_EQ(sequence.next(), word);
    EXPECT_EQ(sequence.remaining(), 0u);
    EXPECT_EQ(again.uniform(), uniform_from(random_words(key, 17)[0]));
    EXPECT_EQ(again.below(6), bounded_from(random_words(key, 17)[1], 6));
}

TEST(Bounded, EveryValueIsEquallyLikely) {
    RandomKey key{.seed = 3, .stream = Stream::permutation, .step = 0};
    std::array<int, 7> counts{};
    constexpr int n = 70000;
    for (std::uint64_t id = 0; id < n; ++id) ++counts[bounded_from(random_words(key, id)[0], counts.size())];
    double chi_squared = 0;
    for (const int count : counts) chi_squared += (count - n / 7.0) * (count - n / 7.0) / (n / 7.0);
    EXPECT_LT(chi_squared, 22.5);  // 99.9 % for 6 degrees of freedom
}

}  // namespace
}  // namespace ricochet
