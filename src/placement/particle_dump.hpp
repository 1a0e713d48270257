// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from text dumps of LAMMPS, as LAMMPS, OVITO and `ricochet export --format lammps` write them. A line
// ITEM: ATOMS names the columns. Read are id, type, element, vx vy vz, ix iy iz, radius or diameter, and mass.
// Coordinates are x y z, unwrapped (xu), or parts of the box (xs, xsu). A note names what is left out. Types count from
// 1 and number the species of the input. Ids count from 1 too, and ours from 0. Units, the box and what closes it are
// compared with the input's (placement/lammps_words.hpp).
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
std::unique_ptr<TableSource> parse_particle_dump(const OpenText& open, const std::string& name,
                                                 const std::vector<Species>& species, int dimension,
                                                 std::optional<std::uint64_t> frame = std::nullopt);

}  // namespace ricochet
