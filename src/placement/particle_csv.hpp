// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from a table as text. The first line names the columns, in any order, out of
//
//     id, species, type, x, y, z, vx, vy, vz, ix, iy, iz, radius, diameter, mass, frame, step, timestep, time, t
//
// They may also stand in the comment before a first line of numbers, as NumPy writes them. Every further line is a
// particle. Required are x and y, and z in three dimensions; velocities are given
// completely or not at all. Column species has names of the input's species, type their numbers from 1; ix, iy, iz are
// image numbers. Blanks around values, empty lines and lines that begin with # are ignored. Both kinds of line ends are
// accepted.
//
// Columns are separated as in the first line: by commas, else semicolons, else tabs, else blanks. Names may be in upper
// case, names and values in quotes. Other columns are left out, which a note says.
//
// A column frame (without it step, else timestep, time or t) tells several frames apart. One is read, by default that
// of the largest number. To find it, the text is read twice.
//
// The text is read in pieces and particles are returned in blocks, so a file may be larger than the memory.
// This part knows text only, and stores for every value where it stood. Whether the particles are possible is
// decided in placement/particle_table.hpp.
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

/// The particles in a text. Messages begin with "name:line:column: "; columns are letters, from 1. Reading
/// throws InputError with one line per mistake (ten of each kind). Repeated or missing columns are
/// reported at once. At the end follow:
/// * lines with too few or too many values
/// * text where a number is expected, and names that are no species
/// * numbers beyond the range of a double or of an id
///
/// `frame` is a number of column frame, or without that column the place of a frame from 0; none: the last frame.
/// `num_bytes` is the length of the text, 0 where it is not known.
std::unique_ptr<TableSource> parse_particle_csv(const OpenText& open, const std::string& name,
                                                const std::vector<Species>& species, int dimension,
                                                std::optional<std::uint64_t> frame = std::nullopt,
                                                std::uint64_t num_bytes = 0);

/// The particles in the file at `path`, which is also its name. Throws InputError when it cannot be read.
std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension);

}  // namespace ricochet
