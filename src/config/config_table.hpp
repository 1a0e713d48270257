// SPDX-License-Identifier: BSD-3-Clause
//
// The table of everything an input may say: one row per key, in config_rows_*.cpp. All else follows from these
// rows: the check of an input, the wording of its errors, the defaults, and the values in a Config. So do the
// effective input, the reference input, the JSON Schema and the help.
//
// To add a key, copy a row in config_rows_*.cpp and add its member to config.hpp. The row's `member` gives the
// place of the value; its type says what the value must be (config_member.hpp). A test checks that every row
// has help and an example.
//
// Paths have dots between keys, and [] after the name of a list of sections: species[].radius.lognormal.min.
// A row of a value may have rows below it: the value may then be a section instead (radius: 0.5, or
// radius: {lognormal: ...}).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_tree.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

enum class OptionKind : std::uint8_t {
    text,         ///< any scalar
    name,         ///< a scalar of letters, digits, _ . + -
    word,         ///< one of Option::words
    number,       ///< finite, in the range, or one of Option::words
    integer,      ///< exact, in the range, or one of Option::words
    integers,     ///< an integer in the range, or a list of two
    numbers,      ///< a list of two or three numbers in the range
    words,        ///< one of Option::words, or a list of them for two or three axes
    choices,      ///< a list of some of Option::words
    subset,       ///< a list of none, some or all of Option::words
    names,        ///< a list of two names
    products,     ///< a list of at most two names
    collisions,   ///< one of Option::words, or a list of lists of two names
    spheres,      ///< a text, or a list of lists of three or four numbers
    two_numbers,  ///< a list of two numbers in the range
    points,       ///< a list of lists of two or three numbers
    section,      ///< keys of its own
    sections      ///< a list of sections
};

struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool above_minimum = false;  ///< the minimum itself is outside

    bool contains(double value) const {
        return (above_minimum ? value > minimum : value >= minimum) && value <= maximum;
    }
};

struct Option;

/// The access of a row to its value. The owner is the Config, or the item of the list in the path
/// (species[].mass: the Species). Made by at<...> (config_member.hpp); functions may be null.
struct Member {
    std::string_view
        owner{};  ///< the type that owns the member (type_name, config_member.hpp); empty: no member
    std::string_view item{};  ///< the type of a list's items
    OptionKind kind = OptionKind::section;
    std::span<const Word> words{};
    /// Reads the value of a checked node; for a section, records that it exists.
    void (*read)(void* owner, const Option& row, const detail::TreeNode& node) = nullptr;
    /// The value as YAML; none where the input need not say it.
    std::optional<std::string> (*write)(const void* owner, const Option& row, const Config& config) = nullptr;
    /// For a list of sections: its items, and its items after a change of its size.
    std::vector<const void*> (*items)(const void* owner) = nullptr;
    std::vector<void*> (*resize)(void* owner, std::size_t size) = nullptr;
};

/// One row of the table. All texts have static storage.
struct Option {
    std::string_view path;
    Member member{};                ///< none: config_rules.cpp makes other values of this one
    OptionKind kind = member.kind;  ///< by the member's type
    Range range{};                  ///< of numbers; of a list of sections, of their number
    std::span<const Word> words = member.words;
    std::string_view unit{};              ///< dimension of the number: "length", "length^2/time"
    bool defaulted = false;               ///< a section that counts as present and empty when it is absent
    std::string_view fallback{};          ///< the default as YAML
    std::string_view otherwise{};         ///< what holds when the key is absent, in words
    std::string_view group{};             ///< exactly one key of a section's group is given
    std::string_view only_with{};         ///< "path=word" or "path=word|word": refused under other values
    std::string_view instead{};           ///< what to say under these other values, in words
    std::string_view needed_with{};       ///< the same form: required under these values
    std::string_view example = fallback;  ///< a value, as YAML, for the reference input
    bool may_change = false;              ///< when a run is continued from a checkpoint
    bool shown = true;                    ///< set in the reference input, otherwise commented out there
    std::string_view what{};              ///< a few words, also in errors
    std::string_view note{};              ///< more sentences, only in the reference

    /// A key must be given when its row says nothing about its absence. Below an absent section nothing is
    /// required, and nothing is filled in.
    constexpr bool is_required() const {
        return !defaulted && fallback.empty() && otherwise.empty() && group.empty() && needed_with.empty();
    }
};

/// The rows in the order of the reference and of the effective input; a section comes before its keys.
std::span<const Option> config_table();

/// The row of a path in the table's form; null when there is none.
const Option* find_option(std::string_view path);

namespace detail {

/// The last key of a path.
std::string_view key_of(std::string_view path);

/// The rows of the keys of one section, by its path in the table's form; of the top level for "".
std::vector<const Option*> rows_below(std::string_view section);

/// The keys of one section.
std::vector<std::string_view> keys_below(std::string_view section);

/// The keys of a group (Option::group).
std::vector<std::string_view> keys_of_group(std::string_view group);

/// The row for the path of a node. List positions match []: "species.0.name" has the row of "species[].name".
const Option* option_of(std::string_view node_path);

bool is_section(const Option& option);

/// The word of a row with this text; null when there is none.
const Word* find_word(const Option& option, std::string_view text);

/// The words of a row as texts.
std::vector<std::string_view> texts_of(std::span<const Word> words);

/// "one of a, b", or the only word.
std::string one_of(const std::vector<std::string_view>& words);

/// The row and the words of a condition "path=word|word".
struct Condition {
    const Option* option;
    std::vector<std::string_view> words;

    bool allows(std::string_view word) const;
    std::string in_words() const;  ///< "path word or word"
};
Condition parse_condition(std::string_view condition);

}  // namespace detail

/// What a key's value must be: "a number > 0", "one of auto, cells, slices, all_pairs".
std::string expected_value(const Option& option);

/// The same for one item of a list.
std::string expected_item(const Option& option);

}  // namespace ricochet
