// SPDX-License-Identifier: BSD-3-Clause
//
// The shapes of species in a result: their corners and volumes. FORMAT.md has the layout. The group is there only where
// some species is no sphere.
//
// All of it is fixed when the file is made. The attribute `hash` stands for its content in the checksum of the
// description, as that of bodies does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/hdf5_file.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

inline constexpr std::uint64_t most_corners = 64;  ///< of one species, as in inputs

/// Writes no group where all species are spheres. Collective.
/// Requires: no species has more than most_corners.
void write_shapes(Exchange& exchange, hid_t group, const std::vector<Species>& species);

/// Fills in `corners` and `content` of each species; nothing where the group cannot be one of as many species. For one
/// rank.
void read_shapes(hid_t group, std::vector<Species>& species);

/// Whether the datasets are still those of their hash; true without a group.
bool has_shapes_of_its_hash(hid_t group);

/// The number of corners of all species.
std::uint64_t num_corners(const std::vector<Species>& species);

/// "cube (8 corners, volume 1), wedge (4 corners, volume 0.1667)"; in two dimensions with areas. Empty if all are
/// spheres.
std::string names_of_shapes(const std::vector<Species>& species, int dimension);

}  // namespace ricochet
