// SPDX-License-Identifier: BSD-3-Clause
//
// The reference input has a comment above each key. Alternatives are commented out ("#" directly before the
// key), at the depth that they would have. For a single key the same sentences are printed without the file
// around them.
#include "config/config_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/config_check.hpp"
#include "core/readable.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

using detail::is_section;
using detail::key_of;

constexpr std::string_view head =
    "# Every key that an input may have, with its default. This file is a complete input and runs; it is "
    "made from\n"
    "# the table that also checks inputs, so it cannot be out of date. Lines that begin with # directly "
    "before a\n"
    "# key are alternatives.\n"
    "#\n"
    "# What it runs: 573 equal hard spheres at volume fraction 0.3 in a periodic box, a few collisions "
    "each.\n"
    "# What to look for: a pressure pV/NkT near 4 in the observables, energy constant to rounding.\n";

std::string with_capital(std::string_view text) {
    std::string sentence(text);
    const bool is_symbol = sentence.size() > 1 && sentence[1] == '_';
    if (!is_symbol && sentence[0] >= 'a' && sentence[0] <= 'z')
        sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    return sentence;
}

/// The row above, where that is a value (radius: 0.5) that a section may replace.
const Option* value_above(const Option& option) {
    const std::size_t dot = option.path.rfind('.');
    const Option* above = dot == std::string_view::npos ? nullptr : find_option(option.path.substr(0, dot));
    return above != nullptr && !is_section(*above) ? above : nullptr;
}

std::string presence_in_words(const Option& option) {
    std::string text;
    if (!option.only_with.empty())
        text += fmt::format(" Only with {}.", detail::parse_condition(option.only_with).in_words());
    if (!option.group.empty())
        text += fmt::format(" Exactly one of {}.", fmt::join(detail::keys_of_group(option.group), ", "));
    if (!option.needed_with.empty())
        text += fmt::format(" Required with {}.", detail::parse_condition(option.needed_with).in_words());
    if (value_above(option) != nullptr)
        text += " In place of the value.";
    else if (option.is_required())
        text += " Required.";
    if (!option.fallback.empty()) text += fmt::format(" Default: {}.", option.fallback);
    if (!option.otherwise.empty()) text += fmt::format(" Default: {}.", option.otherwise);
    if (option.may_change) text += " May change when a run is continued.";
    return text;
}

std::string key_line(const Option& option) {
    const std::string key(key_of(option.path));
    return option.example.empty() ? key + ":" : fmt::format("{}: {}", key, option.example);
}

std::string entries_below(std::string_view section, const std::string& before);

/// A key and the keys below it, each line behind `before`. The first key of a list's item has a dash.
std::string entry_of(const Option& option, const std::string& before, bool is_first_of_item) {
    std::string text = in_lines(detail::explanation_of(option), before + "# ");
    std::string start = before + (option.shown ? "" : "#");
    if (const Option* value = value_above(option)) {
        text += fmt::format("{}{}:\n", start, key_of(value->path));
        start += "  ";
    }
    std::string line = start + key_line(option);
    if (is_first_of_item) line.at(before.size() - 2) = '-';
    text += line + '\n';
    if (option.kind == OptionKind::sections)
        return text + entries_below(std::string(option.path) + "[]", start + "    ");
    return text + entries_below(option.path, is_section(option) ? start + "  " : before);
}

std::string entries_below(std::string_view section, const std::string& before) {
    std::string text;
    const std::vector<const Option*> rows = detail::rows_below(section);
    for (const Option* row : rows) {
        const bool is_first_of_item = section.ends_with("[]") && row == rows.front();
        if (section.empty()) text += '\n';
        text += entry_of(*row, before, is_first_of_item);
    }
    return text;
}

/// The path without list marks and positions: species.radius for species[].radius and species.0.radius.
std::string plain(std::string_view path) {
    std::string text;
    for (const std::string_view part : detail::split(path, '.')) {
        if (detail::list_position(part)) continue;
        text += fmt::format("{}{}", text.empty() ? "" : ".", part.substr(0, part.find("[]")));
    }
    return text;
}

bool is_within(std::string_view path, std::string_view outer) {
    return path.starts_with(outer) && (path.size() == outer.size() || path[outer.size()] == '.');
}

/// Plain paths of the rows that `key` may mean: a whole path, or else all paths that end with it.
std::vector<std::string> paths_named(const std::string& key) {
    std::vector<std::string> whole, last;
    for (const Option& row : config_table()) {
        const std::string path = plain(row.path);
        if (path == key) whole.push_back(path);
        if (path.ends_with("." + key)) last.push_back(path);
    }
    return whole.empty() ? last : whole;
}

[[noreturn]] void refuse_key(std::string_view key) {
    std::vector<std::string> paths;
    for (const Option& row : config_table()) paths.push_back(plain(row.path));
    std::vector<std::string_view> candidates(paths.begin(), paths.end());
    for (const Option& row : config_table()) candidates.push_back(key_of(row.path));
    const std::string guess = detail::did_you_mean(plain(key), candidates);
    const detail::TreeNode named{
        .kind = detail::TreeNode::Kind::scalar, .text = std::string(key), .quoted = true};
    throw InputError(fmt::format("{}: unknown key{}", detail::describe(named),
                                 guess.empty() ? "; ricochet options lists all keys" : guess));
}

std::string description_of(const Option& option) {
    std::string text = detail::explanation_of(option);
    if (!option.example.empty()) text += fmt::format(" Example: {}.", option.example);
    return fmt::format("{}\n{}", option.path, in_lines(text, "    "));
}

}  // namespace

std::string detail::explanation_of(const Option& option) {
    std::string text = with_capital(option.what);
    if (!is_section(option)) text += ": " + expected_value(option);
    if (!option.unit.empty()) text += fmt::format(", in units of {}", option.unit);
    text += '.' + presence_in_words(option);
    for (const Word& each : option.words)
        if (!each.help.empty()) text += fmt::format(" {}: {}.", each.word, each.help);
    if (!option.note.empty()) text += fmt::format(" {}", option.note);
    return text;
}

std::string describe_options(std::string_view key) {
    const std::vector<std::string> wanted = paths_named(plain(key));
    if (wanted.empty()) refuse_key(key);
    std::string text;
    for (const Option& row : config_table()) {
        const std::string path = plain(row.path);
        const auto holds = [&](const std::string& outer) { return is_within(path, outer); };
        if (std::any_of(wanted.begin(), wanted.end(), holds)) text += description_of(row);
    }
    return text;
}

std::string reference_input() { return std::string(head) + entries_below("", ""); }

}  // namespace ricochet
