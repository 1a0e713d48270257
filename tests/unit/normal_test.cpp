// SPDX-License-Identifier: BSD-3-Clause
//
// The normal numbers: equal bits from every instruction set, and the right distribution.
#include "dynamics/normal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/math.hpp"
#include "core/simd.hpp"

namespace ricochet {
namespace {

struct NormalColumns {
    std::vector<double> x, y, z;
    explicit NormalColumns(std::size_t n) : x(n), y(n), z(n) {}
};

std::vector<ParticleId> ids_from(ParticleId first, std::size_t count, ParticleId stride = 1) {
    std::vector<ParticleId> ids(count);
    for (std::size_t k = 0; k < count; ++k) ids[k] = first + k * stride;
    return ids;
}

NormalColumns normals_of(const RandomKey& key, const std::vector<ParticleId>& ids) {
    NormalColumns columns(ids.size());
    standard_normals3(key, ids, columns.x, columns.y, columns.z);
    return columns;
}

bool equal_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double u, double v) {
        return std::bit_cast<std::uint64_t>(u) == std::bit_cast<std::uint64_t>(v);
    });
}

/// Compares the bits of all targets over `num_batches` of 2^16 particles, three numbers each.
void expect_equal_bits_on_all_targets(std::uint64_t num_batches) {
    const std::vector<SimdTarget> targets = supported_simd_targets();
    ASSERT_GE(targets.size(), 1u);
    for (std::uint64_t batch = 0; batch < num_batches; ++batch) {
        const RandomKey key{
            .seed = 0x9e3779b97f4a7c15ull * batch, .stream = Stream::brownian, .step = batch << 28};
        const std::vector<ParticleId> ids = ids_from(batch << 40, 1 << 16, 0x100000001ull);
        NormalColumns expected(0);
        for (const SimdTarget& target : targets) {
            const ForcedSimdTarget forced(target);
            NormalColumns columns = normals_of(key, ids);
            if (expected.x.empty()) expected = columns;
            ASSERT_TRUE(equal_bits(columns.x, expected.x)) << target.name;
            ASSERT_TRUE(equal_bits(columns.y, expected.y)) << target.name;
            ASSERT_TRUE(equal_bits(columns.z, expected.z)) << target.name;
        }
    }
}

TEST(Normals, AllTargetsGiveTheSameBits) { expect_equal_bits_on_all_targets(8); }

// 1.0e8 numbers.
TEST(LongNormals, AllTargetsGiveTheSameBits) { expect_equal_bits_on_all_targets(512); }

TEST(Normals, TheVectorTargetsOfThisMachineAreFound) {
    const std::vector<SimdTarget> targets = supported_simd_targets();
    EXPECT_EQ(targets.back().name, "SCALAR");
#if defined(__x86_64__)
    EXPECT_GE(targets.size(), 2u);  // AVX2 at least: the whole program needs it
#endif
}

TEST(Normals, AnyLengthGivesTheNumbersOfItsIds) {
    const RandomKey key{.seed = 1, .stream = Stream::velocity, .step = 2};
    for (const SimdTarget& target : supported_simd_targets()) {
        const ForcedSimdTarget forced(target);
        for (std::size_t count = 0; count < 300; ++count) {
            const std::vector<ParticleId> ids = ids_from(count * 1000, count);
            const NormalColumns columns = normals_of(key, ids);
            for (std::size_t k = 0; k < count; ++k)
                ASSERT_EQ((Vec3{columns.x[k], columns.y[k], columns.z[k]}), standard_normals3(key, ids[k]));
        }
    }
}

TEST(Normals, DiscsHaveTheFirstTwoNumbersOfSpheres) {
    const RandomKey key{.seed = 1, .stream = Stream::brownian, .step = 9};
    const std::vector<ParticleId> ids = ids_from(5, 1001);
    const NormalColumns spheres = normals_of(key, ids);
    for (const SimdTarget& target : supported_simd_targets()) {
        const ForcedSimdTarget forced(target);
        NormalColumns discs(ids.size());
        standard_normals3(key, ids, discs.x, discs.y, {});
        EXPECT_TRUE(equal_bits(discs.x, spheres.x));
        EXPECT_TRUE(equal_bits(discs.y, spheres.y));
    }
}

TEST(Normals, NothingIsWrittenBehindTheEnd) {
    const std::vector<ParticleId> ids = ids_from(0, 131);
    std::vector<double> x(140, 7.0), y(140, 7.0), z(140, 7.0);
    standard_normals3({1, Stream::brownian, 1}, ids, {x.data(), 131}, {y.data(), 131}, {z.data(), 131});
    for (std::size_t k = 131; k < 140; ++k) EXPECT_TRUE(x[k] == 7 && y[k] == 7 && z[k] == 7);
}

// Another compiler or machine must reproduce these.
TEST(Normals, BitsAreThoseOfEveryMachine) {
    const NormalColumns columns =
        normals_of({.seed = 42, .stream = Stream::brownian, .step = 1}, ids_from(0, 10000));
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const auto* column : {&columns.x, &columns.y, &columns.z})
        for (const double value : *column)
            hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
    EXPECT_EQ(hash, 6470424344462343931ULL);
}

/// Plain Box-Muller by the C library, from the same words.
TEST(Normals, AgreeWithTheLibrarysFunctions) {
    const RandomKey key{.seed = 3, .stream = Stream::brownian, .step = 4};
    const auto fraction = [](std::uint64_t word) { return static_cast<double>(word >> 12) * 0x1p-52; };
    for (ParticleId id = 0; id < 20000; ++id) {
        const RandomWords z = random_words(key, id, 1), xy = random_words(key, id, 0);
        const Vec3 normal = standard_normals3(key, id);
        const double radius = std::sqrt(-2 * std::log1p(-fraction(xy[0])));
        const double angle = 2 * fixed::pi * (fraction(z[1]) * 0.5 - 0.25);
        EXPECT_NEAR(std::hypot(normal.x, normal.y), radius, 1e-15 * radius + 1e-300);
        EXPECT_NEAR(normal.z, std::sqrt(-2 * std::log1p(-fraction(z[0]))) * std::sin(angle), 4e-15);
    }
}

/// All numbers of n particles, and where in the triple they stand.
struct Sample {
    static constexpr std::size_t n = 1 << 19;
    NormalColumns columns =
        normals_of({.seed = 2024, .stream = Stream::brownian, .step = 77}, ids_from(0, n));
    std::array<const std::vector<double>*, 3> axes = {&columns.x, &columns.y, &columns.z};
};

const Sample& sample() {
    static const Sample instance;
    return instance;
}

double mean_of(const std::vector<double>& a, auto function) {
    double sum = 0;
    for (const double x : a) sum += function(x);
    return sum / static_cast<double>(a.size());
}

// The variances of x, x^2, x^3, x^4 and x^6 are 1, 2, 15, 96 and 10170.
TEST(Normals, MomentsAreThoseOfTheStandardNormal) {
    const double root_n = std::sqrt(static_cast<double>(Sample::n));
    for (const auto* axis : sample().axes) {
        EXPECT_NEAR(mean_of(*axis, [](double x) { return x; }), 0, 4 / root_n);
        EXPECT_NEAR(mean_of(*axis, [](double x) { return x * x; }), 1, 4 * std::sqrt(2) / root_n);
        EXPECT_NEAR(mean_of(*axis, [](double x) { return x * x * x; }), 0, 4 * std::sqrt(15) / root_n);
        EXPECT_NEAR(mean_of(*axis, [](double x) { return x * x * x * x; }), 3, 4 * std::sqrt(96) / root_n);
        EXPECT_NEAR(mean_of(*axis, [](double x) { return std::pow(x, 6); }), 15,
                    4 * std::sqrt(10170) / root_n);
    }
}

TEST(Normals, AxesAndSuccessiveStepsAreUncorrelated) {
    const double bound = 4 / std::sqrt(static_cast<double>(Sample::n));
    const NormalColumns next =
        normals_of({.seed = 2024, .stream = Stream::brownian, .step = 78}, ids_from(0, Sample::n));
    const auto correlation = [](const std::vector<double>& a, const std::vector<double>& b,
                                std::size_t lag = 0) {
        double sum = 0;
        for (std::size_t k = lag; k < a.size(); ++k) sum += a[k] * b[k - lag];
        return sum / static_cast<double>(a.size());
    };
    const auto& [x, y, z] = sample().columns;
    for (const double c :
         {correlation(x, y), correlation(y, z), correlation(z, x), correlation(x, next.x),
          correlation(z, next.z), correlation(y, next.x), correlation(x, x, 1), correlation(z, z, 1)})
        EXPECT_NEAR(c, 0, bound);
    // Box-Muller's pairs have independent squares, too: the variance of x^2 y^2 - 1 is 8.
    double squares = 0;
    for (std::size_t k = 0; k < x.size(); ++k) squares += x[k] * x[k] * y[k] * y[k];
    EXPECT_NEAR(squares / static_cast<double>(Sample::n), 1, bound * std::sqrt(8));
}

TEST(Normals, KolmogorovDistanceIsSmall) {
    for (const auto* axis : sample().axes) {
        std::vector<double> sorted = *axis;
        std::sort(sorted.begin(), sorted.end());
        double distance = 0;
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            const double expected = 0.5 * std::erfc(-sorted[k] / std::sqrt(2.0));
            const double below = static_cast<double>(k) / Sample::n,
                         up_to = static_cast<double>(k + 1) / Sample::n;
            distance = std::max({distance, expected - below, up_to - expected});
        }
        EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(Sample::n)));
    }
}

// Counts beyond t are Poisson distributed.
TEST(Normals, TailsHaveTheRightWeight) {
    for (const double t : {2.0, 3.0, 3.5, 4.0, 4.5}) {
        double count = 0;
        for (const auto* axis : sample().axes)
            count += static_cast<double>(
                std::count_if(axis->begin(), axis->end(), [&](double x) { return std::fabs(x) > t; }));
        const double expected = 3.0 * Sample::n * std::erfc(t / std::sqrt(2.0));
        EXPECT_NEAR(count, expected, 4 * std::sqrt(expected)) << "beyond " << t;
    }
}

}  // namespace
}  // namespace ricochet
