// SPDX-License-Identifier: BSD-3-Clause
//
// Starts from H5MD files. Some programs write one group of particles per species (HAL's MD), others one for all
// (ESPResSo, LAMMPS). Groups of selected particles may stand beside them. So all groups are read, in alphabetical
// order, unless the input names one. Particles that are in two groups are refused, as repeated ids or as overlaps.
// Groups must be of one step. A group without species numbers is of the species with its name, where the input has
// several species.
#pragma once

#include <memory>
#include <string>

#include "placement/particle_table.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// The particles of a frame of the file. Throws InputError when the file has no such group.
std::unique_ptr<TableSource> open_h5md_start(const std::string& path, const Config& config);

}  // namespace ricochet
