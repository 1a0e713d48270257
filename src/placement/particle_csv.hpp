// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from text with comma-separated values. The first line names the columns, in any order, out
// of
//
//     id, species, x, y, z, vx, vy, vz, radius, mass
//
// Every further line is a particle. Required are x and y, and z in three dimensions; velocities are given
// completely or not at all. Column species has names of the input's species. Blanks around values, empty
// lines and lines that begin with # are ignored. Both kinds of line ends are accepted.
//
// The text is read in pieces and particles are returned in blocks, so a file may be larger than the memory.
// This part knows text only, and stores for every value where it stood. Whether the particles are possible is
// decided in placement/particle_table.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "placement/particle_table.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// Fills a piece with the next characters of a text and returns their number; 0 at the end.
using ReadText = std::function<std::size_t(std::span<char> piece)>;

/// The particles in a text. Messages begin with "name:line:column: "; columns are letters, from 1. Reading
/// throws InputError with one line per mistake (ten of each kind). Unknown, repeated or missing columns are
/// reported at once. At the end follow:
/// * lines with too few or too many values
/// * text where a number is expected, and names that are no species
/// * numbers beyond the range of a double or of an id
std::unique_ptr<TableSource> parse_particle_csv(ReadText read, const std::string& name,
                                                const std::vector<Species>& species, int dimension);

/// The particles in the file at `path`, which is also its name. Throws InputError when it cannot be read.
std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension);

}  // namespace ricochet
