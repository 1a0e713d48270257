// SPDX-License-Identifier: BSD-3-Clause
//
// Values of an input: texts into numbers and words, the wording of what was expected, guesses at misspelt
// words.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "io/config_check.hpp"

namespace ricochet {

namespace {

using detail::split_words;

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

std::string one_of(std::string_view words) {
    const auto list = split_words(words);
    return list.size() == 1 ? std::string(list[0]) : fmt::format("one of {}", fmt::join(list, ", "));
}

/// The keys of the sections that may stand in place of a value: "lognormal".
std::string section_keys(const Option& option) {
    std::string keys;
    for (const Option& row : config_table()) {
        if (!row.path.starts_with(option.path) || row.path.size() == option.path.size()) continue;
        const std::string_view below = row.path.substr(option.path.size());
        if (below[0] != '.' || below.find('.', 1) != std::string_view::npos) continue;
        keys += keys.empty() ? std::string(below.substr(1)) : fmt::format(", {}", below.substr(1));
    }
    return keys;
}

std::string expected_kind(const Option& option) {
    switch (option.kind) {
        case OptionKind::text:
            return "a text";
        case OptionKind::name:
            return "a name of letters, digits, _ . + -";
        case OptionKind::word:
            return one_of(option.words);
        case OptionKind::number:
            return number_in_range(option.range, "a number");
        case OptionKind::integer:
            return number_in_range(option.range, "an integer") +
                   (option.words.empty() ? "" : fmt::format(" or {}", option.words));
        case OptionKind::numbers:
            return fmt::format("a list of 2 or 3 {}", number_in_range(option.range, "numbers"));
        case OptionKind::words:
            return fmt::format("{}, or a list of them", one_of(option.words));
        case OptionKind::names:
            return "a list of two names";
        case OptionKind::collisions:
            return fmt::format("{}, or a list of lists of two names", one_of(option.words));
        case OptionKind::section:
            return fmt::format("a section with {}", section_keys(option));
        case OptionKind::sections:
            return "a list of sections";
    }
    return {};
}

/// Edits (insert, delete, replace, swap neighbours) that turn a into b; at most 64 characters are looked at.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    a = a.substr(0, 64);
    b = b.substr(0, 64);
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::string expected_value(const Option& option) {
    std::string text = expected_kind(option);
    if (option.kind != OptionKind::section && option.kind != OptionKind::sections)
        if (const std::string keys = section_keys(option); !keys.empty())
            text += fmt::format(" or a section with {}", keys);
    return text;
}

std::string expected_item(const Option& option) {
    switch (option.kind) {
        case OptionKind::numbers:
            return number_in_range(option.range, "a number");
        case OptionKind::words:
            return one_of(option.words);
        default:
            return "a list of two names";
    }
}

namespace detail {

std::optional<double> parse_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || last != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && last == end) return value;
    const auto number = parse_number(text);
    if (!number || *number < 0 || *number > 0x1p53 || *number != std::floor(*number)) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
}

std::vector<std::string_view> split_words(std::string_view words) {
    std::vector<std::string_view> list;
    while (!words.empty()) {
        const std::size_t space = std::min(words.find(' '), words.size());
        list.push_back(words.substr(0, space));
        words.remove_prefix(std::min(space + 1, words.size()));
    }
    return list;
}

std::optional<std::size_t> word_position(const Option& option, std::string_view word) {
    const auto words = split_words(option.words);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) return std::nullopt;
    return static_cast<std::size_t>(found - words.begin());
}

std::string condition_in_words(std::string_view condition) {
    std::string words;
    for (const char c : condition) {
        if (c == '|')
            words += " or ";
        else
            words += c == '=' ? ' ' : c;
    }
    return words;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    std::size_t least = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best.empty() ? "" : fmt::format(", did you mean {}?", best);
}

}  // namespace detail

}  // namespace ricochet
