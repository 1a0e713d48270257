// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of text formats: what a value is. The formats differ in how they name their columns; the names that tables
// and dumps share stand here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "placement/particle_table.hpp"

namespace ricochet {

/// The meaning of a column. Those with an axis follow each other as x, y, z.
enum class ColumnUse : std::uint8_t {
    ignored,
    id,
    id_from_1,  ///< as LAMMPS counts: one more than ours
    species,    ///< by name
    type,       ///< number of the species, from 1; in a file with names of types also such a name
    element,    ///< name of the species beside a type, which it overrides
    position,
    scaled_position,  ///< as a part of the box, counted from its lowest corner
    velocity,
    image,
    radius,
    diameter,
    mass,
    density  ///< mass per volume of a sphere; its radius stands before it
};

struct TextColumn {
    ColumnUse use = ColumnUse::ignored;
    int axis = 0;
    std::string name =
        {};  ///< in the file, for the note on columns that are left out; empty: it is not named there
};

/// vx, vy, vz, ix, iy, iz, id, radius, diameter and mass, in upper or lower case; ignored otherwise.
TextColumn column_named(std::string_view name);

/// The property that a column gives, and its name in messages.
Field field_of(const TextColumn& column);
std::string name_of(const TextColumn& column);

}  // namespace ricochet
