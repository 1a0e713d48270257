// SPDX-License-Identifier: BSD-3-Clause
//
// Checks the tree of an input against the table of keys. It finds unknown, repeated and missing keys, values
// of the wrong kind or out of range, and keys without meaning beside others.
//
// Every error becomes an issue. A bad value is marked invalid in the tree; rules that tie keys together skip
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_table.hpp"
#include "config/config_tree.hpp"

namespace ricochet::detail {

/// Checks the tree and fills the defaults into it.
void check_tree(TreeNode& root, Issues& issues);

/// A finite decimal number (0.1, 1e-3, +2); none for anything else. Independent of the locale.
std::optional<double> parse_number(std::string_view text);

/// A non-negative integer, also in a form like 1e6 where that is exact; none for anything else.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// Whether a condition holds in the tree. An absent key has its default. None when the value there is in
/// error.
std::optional<bool> condition_holds(const TreeNode& root, const Condition& condition);

/// The condition "path=word|word" in words: "path word or word".
std::string condition_in_words(std::string_view condition);

/// ", did you mean x?" for the candidate nearest to a misspelt word; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ricochet::detail
