// SPDX-License-Identifier: BSD-3-Clause
//
// The engine on random numbers of ranks against the reference, for random systems (support/fuzz_case.hpp), in
// every bit. RICOCHET_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
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

bool is_constant(const ContactRule& rule) { return bounce_by(rule).restitution.is_constant(); }

bool depends_on_speed(const World& world) {
    return !is_constant(world.pair_rule) || !is_constant(world.wall_rule) ||
           std::any_of(world.rules.begin(), world.rules.end(),
                       [](const SpeciesRule& of) { return !is_constant(of.rule); });
}

/// With the same values at the speeds to which they belong.
ContactRule with_constants(ContactRule rule) {
    const auto set = [](RestitutionLaw& law) { law = std::min(1.0, law.value); };
    if (Bounce* const bounce = std::get_if<Bounce>(&rule)) set(bounce->restitution);
    if (React* const react = std::get_if<React>(&rule)) set(react->restitution);
    if (Stick* const stick = std::get_if<Stick>(&rule)) set(stick->restitution);
    return rule;
}

/// Whether constants would give something else.
bool is_changed_by_speeds(FuzzCase fuzz) {
    const SlabRun run = run_on_threads(1, fuzz.system, fuzz.settings);
    World& world = *fuzz.system.world;
    world.pair_rule = with_constants(world.pair_rule);
    world.wall_rule = with_constants(world.wall_rule);
    for (SpeciesRule& of : world.rules) of.rule = with_constants(of.rule);
    const SlabRun other = run_on_threads(1, fuzz.system, fuzz.settings);
    return run.error.empty() && other.error.empty() &&
           !first_difference(run.particles, other.particles).empty();
}

/// Each kind of case that may lose energy.
TEST(FuzzCases, ManyDependOnRestitutionBySpeed) {
    constexpr std::uint64_t num_seeds = 120;
    for (const auto& make :
         {fuzz_case, rule_fuzz_case, tether_fuzz_case, body_fuzz_case, gravity_fuzz_case}) {
        int num_drawn = 0, num_changed = 0;
        for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
            const FuzzCase fuzz = make(seed);
            if (!fuzz.system.world || !depends_on_speed(*fuzz.system.world)) continue;
            ++num_drawn;
            num_changed += is_changed_by_speeds(fuzz) ? 1 : 0;
        }
        std::printf("%d of %d cases with restitution by speed depend on it\n", num_changed, num_drawn);
        EXPECT_GE(num_drawn, 20);
        EXPECT_GE(num_changed, 8);
    }
}

/// The systems are random.
TEST(LongFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
