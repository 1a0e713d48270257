// SPDX-License-Identifier: BSD-3-Clause
//
// The engine on random numbers of ranks against the reference, for random systems (support/fuzz_case.hpp), in
// every bit. RICOCHET_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/seed_range.hpp"

namespace ricochet::test {
namespace {

/// "" or where the run leaves the reference.
std::string difference_of(const FuzzCase& fuzz) {
    const SlabRun expected = run_reference_to_error(fuzz.system, fuzz.settings);
    const SlabRun run = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
    const std::string difference = first_difference(expected, run);
    return difference.empty() ? "" : fuzz.what + ": " + difference;
}

void fuzz(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        EXPECT_EQ(difference_of(fuzz_case(seed)), "");
}

/// The systems are random.
TEST(Fuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_FUZZ", {0, 500});
    fuzz(seeds.first, seeds.count);
}

/// The cases are those of all fuzzers.
TEST(FuzzCases, HaveUpToSevenRanks) {
    for (const auto& make : {fuzz_case, rule_fuzz_case, rate_fuzz_case, decay_fuzz_case, tether_fuzz_case}) {
        std::array<int, 8> counts{};
        for (std::uint64_t seed = 0; seed < 300; ++seed)
            ++counts.at(static_cast<std::size_t>(make(seed).num_ranks));
        for (std::size_t num_ranks = 1; num_ranks <= 7; ++num_ranks) {
            std::printf("%zu ranks: %d  ", num_ranks, counts[num_ranks]);
            EXPECT_GE(counts[num_ranks], 12);
        }
        std::printf("\n");
    }
}

/// The systems are random.
TEST(LongFuzz, ReferenceBitsOnAnyRanks) { fuzz(1'000'000, 20'000); }

}  // namespace
}  // namespace ricochet::test
