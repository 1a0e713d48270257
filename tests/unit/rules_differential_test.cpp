// SPDX-License-Identifier: BSD-3-Clause
//
// The engine against the reference where contacts change particles: every search, 1 to 40 sub-windows, halved
// windows, several intervals of the search; and any number of ranks. In every bit.
//
// RICOCHET_RULE_FUZZ=FIRST:COUNT runs other seeds on ranks, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {
namespace {

const std::vector<SolvedSystem>& hard_cases() {
    static const std::vector<SolvedSystem> all = [] {
        std::vector<SolvedSystem> solved;
        for (System& system : rule_degenerate_systems()) solved.push_back(solve(std::move(system)));
        return solved;
    }();
    return all;
}

const std::vector<SolvedSystem>& arbitrary_systems() {
    static const auto all =
        solve_seeds(100, [](std::uint64_t seed) { return solve(arbitrary_rule_system(seed)); });
    return all;
}

class RulesDifferential : public SearchDifferential {};

/// With any number of sub-windows.
TEST_P(RulesDifferential, HoldsForHardCases) { expect_bits(hard_cases(), any_windows); }

/// With any number of sub-windows.
TEST_P(RulesDifferential, HoldsForArbitrarySystems) { expect_bits(arbitrary_systems(), any_windows); }

TEST_P(RulesDifferential, HoldsWithHalvedWindows) {
    for (const auto* const systems : {&hard_cases(), &arbitrary_systems()})
        expect_bits(*systems, halved_windows);
}

/// The intervals are those of the search.
TEST_P(RulesDifferential, HoldsWithAnyIntervals) {
    for (const auto* const systems : {&hard_cases(), &arbitrary_systems()})
        expect_bits(*systems, windows_in_intervals, {2, 7});
}

INSTANTIATE_TEST_SUITE_P(Searches, RulesDifferential, testing::ValuesIn(searches), name_of_search);

TEST(LongRulesDifferential, HoldsForThousands) {
    expect_bits_of_thousands([](std::uint64_t seed) { return solve(arbitrary_rule_system(seed)); });
}

/// The rule that searches again what discarded runs have changed also covers particles that had ended in them.
TEST(RulesAgainstReference, FailWithoutResearch) {
    bool every_order_agrees = true;
    std::array<int, 3> order{0, 1, 2};
    do {
        const SolvedSystem solved = solve(rollback_trap_of_ended(order));
        EXPECT_EQ(solved.steps[0].contacts.size(), 4u);
        expect_bits_of_searches(solved, {{1}});
        for (const auto search : searches) {
            EngineOptions without = options_for(search);
            without.use_research_rule = false;
            every_order_agrees &= first_difference(solved, without, {1}).empty();
        }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_FALSE(every_order_agrees);
}

// --- ranks ---------------------------------------------------------------------------------------------------

/// One of them takes seven ranks longer than all others together, until its spheres have outgrown the box.
TEST(RulesOnSlabs, HaveReferenceBitsOfHardCases) {
    for (const System& system : rule_degenerate_systems()) {
        const bool takes_long = system.name == touching_lattice_that_coalesces;
        expect_reference_on_ranks(system, settings_of_solved(system),
                                  takes_long ? up_to_five_ranks : any_ranks);
    }
}

TEST(LongRulesOnSlabs, HaveReferenceBitsOfHardCases) {
    for (const System& system : rule_degenerate_systems())
        if (system.name == touching_lattice_that_coalesces)
            expect_reference_on_ranks(system, settings_of_solved(system));
}

TEST(RulesOnSlabs, HaveReferenceBitsOfArbitraryOnes) {
    for (std::uint64_t seed = 0; seed < fewer_if_sanitized(40u); ++seed) {
        const System system = arbitrary_rule_system(seed);
        HashRandom random(seed);
        SlabRunSettings settings = settings_of_solved(system);
        settings.slabs.num_windows = random.index(12);
        settings.slabs.excursion_factor = random.uniform(0.05, 0.8);
        settings.engine.num_intervals = random.index(6);
        settings.cuts_of_step = random_cuts(seed);
        expect_reference_on_ranks(system, settings);
    }
}

/// The systems and their rules are random.
TEST(RuleFuzz, ReferenceBitsOnAnyRanks) {
    expect_reference_of_seeds(rule_fuzz_case, seeds_of("RICOCHET_RULE_FUZZ", {0, 500}));
}

/// The systems and their rules are random.
TEST(LongRuleFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(rule_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
