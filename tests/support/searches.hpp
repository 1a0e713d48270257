// SPDX-License-Identifier: BSD-3-Clause
//
// The searches of the tests, from the registry: all tests that go through searches ask of a new one what they ask
// of the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ricochet/search/search_method.hpp"

namespace ricochet::test {

/// All that are registered.
inline constexpr auto searches = [] {
    std::array<SearchMethod, registered_searches.size()> all{};
    std::transform(registered_searches.begin(), registered_searches.end(), all.begin(),
                   [](const RegisteredSearch& search) { return search_named(search.word); });
    return all;
}();
/// Those of them that name candidates for a whole step.
inline constexpr auto step_searches = [] {
    constexpr auto count = std::count_if(searches.begin(), searches.end(),
                                         [](SearchMethod search) { return has_step_search(search); });
    std::array<SearchMethod, static_cast<std::size_t>(count)> those{};
    std::copy_if(searches.begin(), searches.end(), those.begin(),
                 [](SearchMethod search) { return has_step_search(search); });
    return those;
}();
/// Those of them for more than a few hundred particles.
inline constexpr auto fast_searches = [] {
    std::array<SearchMethod, registered_searches.size() - 1> fast{};
    std::copy_if(searches.begin(), searches.end(), fast.begin(),
                 [](SearchMethod search) { return search != search_named("all_pairs"); });
    return fast;
}();
/// All, and the choice among them.
inline constexpr auto search_choices = [] {
    std::array<SearchMethod, registered_searches.size() + 1> choices{};
    std::copy(searches.begin(), searches.end(), choices.begin());
    return choices;  // the last is SearchMethod::automatic, whose value is 0
}();

/// Whether a search takes part in a costly comparison, by the comparison's number. The first search always does, the
/// others take turns, two at a time: all of them together cost what three would.
constexpr bool takes_turn(SearchMethod search, std::size_t number) {
    constexpr std::size_t at_a_time = 2, num_others = registered_searches.size() - 1;
    if (search == searches[0]) return true;
    const std::uint64_t scattered = (std::uint64_t{number} * 0x9e3779b97f4a7c15u) >> 32;
    return (scattered + static_cast<std::size_t>(search)) % num_others < at_a_time;
}

}  // namespace ricochet::test
