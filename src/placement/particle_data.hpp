// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from data files of LAMMPS (read_data, write_data). After a title, a header has the numbers of atoms
// and types and the box; sections follow. Read are Masses, Atoms and Velocities. The columns of Atoms depend on the
// style, which stands behind the word: Atoms # sphere. Known are atomic, charge, bond, angle, molecular, full and
// sphere. Without the word, five columns (or eight, with images) are those of atomic.
//
// The text is read twice: once for the table of masses and the place of Velocities. Then two places of it are read
// together, since velocities follow all positions (placement/data_velocities.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "placement/particle_table.hpp"
#include "placement/text_lines.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The particles of the text. Reading throws InputError, as parse_particle_csv does.
std::unique_ptr<TableSource> parse_particle_data(const OpenText& open, const std::string& name,
                                                 const std::vector<Species>& species, int dimension);

/// Whether the line gives the number of atoms in a header: "1000 atoms".
bool is_atom_count(std::string_view line);

}  // namespace ricochet
