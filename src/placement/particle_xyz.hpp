// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from XYZ files, as ASE, OVITO and `ricochet export --format xyz` write them. Each frame is the number
// of its particles, a comment, and a line per particle. Extended XYZ has in the comment
//
//     Lattice="ax ay az bx by bz cx cy cz" Origin="x y z" Properties=species:S:1:pos:R:3:velo:R:3:id:I:1...
//
// Read are species, pos, velo, id, radius, mass and image, under the names that these programs give them; a note names
// what is left out. Without Properties a line is a name and three coordinates, and more values are ignored. The box and
// what closes it are compared with the input's (placement/xyz_comment.hpp).
//
// With one species in the input, any one name in the file means that species (ASE writes chemical symbols). With
// several, whole numbers that are no names are types, from 1 (LAMMPS and OVITO write them).
//
// One frame is read, by default the last. To find that, the text is read twice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "placement/particle_table.hpp"
#include "placement/text_lines.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The particles of a frame, counted from 0. Reading throws InputError, as parse_particle_csv does.
std::unique_ptr<TableSource> parse_particle_xyz(const OpenText& open, const std::string& name,
                                                const std::vector<Species>& species, int dimension,
                                                std::optional<std::uint64_t> frame = std::nullopt);

}  // namespace ricochet
