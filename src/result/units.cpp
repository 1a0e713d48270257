// SPDX-License-Identifier: BSD-3-Clause
#include "result/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 4> velocities_of_mdanalysis{"nm ns-1", "nm ps-1", "Angstrom ps-1",
                                                                   "pm ps-1"};

/// The word for a dimension; the dimension's own name where the input states no unit.
std::string word_for(std::span<const NamedText> units, const std::string& dimension) {
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const NamedText& unit) { return unit.name == dimension; });
    return found == units.end() || found->text == "unstated" ? dimension : found->text;
}

/// In parentheses unless it is one word, so that a power behind it holds for all of it.
std::string as_factor(const std::string& word) {
    const bool is_one_word = std::all_of(word.begin(), word.end(),
                                         [](unsigned char c) { return std::isalnum(c) != 0 || c > 127; });
    return is_one_word ? word : "(" + word + ")";
}

std::string known_length(const std::string& word) {
    return word == "A" || word == "angstrom" ? "Angstrom" : word;
}

}  // namespace

std::optional<FrameUnits> frame_units(std::span<const NamedText> units) {
    const std::string length = known_length(word_for(units, "length")), time = word_for(units, "time");
    const std::string velocity = length + " " + time + "-1";
    const auto& known = velocities_of_mdanalysis;
    if (std::find(known.begin(), known.end(), velocity) == known.end()) return std::nullopt;
    return FrameUnits{length, time, velocity};
}

std::vector<std::string> collision_units(std::span<const NamedText> units, bool has_outcomes) {
    const std::string length = as_factor(word_for(units, "length"));
    const std::string time = as_factor(word_for(units, "time"));
    const std::string energy = as_factor(word_for(units, "energy"));
    const std::string velocity = length + " " + time + "-1";
    const std::string impulse = energy + " " + time + " " + length + "-1";
    // step, time, generation, a, b, species_a, species_b, point, normal, impulse, speed
    std::vector<std::string> words{"1", word_for(units, "time"),   "1", "1",     "1",     "1",
                                   "1", word_for(units, "length"), "1", impulse, velocity};
    constexpr std::size_t num_outcome_fields = 4;  // rule, outcome, product_a, product_b
    if (has_outcomes) words.resize(words.size() + num_outcome_fields, "1");
    return words;
}

}  // namespace ricochet
