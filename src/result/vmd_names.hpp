// SPDX-License-Identifier: BSD-3-Clause
//
// Names of species that an H5MD file has for VMD: /parameters/vmd_structure/indexOfSpecies are numbers of species, and
// name has one text for each. HyMD and others write it. H5MD itself has no place for names.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet {

/// Names by number of species; gaps are empty. Empty where the file has none, or in another form.
std::vector<std::string> read_vmd_names(hid_t file);

}  // namespace ricochet
