// SPDX-License-Identifier: BSD-3-Clause
//
// The searches of the tests, from the registry: all tests that go through searches ask of a new one what they ask
// of the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ricochet/search/search_method.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {

/// A search in one of the loops in which it works.
struct TestedSearch {
    SearchMethod method = SearchMethod::automatic;
    SearchLoop loop = SearchLoop::automatic;
};
/// As in the input; with a note where the loop is not the method's own.
inline std::string to_string(const TestedSearch& search) {
    return std::string(to_string(search.method)) + (search.loop == SearchLoop::queue ? "_in_queue" : "");
}

/// Searches for whole steps that have a kinetic structure as well (src/kinetic/engine_choice.cpp).
inline constexpr std::array kinetic_too{search_named("all_pairs"), search_named("spatial_tree"),
                                        search_named("sweep_and_prune")};

/// All that are registered, and again those that have two forms.
inline constexpr auto searches = [] {
    std::array<TestedSearch, registered_searches.size() + kinetic_too.size()> all{};
    std::size_t count = 0;
    for (const RegisteredSearch& search : registered_searches) all[count++] = {search_named(search.word)};
    for (const SearchMethod search : kinetic_too) all[count++] = {search, SearchLoop::queue};
    return all;
}();
/// Those that name candidates for a whole step.
inline constexpr auto step_searches = [] {
    constexpr auto count =
        std::count_if(registered_searches.begin(), registered_searches.end(),
                      [](const RegisteredSearch& search) { return search.names_candidates; });
    std::array<SearchMethod, static_cast<std::size_t>(count)> those{};
    std::size_t k = 0;
    for (const RegisteredSearch& search : registered_searches)
        if (search.names_candidates) those[k++] = search_named(search.word);
    return those;
}();
/// Those of `searches` for more than a few hundred particles.
inline constexpr auto fast_searches = [] {
    constexpr auto is_fast = [](const TestedSearch& search) {
        return search.method != search_named("all_pairs");
    };
    constexpr auto count = std::count_if(searches.begin(), searches.end(), is_fast);
    std::array<TestedSearch, static_cast<std::size_t>(count)> fast{};
    std::copy_if(searches.begin(), searches.end(), fast.begin(), is_fast);
    return fast;
}();
/// All, and the choice among them.
inline constexpr auto search_choices = [] {
    std::array<TestedSearch, searches.size() + 1> choices{};
    std::copy(searches.begin(), searches.end(), choices.begin());
    return choices;  // the last is automatic
}();

/// Whether a search takes part in a costly comparison, by the comparison's number. The first search always does, under
/// sanitizers in one of four; the others take turns, two at a time: all of them together cost what three would.
constexpr bool takes_turn(const TestedSearch& search, std::size_t number) {
    constexpr std::size_t at_a_time = 2, num_others = searches.size() - 1;
    std::size_t own = 0;
    while (searches[own].method != search.method || searches[own].loop != search.loop) ++own;
    const std::uint64_t scattered = (std::uint64_t{number} * 0x9e3779b97f4a7c15u) >> 32;
    if (own == 0) return !is_sanitized || scattered % 4 == 0;
    return (scattered + own) % num_others < at_a_time;
}

}  // namespace ricochet::test
