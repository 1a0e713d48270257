// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from text with comma-separated values. The first line names the columns, in any order,
// among
//
//     id, species, x, y, z, vx, vy, vz, radius, mass
//
// and every further line is a particle. x and y are needed, and z in three dimensions; velocities are given
// completely or not at all. species holds names of the input's species. Blanks around values, empty lines and
// lines that begin with # are ignored, either kind of line ends is taken.
//
// The text is read in pieces and the particles are given out in blocks: a file may be larger than the memory.
// This part knows about text only and keeps for every value where it stood; whether the particles make sense
// is for engine/particle_table.hpp to say.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/core/species.hpp"
#include "ricochet/engine/particle_table.hpp"

namespace ricochet {

/// Fills a piece with the next characters of a text and returns how many there were; 0 at the end.
using ReadText = std::function<std::size_t(std::span<char> piece)>;

/// The particles in a text; `name` stands for it in messages, "name:line:column: ...", columns being letters
/// from 1. Reading throws InputError with one line per mistake (ten of each kind): at once for unknown,
/// repeated or missing columns, at the end for lines with too few or too many values, text where a number is
/// expected, numbers beyond the range of a double or of an id, names that are no species.
std::unique_ptr<TableSource> parse_particle_csv(ReadText read, const std::string& name,
                                                const std::vector<Species>& species, int dimension);

/// Those in the file at `path`, which is also its name. Throws InputError when it cannot be read.
std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension);

}  // namespace ricochet
