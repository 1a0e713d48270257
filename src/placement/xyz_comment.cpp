// SPDX-License-Identifier: BSD-3-Clause
#include "placement/xyz_comment.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/text.hpp"
#include "placement/text_lines.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

constexpr std::string_view white_space = " \t\r", opening = "\"'{[", closing = "\"'}]";

/// Where the value that begins here ends: behind the character that closes it, which may be nested, or before the word
/// with the next '='.
std::size_t end_of_pair(std::string_view comment, std::size_t begin) {
    const std::size_t kind = begin < comment.size() ? opening.find(comment[begin]) : std::string_view::npos;
    if (kind == std::string_view::npos) {
        const std::size_t next = comment.find('=', begin);
        if (next == std::string_view::npos) return comment.size();
        const std::size_t key_end = comment.find_last_not_of(" \t\r=", next);
        const std::size_t blank = comment.find_last_of(white_space, key_end);
        return blank == std::string_view::npos || blank < begin ? next : blank;
    }
    int depth = 1;
    for (std::size_t k = begin + 1; k < comment.size(); ++k) {
        if (comment[k] == closing[kind])
            --depth;
        else if (comment[k] == opening[kind])
            ++depth;
        if (depth == 0) return k + 1;
    }
    return comment.size();
}

std::string_view without_enclosure(std::string_view value) {
    if (value.empty()) return value;
    const std::size_t kind = opening.find(value.front());
    if (kind == std::string_view::npos) return value;
    value.remove_prefix(1);
    if (!value.empty() && value.back() == closing[kind]) value.remove_suffix(1);
    return value;
}

/// The words of a list, which commas and brackets may separate too.
std::vector<std::string> words_of(std::string_view text) {
    std::string plain(text);
    std::replace_if(
        plain.begin(), plain.end(),
        [](char c) { return std::string_view(",[]{}").find(c) != std::string_view::npos; }, ' ');
    std::vector<TextValue> values;
    split_line(plain, blanks, values);
    std::vector<std::string> words;
    words.reserve(values.size());
    for (const TextValue& value : values) words.emplace_back(value.text);
    return words;
}

std::vector<double> numbers_of(std::string_view text, const std::string& place, std::string_view key) {
    std::vector<double> numbers;
    for (const std::string& word : words_of(text)) {
        const auto number = real_number(word);
        if (!number) throw InputError(text_of(place, key, ": got ", excerpt(word), ", expected a number"));
        numbers.push_back(*number);
    }
    return numbers;
}

StatedBoundary boundary_of(std::string_view comment, const std::string& place) {
    const auto value = xyz_value(comment, "pbc");
    if (!value) return {};
    StatedBoundary boundary{"pbc", std::string(*value)};
    for (const std::string& word : words_of(*value)) {
        const auto is = [&](std::string_view known) { return same_word(word, known); };
        const bool is_true = is("T") || is("true") || is("1"), is_false = is("F") || is("false") || is("0");
        if (!is_true && !is_false)
            throw InputError(text_of(place, "pbc: got ", excerpt(word), ", expected T or F for each axis"));
        boundary.is_periodic_at.push_back(is_true);
    }
    if (boundary.is_periodic_at.size() == 1) boundary.is_periodic_at.resize(3, boundary.is_periodic_at[0]);
    return boundary;
}

}  // namespace

std::optional<std::string_view> xyz_value(std::string_view comment, std::string_view key) {
    for (std::size_t begin = 0; begin < comment.size();) {
        begin = comment.find_first_not_of(white_space, begin);
        if (begin == std::string_view::npos) break;
        const std::size_t name_end = std::min(comment.find_first_of("= \t\r", begin), comment.size());
        const std::string_view name = comment.substr(begin, name_end - begin);
        begin = std::min(comment.find_first_not_of(white_space, name_end), comment.size());
        if (begin == comment.size() || comment[begin] != '=') continue;
        begin = std::min(comment.find_first_not_of(white_space, begin + 1), comment.size());
        const std::size_t end = std::max(begin, end_of_pair(comment, begin));
        if (same_word(name, key)) return without_enclosure(trimmed(comment.substr(begin, end - begin)));
        begin = end;
    }
    return std::nullopt;
}

std::optional<StatedBox> xyz_box(std::string_view comment, const std::string& place) {
    StatedBox box{"Lattice", {}};
    auto lattice = xyz_value(comment, box.name);
    if (!lattice) lattice = xyz_value(comment, box.name = "cell");
    if (lattice) box.edges = numbers_of(*lattice, place, box.name);
    if (lattice && box.edges.size() != 9 && box.edges.size() != 3)
        throw InputError(text_of(place, box.name, ": got ", box.edges.size(),
                                 " numbers, expected 9, or 3 edges of a rectangular box"));
    if (box.edges.size() == 9) {
        for (const std::size_t k : {1u, 2u, 3u, 5u, 6u, 7u}) box.is_skew = box.is_skew || box.edges[k] != 0;
        box.edges = {box.edges[0], box.edges[4], box.edges[8]};
    }
    if (box.edges == std::vector<double>(3, 0.0)) box.edges.clear();  // ASE's word for none
    if (const auto origin = xyz_value(comment, "Origin"); origin && !box.edges.empty()) {
        const std::vector<double> corner = numbers_of(*origin, place, "Origin");
        for (std::size_t k = 0; k < std::min<std::size_t>(3, corner.size()); ++k)
            box.origin[static_cast<int>(k)] = corner[k];
    }
    box.boundary = boundary_of(comment, place);
    if (box.edges.empty() && !box.is_skew && box.boundary.is_periodic_at.empty()) return std::nullopt;
    return box;
}

std::vector<StatedUnit> xyz_units(std::string_view comment) {
    std::vector<StatedUnit> units;
    for (const std::string name : {"length", "time", "energy"})
        if (const auto word = xyz_value(comment, name + "_unit")) units.push_back({name, std::string(*word)});
    return units;
}

}  // namespace ricochet
