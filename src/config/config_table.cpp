// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/config_rows.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

namespace {

using detail::texts_of;

std::string in_words(double limit) {
    return limit < 1e6 ? fmt::format("{}", limit) : fmt::format("{:.4g}", limit);
}

std::string number_in_range(const Range& range, std::string_view noun) {
    if (!std::isfinite(range.minimum)) return std::string(noun);
    const std::string minimum = in_words(range.minimum), maximum = in_words(range.maximum);
    if (!std::isfinite(range.maximum))
        return fmt::format("{} {} {}", noun, range.above_minimum ? ">" : ">=", minimum);
    if (range.above_minimum) return fmt::format("{} > {} and <= {}", noun, minimum, maximum);
    return fmt::format("{} from {} to {}", noun, minimum, maximum);
}

std::string one_of_words(const Option& option) { return detail::one_of(texts_of(option.words)); }

std::string one_number(const Option& option) {
    return number_in_range(option.range, option.kind == OptionKind::number ? "a number" : "an integer");
}

std::string all_words(const Option& option) {
    return fmt::format("{}", fmt::join(texts_of(option.words), ", "));
}

std::string or_words(const Option& option) {
    return option.words.empty() ? "" : " or " + one_of_words(option);
}

std::string section_below(const Option& option) {
    if (detail::keys_below(option.path).empty()) return "an empty section, {}";
    return fmt::format("a section with {}", fmt::join(detail::keys_below(option.path), ", "));
}

std::string expected_kind(const Option& option) {
    switch (option.kind) {
        case OptionKind::text:
            return "a text";
        case OptionKind::name:
            return "a name of letters, digits, _ . + -";
        case OptionKind::word:
            return one_of_words(option);
        case OptionKind::number:
        case OptionKind::integer:
            return one_number(option) + or_words(option);
        case OptionKind::integers:
            return number_in_range(option.range, "an integer") + ", or a list of two";
        case OptionKind::numbers:
            return fmt::format("a list of 2 or 3 {}", number_in_range(option.range, "numbers"));
        case OptionKind::words:
            return one_of_words(option) + ", or a list of them";
        case OptionKind::choices:
            return "a list of some of " + all_words(option);
        case OptionKind::subset:
            return "a list of none, some or all of " + all_words(option);
        case OptionKind::names:
            return "a list of two names";
        case OptionKind::products:
            return "a list of at most two names";
        case OptionKind::collisions:
            return one_of_words(option) + ", or a list of lists of two names";
        case OptionKind::spheres:
            return "the name of a file, or a list of lists of numbers, [x, y, z, radius]";
        case OptionKind::two_numbers:
            return fmt::format("a list of two {}", number_in_range(option.range, "numbers"));
        case OptionKind::points:
            return fmt::format("a list of at most {} lists of numbers, [x, y, z]", detail::most_points);
        case OptionKind::section:
            return section_below(option);
        case OptionKind::sections:
            return "a list of sections";
    }
    return {};
}

/// The rows of all subjects, one after the other.
std::vector<Option> all_rows() {
    std::vector<Option> all;
    for (const auto& rows : {rows::of_system(), rows::of_motion(), rows::of_run()})
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

}  // namespace

std::span<const Option> config_table() {
    static const std::vector<Option> table = all_rows();
    return table;
}

const Option* find_option(std::string_view path) {
    const auto table = config_table();
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.path == path; });
    return row == table.end() ? nullptr : &*row;
}

std::string expected_value(const Option& option) {
    std::string text = expected_kind(option);
    if (!detail::is_section(option) && !detail::keys_below(option.path).empty())
        text += " or " + section_below(option);
    return text;
}

std::string expected_item(const Option& option) {
    switch (option.kind) {
        case OptionKind::integers:
            return number_in_range(option.range, "an integer");
        case OptionKind::numbers:
        case OptionKind::two_numbers:
            return number_in_range(option.range, "a number");
        case OptionKind::words:
        case OptionKind::choices:
        case OptionKind::subset:
            return one_of_words(option);
        case OptionKind::products:
            return "a name of letters, digits, _ . + -";
        case OptionKind::spheres:
            return "a list of 4 numbers, in two dimensions of 3";
        case OptionKind::points:
            return "a list of 3 numbers, in two dimensions of 2";
        default:
            return "a list of two names";
    }
}

namespace detail {

std::string_view key_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::vector<const Option*> rows_below(std::string_view section) {
    std::vector<const Option*> rows;
    for (const Option& row : config_table()) {
        const std::size_t above = row.path.size() - key_of(row.path).size();  // with the dot
        if (above == (section.empty() ? 0 : section.size() + 1) && row.path.starts_with(section))
            rows.push_back(&row);
    }
    return rows;
}

std::vector<std::string_view> keys_below(std::string_view section) {
    std::vector<std::string_view> keys;
    for (const Option* row : rows_below(section)) keys.push_back(key_of(row->path));
    return keys;
}

std::vector<std::string_view> keys_of_group(std::string_view group) {
    std::vector<std::string_view> keys;
    for (const Option& row : config_table())
        if (row.group == group) keys.push_back(key_of(row.path));
    return keys;
}

const Option* option_of(std::string_view node_path) {
    std::string pattern;
    for (const std::string_view key : split(node_path, '.')) {
        const bool is_position = list_position(key).has_value();
        if (!is_position && !pattern.empty()) pattern += '.';
        pattern += is_position ? "[]" : key;
    }
    return find_option(pattern);
}

bool is_section(const Option& option) {
    return option.kind == OptionKind::section || option.kind == OptionKind::sections;
}

const Word* find_word(const Option& option, std::string_view text) {
    const auto found = std::find_if(option.words.begin(), option.words.end(),
                                    [&](const Word& candidate) { return candidate.word == text; });
    return found == option.words.end() ? nullptr : &*found;
}

std::vector<std::string_view> texts_of(std::span<const Word> words) {
    std::vector<std::string_view> texts;
    for (const Word& each : words) texts.push_back(each.word);
    return texts;
}

bool Condition::allows(std::string_view word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Condition::in_words() const {
    const std::span all(words);
    const std::string last(all.back());
    if (all.size() == 1) return fmt::format("{} {}", option->path, last);
    return fmt::format("{} {} or {}", option->path, fmt::join(all.first(all.size() - 1), ", "), last);
}

std::string one_of(const std::vector<std::string_view>& words) {
    return fmt::format("{}{}", words.size() == 1 ? "" : "one of ", fmt::join(words, ", "));
}

Condition parse_condition(std::string_view condition) {
    const std::size_t equals = condition.find('=');
    const Option* const option = find_option(condition.substr(0, equals));
    RICOCHET_CHECK(option != nullptr);
    return {option, split(condition.substr(equals + 1), '|')};
}

}  // namespace detail

}  // namespace ricochet
