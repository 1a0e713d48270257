// SPDX-License-Identifier: BSD-3-Clause
//
// The engine on random numbers of ranks against the reference, for random systems (support/fuzz_case.hpp), in
// every bit. RICOCHET_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tests/support/differential.hpp"

namespace ricochet::test {
namespace {

/// The systems are random.
TEST(Fuzz, ReferenceBitsOnAnyRanks) {
    expect_reference_of_seeds(fuzz_case, seeds_of("RICOCHET_FUZZ", {0, 500}));
}

/// The cases are those of all fuzzers.
TEST(FuzzCases, HaveUpToSevenRanks) {
    for (const auto& make : {fuzz_case, rule_fuzz_case, rate_fuzz_case, decay_fuzz_case, tether_fuzz_case,
                             body_fuzz_case, gravity_fuzz_case}) {
        std::array<int, 8> counts{};
        for (std::uint64_t seed = 0; seed < 400; ++seed)
            ++counts.at(static_cast<std::size_t>(make(seed).num_ranks));
        for (std::size_t num_ranks = 1; num_ranks <= 7; ++num_ranks) {
            std::printf("%zu ranks: %d  ", num_ranks, counts[num_ranks]);
            EXPECT_GE(counts[num_ranks], 12);
        }
        std::printf("\n");
    }
}

/// The systems are random.
TEST(LongFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
