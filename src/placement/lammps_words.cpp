// SPDX-License-Identifier: BSD-3-Clause
#include "placement/lammps_words.hpp"

#include <array>
#include <string>

#include "placement/text_lines.hpp"

namespace ricochet {

namespace {

struct UnitStyle {
    std::string_view name, length, time;
};

constexpr std::array<UnitStyle, 7> unit_styles{{{"real", "Angstrom", "fs"},
                                                {"metal", "Angstrom", "ps"},
                                                {"si", "m", "s"},
                                                {"cgs", "cm", "s"},
                                                {"electron", "Bohr", "fs"},
                                                {"micro", "um", "us"},
                                                {"nano", "nm", "ns"}}};

bool is_boundary(std::string_view word) {
    return word.size() == 2 && word.find_first_not_of("pfsm") == std::string_view::npos;
}

}  // namespace

std::vector<StatedUnit> lammps_units(std::string_view style) {
    for (const UnitStyle& known : unit_styles)
        if (known.name == style)
            return {{"length", std::string(known.length)}, {"time", std::string(known.time)}};
    return {};
}

StatedBoundary lammps_boundary(std::string_view words) {
    std::vector<TextValue> values;
    split_line(words, blanks, values);
    StatedBoundary boundary{"BOX BOUNDS"};
    for (const TextValue& value : values) {
        if (!is_boundary(value.text)) continue;  // xy xz yz of a skew box
        if (!boundary.words.empty()) boundary.words += ' ';
        boundary.words += value.text;
        boundary.is_periodic_at.push_back(value.text == "pp");
    }
    return boundary;
}

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

bool is_data_section(std::string_view line) {
    const std::string_view content = without_comment(line);
    return !content.empty() && content.front() >= 'A' && content.front() <= 'Z' &&
           content.find_first_of("0123456789") == std::string_view::npos;
}

}  // namespace ricochet
