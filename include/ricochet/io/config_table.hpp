// SPDX-License-Identifier: BSD-3-Clause
//
// The table of everything an input may say: one row per key. The check of an input, the wording of its
// errors, the defaults, the reference input and the help all come from these rows and from nothing else. To
// add a key, add its row to the src/io/config_rows_*.hpp of its section, its member in config.hpp and its
// line in config_build.cpp and config_effective.cpp. A test walks the table and fails when one is missing.
//
// Paths have dots between keys, and [] after the name of a list of sections: species[].radius.lognormal.min.
// A row of a value may have rows below it: the value may then be a section instead (radius: 0.5, or
// radius: {lognormal: ...}).
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace ricochet {

enum class OptionKind {
    text,        ///< any scalar
    name,        ///< a scalar of letters, digits, _ . + -
    word,        ///< one of Option::words
    number,      ///< finite, in the range
    integer,     ///< exact, in the range, or one of Option::words
    numbers,     ///< a list of two or three numbers in the range
    words,       ///< one of Option::words, or a list of them
    names,       ///< a list of two names
    collisions,  ///< one of Option::words, or a list of lists of two names
    section,     ///< keys of its own
    sections     ///< a list of sections
};

struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool above_minimum = false;  ///< the minimum itself is outside
};

/// What happens when a key is not given. A value with a fallback is defaulted, whatever stands here; a
/// defaulted section is as if it were there and empty. Below an absent, optional section nothing is filled
/// in.
enum class Presence { required, defaulted, optional };

/// All texts are of static storage.
struct Option {
    std::string_view path;
    OptionKind kind = OptionKind::section;
    Range range{};
    std::string_view words{};  ///< separated by spaces; their order is that of the enumeration behind them
    std::string_view unit{};   ///< dimension of the number: "length", "length^2/time"
    Presence presence = Presence::optional;
    std::string_view fallback{};     ///< the default as YAML
    std::string_view otherwise{};    ///< what holds when an optional key is absent, in words
    std::string_view group{};        ///< exactly one key of a section's group is given
    std::string_view only_with{};    ///< "path=word" or "path=word|word": refused under other values
    std::string_view needed_with{};  ///< the same form: required under these values
    std::string_view example{};      ///< a value, as YAML, for the reference input
    bool may_change = false;         ///< when a run is continued from a checkpoint
    bool shown = true;               ///< set in the reference input, otherwise commented out there
    std::string_view what{};         ///< a few words, also in errors
    std::string_view note{};         ///< more sentences, only in the reference
};

/// The rows in the order of the reference input; a section comes before its keys.
std::span<const Option> config_table();

/// The row of a path in the table's form; null when there is none.
const Option* find_option(std::string_view path);

/// What a key's value must be: "a number > 0", "one of auto, cells, slices, all_pairs".
std::string expected_value(const Option& option);

/// The same for one item of a list.
std::string expected_item(const Option& option);

/// The reference input: a complete, runnable input with a comment for every key, the alternatives commented
/// out. This is the text of inputs/all_options.yaml and the help on inputs.
std::string reference_input();

/// The reference of a key and of all keys below it. `key` is a path, with or without list marks
/// (species[].mass, species.0.mass, species.mass), or the last word of one or several paths (mass). Throws
/// InputError for a key that no input has, with the nearest that there is.
std::string describe_options(std::string_view key);

}  // namespace ricochet
