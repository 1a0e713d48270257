// SPDX-License-Identifier: BSD-3-Clause
//
// Texts about inputs, generated from the table of keys.
#pragma once

#include <string>
#include <string_view>

#include "config/config_table.hpp"

namespace ricochet {

/// The reference input: a complete, runnable input with a comment for every key, the alternatives commented
/// out. This is the text of inputs/all_options.yaml and the help on inputs.
std::string reference_input();

/// The reference of a key and of all keys below it. `key` is a path, with or without list marks
/// (species[].mass, species.0.mass, species.mass), or the last word of paths (mass). Throws InputError for an
/// unknown key, and names the nearest known one.
std::string describe_options(std::string_view key);

/// The JSON Schema of inputs, for editors. This is the text of inputs/ricochet.schema.json.
std::string input_schema();

namespace detail {

/// What a key means and may be, as one paragraph.
std::string explanation_of(const Option& option);

}  // namespace detail

}  // namespace ricochet
