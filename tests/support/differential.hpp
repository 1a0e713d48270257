// SPDX-License-Identifier: BSD-3-Clause
//
// How all differential tests compare, in every bit: the engine on one slab with each search, and runs on any number of
// ranks, with the reference. A test says which systems. Failures are named by the system, the search and the ranks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/seed_range.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/solved_system.hpp"

namespace ricochet::test {

// --- one slab ------------------------------------------------------------------------------------------------

/// How steps are cut into sub-windows. One engine does all in turn.
using WindowsInTurn = std::vector<Windows>;
inline const WindowsInTurn any_windows{{1}, {2}, {3}, {5}, {11}, {40}};
inline const WindowsInTurn halved_windows{{.count = 5, .halve_every = 2}};
inline const WindowsInTurn windows_in_intervals{{.count = 11, .halve_every = 3}};
/// For each of many systems.
inline const WindowsInTurn few_windows{{1}, {2}, {7}};

/// A suite for a kind of systems is a class of its own: the same tests for each search.
class SearchDifferential : public testing::TestWithParam<TestedSearch> {
  protected:
    /// Compares all in which the search takes its turn.
    void expect_bits(const std::vector<SolvedSystem>& systems, const WindowsInTurn& windows,
                     std::initializer_list<std::uint64_t> intervals = {0}) {
        for (const SolvedSystem& solved : systems)
            for (const std::uint64_t num_intervals : intervals) {
                const auto engine = solved_engine_for(solved.system, options_for(GetParam(), num_intervals));
                for (const Windows& steps : windows)
                    if (takes_turn(GetParam(), number_++)) {
                        EXPECT_EQ(first_difference(*engine, solved, steps), "")
                            << num_intervals << " intervals";
                    }
            }
    }
    /// Compares all, whether or not it is the search's turn.
    void expect_all_bits(const SolvedSystem& solved, const WindowsInTurn& windows) {
        const auto engine = solved_engine_for(solved.system, options_for(GetParam()));
        for (const Windows& steps : windows) EXPECT_EQ(first_difference(*engine, solved, steps), "");
    }

  private:
    std::size_t number_ = 0;  ///< of the comparison
};
inline std::string name_of_search(const testing::TestParamInfo<TestedSearch>& search) {
    return to_string(search.param);
}

/// With all searches, or with those whose turn it is.
inline void expect_bits_of_searches(const SolvedSystem& solved, const WindowsInTurn& windows = few_windows,
                                    std::optional<std::size_t> turn = {}) {
    for (const TestedSearch& search : searches) {
        if (turn && !takes_turn(search, *turn)) continue;
        const auto engine = solved_engine_for(solved.system, options_for(search));
        for (const Windows& steps : windows)
            EXPECT_EQ(first_difference(*engine, solved, steps), "") << to_string(search);
    }
}

using SolvedSeed = std::function<SolvedSystem(std::uint64_t seed)>;

inline std::vector<SolvedSystem> solve_seeds(std::uint64_t count, const SolvedSeed& solve_seed) {
    std::vector<SolvedSystem> solved;
    for (std::uint64_t seed = 0; seed < count; ++seed) solved.push_back(solve_seed(seed));
    return solved;
}

/// Thousands of systems, up to the first that fails.
inline void expect_bits_of_thousands(const SolvedSeed& solve_seed) {
    for (std::uint64_t seed = 1000; seed < 6000 && !testing::Test::HasFailure(); ++seed)
        expect_bits_of_searches(solve_seed(seed), few_windows, seed);
}

// --- ranks ---------------------------------------------------------------------------------------------------

inline const std::vector<int> any_ranks{1, 2, 3, 4, 5, 7};
inline const std::vector<int> up_to_five_ranks{1, 2, 3, 4, 5};

/// Runs on all of these numbers of ranks for which the system has slices.
inline void expect_bits_on_ranks(const SlabRun& expected, const System& system,
                                 const SlabRunSettings& settings,
                                 const std::vector<int>& rank_counts = any_ranks) {
    for (const int num_ranks : rank_counts) {
        if (num_ranks > slice_grid_of(system).num_slices()) continue;
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << system.name << " on " << num_ranks << " ranks";
        EXPECT_EQ(what_is_wrong_with_tethers(run.particles), "") << system.name;
    }
}
/// Those of the reference, or its error.
inline void expect_reference_on_ranks(const System& system, const SlabRunSettings& settings,
                                      const std::vector<int>& rank_counts = any_ranks) {
    expect_bits_on_ranks(run_reference_to_error(system, settings), system, settings, rank_counts);
}

/// For long enough to be left alone.
inline constexpr SeedRange long_seeds{1'000'000, 20'000};

/// The fuzz cases of these seeds; look(case, run of the reference) after each.
inline void expect_reference_of_seeds(
    FuzzCase (*case_of)(std::uint64_t), const SeedRange& seeds,
    const std::function<void(const FuzzCase&, const SlabRun&)>& look = [](const auto&, const auto&) {}) {
    for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
        const FuzzCase fuzz = case_of(seed);
        const SlabRun expected = run_reference_to_error(fuzz.system, fuzz.settings);
        const SlabRun run = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
        EXPECT_EQ(first_difference(expected, run), "") << "seed " << seed << ": " << fuzz.what;
        look(fuzz, expected);
    }
}

}  // namespace ricochet::test
