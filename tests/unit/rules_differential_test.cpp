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

#include "tests/support/fuzz_case.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/seed_range.hpp"
#include "tests/support/solved_system.hpp"

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
    static const std::vector<SolvedSystem> all = [] {
        std::vector<SolvedSystem> solved;
        for (std::uint64_t seed = 0; seed < 100; ++seed) solved.push_back(solve(arbitrary_rule_system(seed)));
        return solved;
    }();
    return all;
}

class RulesDifferential : public testing::TestWithParam<TestedSearch> {
  protected:
    void expect_bits(const SolvedSystem& solved, std::uint64_t num_intervals, const Windows& windows) {
        if (!takes_turn(GetParam(), number_++)) return;
        EXPECT_EQ(first_difference(
                      solved,
                      {.search = GetParam().method, .loop = GetParam().loop, .num_intervals = num_intervals},
                      windows),
                  "");
    }

  private:
    std::size_t number_ = 0;  ///< of the comparison
};

/// With any number of sub-windows.
TEST_P(RulesDifferential, HoldsForHardCases) {
    for (const SolvedSystem& solved : hard_cases())
        for (const std::uint64_t num_windows : {1, 2, 3, 5, 11, 40}) expect_bits(solved, 0, {num_windows});
}

/// With any number of sub-windows.
TEST_P(RulesDifferential, HoldsForArbitrarySystems) {
    for (const SolvedSystem& solved : arbitrary_systems())
        for (const std::uint64_t num_windows : {1, 2, 3, 5, 11, 40}) expect_bits(solved, 0, {num_windows});
}

TEST_P(RulesDifferential, HoldsWithHalvedWindows) {
    for (const auto* const systems : {&hard_cases(), &arbitrary_systems()})
        for (const SolvedSystem& solved : *systems) expect_bits(solved, 0, {.count = 5, .halve_every = 2});
}

/// The intervals are those of the search.
TEST_P(RulesDifferential, HoldsWithAnyIntervals) {
    for (const auto* const systems : {&hard_cases(), &arbitrary_systems()})
        for (const SolvedSystem& solved : *systems)
            for (const std::uint64_t num_intervals : {2, 7})
                expect_bits(solved, num_intervals, {.count = 11, .halve_every = 3});
}

INSTANTIATE_TEST_SUITE_P(Searches, RulesDifferential, testing::ValuesIn(searches),
                         [](const auto& search) { return to_string(search.param); });

TEST(LongRulesDifferential, HoldsForThousands) {
    for (std::uint64_t seed = 1000; seed < 6000; ++seed) {
        const SolvedSystem solved = solve(arbitrary_rule_system(seed));
        for (const auto search : searches)
            for (const std::uint64_t num_windows : {1, 2, 7})
                if (takes_turn(search, seed)) {
                    ASSERT_EQ(first_difference(solved, {.search = search.method, .loop = search.loop},
                                               {num_windows}),
                              "");
                }
    }
}

/// The rule that searches again what discarded runs have changed also covers particles that had ended in them.
TEST(RulesAgainstReference, FailWithoutResearch) {
    bool every_order_agrees = true;
    std::array<int, 3> order{0, 1, 2};
    do {
        const SolvedSystem solved = solve(rollback_trap_of_ended(order));
        EXPECT_EQ(solved.steps[0].contacts.size(), 4u);
        for (const auto search : searches) {
            EXPECT_EQ(first_difference(solved, {.search = search.method, .loop = search.loop}, {1}), "");
            every_order_agrees &=
                first_difference(
                    solved, {.search = search.method, .loop = search.loop, .use_research_rule = false}, {1})
                    .empty();
        }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_FALSE(every_order_agrees);
}

// --- ranks ---------------------------------------------------------------------------------------------------

/// All rank counts that the system has slices for, up to a number, give what the reference gives.
void expect_reference_on_all_rank_counts(const System& system, SlabRunSettings settings, int most_ranks = 7) {
    settings.num_steps = system.num_steps;
    settings.engine.contact_cap = solved_contact_cap;
    const SlabRun expected = run_reference_to_error(system, settings);
    for (const int num_ranks : {1, 2, 3, 4, 5, 7}) {
        if (num_ranks > std::min<std::int64_t>(most_ranks, slice_grid_of(system).num_slices())) continue;
        EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << system.name << " on " << num_ranks << " ranks";
    }
}

/// One of them takes seven ranks longer than all others together, until its spheres have outgrown the box.
TEST(RulesOnSlabs, HaveReferenceBitsOfHardCases) {
    for (const System& system : rule_degenerate_systems())
        expect_reference_on_all_rank_counts(system, {},
                                            system.name == touching_lattice_that_coalesces ? 5 : 7);
}

TEST(LongRulesOnSlabs, HaveReferenceBitsOfHardCases) {
    for (const System& system : rule_degenerate_systems())
        if (system.name == touching_lattice_that_coalesces) expect_reference_on_all_rank_counts(system, {});
}

TEST(RulesOnSlabs, HaveReferenceBitsOfArbitraryOnes) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        HashRandom random(seed);
        SlabRunSettings settings;
        settings.slabs.num_windows = random.index(12);
        settings.slabs.excursion_factor = random.uniform(0.05, 0.8);
        settings.engine.num_intervals = random.index(6);
        settings.cuts_of_step = random_cuts(seed);
        expect_reference_on_all_rank_counts(arbitrary_rule_system(seed), settings);
    }
}

/// "" or where the run leaves the reference.
std::string difference_of(const FuzzCase& fuzz) {
    const SlabRun expected = run_reference_to_error(fuzz.system, fuzz.settings);
    const SlabRun run = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
    const std::string difference = first_difference(expected, run);
    return difference.empty() ? "" : fuzz.what + ": " + difference;
}

void fuzz(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        EXPECT_EQ(difference_of(rule_fuzz_case(seed)), "");
}

/// The systems and their rules are random.
TEST(RuleFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_RULE_FUZZ", {0, 500});
    fuzz(seeds.first, seeds.count);
}

/// The systems and their rules are random.
TEST(LongRuleFuzz, ReferenceBitsOnAnyRanks) { fuzz(1'000'000, 20'000); }

}  // namespace
}  // namespace ricochet::test
