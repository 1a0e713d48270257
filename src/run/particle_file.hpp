// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "placement/start_file.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// This rank's share of the particles of the file that the input names, checked. The content of the file decides how it
/// is read: as H5MD, XYZ, a dump or data file of LAMMPS, or a table. Texts may be packed by gzip. Collective. Throws
/// InputError on all ranks with one line per mistake. Missing velocities are a mistake where the input takes them from
/// the file.
StartFile start_from_file(const Config& config, Exchange& exchange);

/// What a start from a frame loses or guesses: tethers, and the names of species. Collective.
std::vector<std::string> notes_on_frames(const Config& config, const StartFile& start, Exchange& exchange);

}  // namespace ricochet
