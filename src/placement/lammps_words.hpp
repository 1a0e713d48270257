// SPDX-License-Identifier: BSD-3-Clause
//
// Words by which dumps and data files of LAMMPS state their units, what closes their box, and their sections.
#pragma once

#include <string_view>
#include <vector>

#include "placement/file_claims.hpp"

namespace ricochet {

/// The units of length and time of a style of units, e.g. real. Style lj has none: any length may be its sigma.
/// Energies are left out: in styles real and metal they are not those of mass, length and time.
std::vector<StatedUnit> lammps_units(std::string_view style);

/// The boundary that follows ITEM: BOX BOUNDS, with two letters for each axis: pp is periodic. Not stated where the
/// line has none.
StatedBoundary lammps_boundary(std::string_view words);

/// The line of a data file up to its comment, without blanks around it.
std::string_view without_comment(std::string_view line);
/// Whether the line of a data file begins a section. Its words begin with a capital letter, those of the header do not;
/// a mass under the label of a type (C 12) has a digit.
bool is_data_section(std::string_view line);

}  // namespace ricochet
