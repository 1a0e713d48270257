// SPDX-License-Identifier: BSD-3-Clause
//
// The searches of the tests, from the registry: all tests that go through searches ask of a new one what they ask
// of the others.
#pragma once

#include <algorithm>
#include <array>

#include "ricochet/search/search_method.hpp"

namespace ricochet::test {

/// All that are registered.
inline constexpr auto searches = [] {
    std::array<SearchMethod, registered_searches.size()> all{};
    std::transform(registered_searches.begin(), registered_searches.end(), all.begin(),
                   [](const RegisteredSearch& search) { return search_named(search.word); });
    return all;
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

}  // namespace ricochet::test
