// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of an input against the table: unknown and repeated keys, missing ones, values of the wrong kind
// or out of range, keys without meaning beside others. Every error becomes an issue; a bad value is marked
// invalid in the tree, so that the rules that tie keys together can leave it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/config_tree.hpp"
#include "ricochet/io/config_table.hpp"

namespace ricochet::detail {

/// Checks the tree and fills the defaults into it.
void check_tree(TreeNode& root, Issues& issues);

/// A finite decimal number (0.1, 1e-3, +2); none for anything else. Independent of the locale.
std::optional<double> parse_number(std::string_view text);

/// A non-negative integer, also in a form like 1e6 where that is exact; none for anything else.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// The parts between single spaces.
std::vector<std::string_view> split_words(std::string_view words);

/// The position of a word in a row's words; none when it is not among them.
std::optional<std::size_t> word_position(const Option& option, std::string_view word);

/// The row for the path of a node: list positions stand for [], "species.0.name" for "species[].name".
const Option* option_of(std::string_view node_path);

/// Whether "path=word|word" holds in the tree, by the default where the key is absent; none when the value
/// there is itself in error.
std::optional<bool> condition_holds(const TreeNode& root, std::string_view condition);

/// "path=word|word" as "path word or word".
std::string condition_in_words(std::string_view condition);

/// ", did you mean x?" for the candidate nearest to a misspelt word; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ricochet::detail
