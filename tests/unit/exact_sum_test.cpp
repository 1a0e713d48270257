// SPDX-License-Identifier: BSD-3-Clause
//
// The exact sum against two other exact methods (128-bit integers; Shewchuk's expansions), against values at
// the edges of the format, and against itself in other orders and partitions.
#include "ricochet/core/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace ricochet {
namespace {

using Limits = std::numeric_limits<double>;

ExactSum sum_of(const std::vector<double>& terms) {
    ExactSum sum;
    for (const double x : terms) sum.add(x);
    return sum;
}

double value_of(const std::vector<double>& terms) { return sum_of(terms).value(); }

/// Bits of the whole range of exponents, signs included.
std::vector<double> wide_terms(std::size_t count, std::uint64_t seed, int lowest, int highest) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> mantissa(-2, 2);
    std::uniform_int_distribution<int> exponent(lowest, highest);
    std::vector<double> terms(count);
    for (double& x : terms) x = std::ldexp(mantissa(random), exponent(random));
    return terms;
}

/// Shewchuk's growing expansions, rounded once with the half-even correction (the method of Python's fsum).
double expansion_sum(const std::vector<double>& terms) {
    std::vector<double> partials;
    for (double x : terms) {
        std::size_t kept = 0;
        for (double y : partials) {
            if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
            const double high = x + y;
            const double low = y - (high - x);
            if (low != 0) partials[kept++] = low;
            x = high;
        }
        partials.resize(kept);
        partials.push_back(x);
    }
    double high = 0, low = 0;
    while (!partials.empty() && low == 0) {
        const double x = high, y = partials.back();
        partials.pop_back();
        high = x + y;
        low = y - (high - x);
    }
    if (!partials.empty() && low != 0 && (low < 0) == (partials.back() < 0)) {
        const double doubled = 2 * low, next = high + doubled;
        if (doubled == next - high) high = next;
    }
    return high;
}

TEST(ExactSum, EmptySumIsPlusZero) {
    EXPECT_EQ(ExactSum().value(), 0.0);
    EXPECT_FALSE(std::signbit(ExactSum().value()));
    EXPECT_FALSE(std::signbit(value_of({-0.0})));
    EXPECT_FALSE(std::signbit(value_of({-1.5, 1.5})));
}

TEST(ExactSum, OneTermComesBackUnchanged) {
    for (const double x : wide_terms(20000, 1, -1080, 1022)) {
        EXPECT_EQ(value_of({x}), x);
        EXPECT_EQ(value_of({x, x}), 2 * x);
        EXPECT_EQ(value_of({x, -x}), 0.0);
    }
    for (const double x : {Limits::denorm_min(), Limits::min(), Limits::max(), -Limits::max(), -Limits::min(),
                           std::nextafter(Limits::min(), 0.0), -Limits::denorm_min()})
        EXPECT_EQ(value_of({x}), x);
}

TEST(ExactSum, TwoTermsRoundLikeTheMachine) {
    std::mt19937_64 random(2);
    for (int k = 0; k < 200000; ++k) {
        const auto a = std::bit_cast<double>(random()), b = std::bit_cast<double>(random());
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        const double near_a = a * (1 + 1e-3 * std::sin(k));
        EXPECT_EQ(value_of({a, b}), a + b);
        EXPECT_EQ(value_of({a, near_a}), a + near_a);
        EXPECT_EQ(value_of({a, -near_a}), a - near_a);
    }
}

TEST(ExactSum, HalvesRoundToEven) {
    const double unit = Limits::epsilon();
    EXPECT_EQ(value_of({1, unit / 2}), 1);
    EXPECT_EQ(value_of({1 + unit, unit / 2}), 1 + 2 * unit);
    EXPECT_EQ(value_of({1, unit / 2, Limits::denorm_min()}), 1 + unit);
    EXPECT_EQ(value_of({1 + unit, unit / 2, -Limits::denorm_min()}), 1 + unit);
    EXPECT_EQ(value_of({-1, -unit / 2, -Limits::denorm_min()}), -1 - unit);
    EXPECT_EQ(value_of({2 - unit, unit / 2}), 2);  // the carry reaches the exponent
}

TEST(ExactSum, CancellationLosesNothing) {
    EXPECT_EQ(value_of({1e300, 1, -1e300}), 1);
    EXPECT_EQ(value_of({Limits::max(), Limits::max(), -Limits::max(), -Limits::max(), Limits::denorm_min()}),
              Limits::denorm_min());
    EXPECT_EQ(value_of({-1e16, 1e-300, 1e16}), 1e-300);
}

/// What overflows is an infinity, and can be taken back.
TEST(ExactSum, OverflowsToInfinityAndBack) {
    ExactSum sum = sum_of({Limits::max(), Limits::max()});
    EXPECT_EQ(sum.value(), Limits::infinity());
    sum.add(-Limits::max());
    EXPECT_EQ(sum.value(), Limits::max());
    EXPECT_EQ(value_of({Limits::max(), std::ldexp(1.0, 969)}), Limits::max());
    EXPECT_EQ(value_of({Limits::max(), std::ldexp(1.0, 970)}), Limits::infinity());
    EXPECT_EQ(value_of({-Limits::max(), -std::ldexp(1.0, 970)}), -Limits::infinity());
}

TEST(ExactSum, NonFiniteTermsStick) {
    const double infinity = Limits::infinity();
    EXPECT_EQ(value_of({1, infinity, -1e300}), infinity);
    EXPECT_EQ(value_of({1, -infinity, 1e300}), -infinity);
    EXPECT_TRUE(std::isnan(value_of({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(value_of({1, Limits::quiet_NaN(), 2})));
    ExactSum a = sum_of({infinity});
    a.merge(sum_of({-infinity}));
    EXPECT_TRUE(std::isnan(a.value()));
}

TEST(ExactSum, AgreesWithWideIntegers) {
    __extension__ using Wide = __int128;
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 300; ++trial) {
        ExactSum sum;
        Wide integer = 0;
        const int count = 1 + static_cast<int>(random() % 1000);
        for (int k = 0; k < count; ++k) {
            const auto mantissa = static_cast<std::int64_t>(random()) >> 11;  // 53 bits with sign
            const int exponent = static_cast<int>(random() % 60);
            integer += static_cast<Wide>(mantissa) << exponent;
            sum.add(std::ldexp(static_cast<double>(mantissa), exponent - 300));
        }
        EXPECT_EQ(sum.value(), std::ldexp(static_cast<double>(integer), -300));
    }
}

/// Over the whole range of doubles.
TEST(ExactSum, AgreesWithExpansionsAnywhere) {
    for (std::uint64_t trial = 0; trial < 300; ++trial) {
        std::vector<double> terms = wide_terms(200, trial, -1060, 1000);
        EXPECT_EQ(value_of(terms), expansion_sum(terms));
        const std::size_t half = terms.size() / 2;
        for (std::size_t k = 0; k < half; ++k) terms.push_back(-terms[k]);
        EXPECT_EQ(value_of(terms), expansion_sum(terms));
        EXPECT_EQ(value_of(wide_terms(500, trial, -20, 20)), expansion_sum(wide_terms(500, trial, -20, 20)));
    }
}

TEST(ExactSum, OrderChangesNoBit) {
    std::vector<double> terms = wide_terms(2000, 4, -100, 100);
    const ExactSum expected = sum_of(terms);
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 50; ++trial) {
        std::shuffle(terms.begin(), terms.end(), random);
        const ExactSum sum = sum_of(terms);
        EXPECT_EQ(sum.limbs(), expected.limbs());
        EXPECT_EQ(sum.value(), expected.value());
    }
}

TEST(ExactSum, TermsAddedTogetherAreTheSame) {
    std::vector<double> terms = wide_terms(500, 11, -1070, 1000);
    for (int k = 0; k < 2; ++k) {
        ExactSum sum;
        sum.add(1.5);
        sum.add(std::span<const double>());
        sum.add(std::span(terms).first(7));
        sum.add(std::span(terms).subspan(7));
        std::vector<double> all{1.5};
        all.insert(all.end(), terms.begin(), terms.end());
        EXPECT_EQ(sum.limbs(), sum_of(all).limbs());
        terms.insert(terms.begin() + 100, {Limits::infinity(), Limits::quiet_NaN(), -Limits::infinity()});
    }
}

/// The numbers have one size, as velocities do, or two that differ by all numbers of bits around those at which blocks
/// are cut. Or one number decides where the others are cut, or all are zero but some. Or they lie at both ends of the
/// range, where there is no room for cuts.
TEST(ExactSum, BlocksAreTheSame) {
    std::vector<std::vector<double>> cases{std::vector<double>(600, 0.0), std::vector<double>(600, -0.0)};
    for (const int size : {-1074, -1060, -1022, -980, -965, -950, -700, 0, 700, 1000, 1014, 1015, 1022})
        cases.push_back(wide_terms(600, 12, size, size));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {  // of one sign, close below a power of two
        std::vector<double> terms = wide_terms(512, seed, -10, -10);
        for (double& x : terms) x = 2 - std::fabs(x);
        cases.push_back(terms);
    }
    for (int apart = 30; apart < 110; ++apart) {
        std::vector<double> terms = wide_terms(600, 13, 0, 0);
        for (std::size_t k = 0; k < terms.size(); k += 1 + k % 5) terms[k] = std::ldexp(terms[k], -apart);
        cases.push_back(terms);
    }
    for (int last_bit = 80; last_bit <= 96; ++last_bit) {  // the lower parts add up to as much as they can
        std::vector<double> terms(512);
        for (std::size_t k = 0; k < terms.size(); ++k)
            terms[k] = std::ldexp(1.0, -43) - std::ldexp(1 + 2 * static_cast<double>(k % 7), -last_bit);
        terms[100] = terms[300] = 511.9;
        cases.push_back(terms);
    }
    std::vector<double> few(600);
    few[3] = 1.5, few[255] = std::ldexp(1.25, -90), few[256] = -0.1, few[511] = Limits::denorm_min();
    cases.push_back(few);
    cases.emplace_back(600, std::nextafter(2.0, 0.0));
    cases.emplace_back(600, Limits::max());
    for (const std::vector<double>& terms : cases) {
        ExactSum sum;
        sum.add(terms);
        EXPECT_EQ(sum.limbs(), sum_of(terms).limbs()) << "terms like " << terms[1] << " and " << terms[3];
        ExactSum buffered;
        {
            TermBuffer buffer(buffered);
            for (const double x : terms) buffer.add(x);
        }
        EXPECT_EQ(buffered.limbs(), sum.limbs());
    }
}

TEST(ExactSum, AnyNumberOfTermsAtATimeIsTheSame) {
    const std::vector<double> terms = wide_terms(600, 14, -3, 3);
    for (std::size_t count = 0; count <= terms.size(); ++count) {
        const std::vector<double> some(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(count));
        ExactSum sum;
        sum.add(some);
        EXPECT_EQ(sum.limbs(), sum_of(some).limbs()) << count;
    }
}

TEST(ExactSum, PartitionsChangeNoBit) {
    const std::vector<double> terms = wide_terms(5000, 6, -200, 200);
    const ExactSum expected = sum_of(terms);
    for (const std::size_t parts : {1u, 2u, 3u, 7u, 64u, 10000u}) {
        std::vector<ExactSum> partial(parts);
        for (std::size_t k = 0; k < terms.size(); ++k) partial[(k * 2654435761u) % parts].add(terms[k]);
        ExactSum merged;
        ExactSum::Limbs added{};
        for (const ExactSum& part : partial) {
            merged.merge(part);
            const ExactSum::Limbs limbs = part.limbs();
            for (std::size_t k = 0; k < added.size(); ++k) added[k] += limbs[k];
        }
        EXPECT_EQ(merged, expected);
        EXPECT_EQ(ExactSum::from_limbs(added), expected);
        EXPECT_EQ(ExactSum::from_limbs(added).limbs(), expected.limbs());
    }
}

TEST(ExactSum, LimbsRestoreTheSum) {
    std::vector<double> terms = wide_terms(1000, 7, -300, 300);
    ExactSum sum = sum_of(terms);
    ExactSum restored = ExactSum::from_limbs(sum.limbs());
    sum.add(1.25);
    restored.add(1.25);
    EXPECT_EQ(restored.limbs(), sum.limbs());
}

TEST(ExactSum, ManyMergesDoNotOverflow) {
    // Doubling 40 times stands for 2^40 terms of one sign: more than the 2^30 between two normalisations.
    ExactSum sum = sum_of({-0.1, -Limits::max(), -Limits::denorm_min()});
    for (int k = 0; k < 40; ++k) sum.merge(ExactSum(sum));
    EXPECT_EQ(sum.value(), -Limits::infinity());
    ExactSum largest = sum_of({Limits::max(), Limits::denorm_min()});
    for (int k = 0; k < 40; ++k) largest.merge(ExactSum(largest));
    sum.merge(largest);
    EXPECT_EQ(sum.value(), std::ldexp(-0.1, 40));
}

// Crosses the limit of 2^30 terms between two normalisations.
TEST(LongExactSum, CarriesArePropagatedInTime) {
    const double x = -1.9999999999999998;  // all mantissa bits set
    const std::int64_t count = (std::int64_t{1} << 30) + 12345;
    ExactSum sum;
    for (std::int64_t k = 0; k < count; ++k) sum.add(x);
    __extension__ using Wide = __int128;
    const Wide units = static_cast<Wide>(count) * ((std::int64_t{1} << 53) - 1);  // of 2^-52
    const double exact = -std::ldexp(static_cast<double>(units), -52);
    EXPECT_EQ(sum.value(), exact);
    ExactSum in_blocks;
    const std::vector<double> block(4096, x);
    for (std::int64_t left = count; left > 0; left -= std::min(left, std::ssize(block)))
        in_blocks.add(std::span(block).first(static_cast<std::size_t>(std::min(left, std::ssize(block)))));
    EXPECT_EQ(in_blocks.limbs(), sum.limbs());
}

}  // namespace
}  // namespace ricochet
