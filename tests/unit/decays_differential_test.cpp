// SPDX-License-Identifier: BSD-3-Clause
//
// Runs in which particles decay, react and coalesce, on any number of ranks, against the reference: in every bit.
//
// RICOCHET_DECAY_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/reference_decays.hpp"

namespace ricochet::test {
namespace {

/// A case of the fuzzers of rules or of rates, with decays, and with as many steps as decays need to chain.
FuzzCase decay_fuzz_case(std::uint64_t seed) {
    FuzzCase fuzz = seed % 2 == 0 ? rule_fuzz_case(seed) : rate_fuzz_case(seed);
    HashRandom random(seed ^ 0x6465636179);
    fuzz.settings.decays = random_decays(fuzz.system, random);
    fuzz.settings.num_steps = 6;
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    return fuzz;
}

struct Tally {
    int decays = 0, births = 0, given_back = 0;
};

void count(const FuzzCase& fuzz, const SlabRun& run, Tally& tally) {
    ParticleId first_new = 0;
    for (const Motion& motion : fuzz.system.particles.motion) first_new = std::max(first_new, motion.id + 1);
    for (const Contact& record : run.contacts) {
        if (record.effect != ContactEffect::decay) continue;
        ++tally.decays;
        if (record.key.high == no_id) continue;
        ++tally.births;
        const ParticleId newborn = record.species_low == absent_species ? record.key.low : record.key.high;
        if (newborn < first_new) ++tally.given_back;
    }
}

Tally fuzz(std::uint64_t first, std::uint64_t num_seeds) {
    Tally tally;
    for (std::uint64_t seed = first; seed < first + num_seeds; ++seed) {
        const FuzzCase fuzz = decay_fuzz_case(seed);
        const SlabRun expected = run_reference_to_error(fuzz.system, fuzz.settings);
        const SlabRun run = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
        EXPECT_EQ(first_difference(expected, run), "") << "seed " << seed << ": " << fuzz.what;
        count(fuzz, expected, tally);
    }
    return tally;
}

/// Of random systems with random rules or rates, and random decays.
TEST(DecayFuzz, ReferenceBitsOnAnyRanks) {
    unsigned long long first = 0, num_seeds = 300;
    if (const char* range = std::getenv("RICOCHET_DECAY_FUZZ")) {
        ASSERT_EQ(std::sscanf(range, "%llu:%llu", &first, &num_seeds), 2) << "expected FIRST:COUNT";
    }
    const Tally tally = fuzz(first, num_seeds);
    if (num_seeds < 300) return;
    EXPECT_GT(tally.decays, 1000);
    EXPECT_GT(tally.births, 500);
    EXPECT_GT(tally.given_back, 10);
}

/// Of random systems with random rules or rates, and random decays.
TEST(LongDecayFuzz, ReferenceBitsOnAnyRanks) { fuzz(1'000'000, 20'000); }

}  // namespace
}  // namespace ricochet::test
