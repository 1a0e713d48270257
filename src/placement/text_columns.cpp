// SPDX-License-Identifier: BSD-3-Clause
#include "placement/text_columns.hpp"

#include <array>

#include "placement/text_lines.hpp"

namespace ricochet {

namespace {

struct KnownColumn {
    std::string_view name;
    ColumnUse use;
    int axis = 0;
};

constexpr std::array<KnownColumn, 10> known_columns{{{"id", ColumnUse::id},
                                                     {"vx", ColumnUse::velocity, 0},
                                                     {"vy", ColumnUse::velocity, 1},
                                                     {"vz", ColumnUse::velocity, 2},
                                                     {"ix", ColumnUse::image, 0},
                                                     {"iy", ColumnUse::image, 1},
                                                     {"iz", ColumnUse::image, 2},
                                                     {"radius", ColumnUse::radius},
                                                     {"diameter", ColumnUse::diameter},
                                                     {"mass", ColumnUse::mass}}};

}  // namespace

TextColumn column_named(std::string_view name) {
    for (const KnownColumn& known : known_columns)
        if (same_word(known.name, name)) return {known.use, known.axis, std::string(name)};
    return {ColumnUse::ignored, 0, std::string(name)};
}

Field field_of(const TextColumn& column) {
    switch (column.use) {
        case ColumnUse::species:
        case ColumnUse::type:
        case ColumnUse::element:
            return Field::species;
        case ColumnUse::position:
        case ColumnUse::scaled_position:
            return static_cast<Field>(static_cast<int>(Field::x) + column.axis);
        case ColumnUse::velocity:
            return static_cast<Field>(static_cast<int>(Field::vx) + column.axis);
        case ColumnUse::radius:
        case ColumnUse::diameter:
            return Field::radius;
        case ColumnUse::mass:
        case ColumnUse::density:
            return Field::mass;
        default:
            return Field::id;
    }
}

std::string name_of(const TextColumn& column) {
    if (column.use == ColumnUse::image) return std::string("i") + "xyz"[column.axis];
    if (column.use == ColumnUse::type) return "type";
    if (column.use == ColumnUse::diameter) return "diameter";
    if (column.use == ColumnUse::density) return "density";
    return std::string(to_string(field_of(column)));
}

}  // namespace ricochet
