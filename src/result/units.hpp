// SPDX-License-Identifier: BSD-3-Clause
//
// The units of a result's numbers, in the notation of H5MD's units module ("nm ns-1"). The input names units
// by free words; H5MD's attribute `unit` may hold only words that readers know.
//
// MDAnalysis 2.4 converts all columns or refuses the file, even when it is asked not to convert. So frames
// get the attribute only where MDAnalysis knows the units of length, time and velocity, and converts them
// correctly.
//
// Disadvantage: um, us and ms stay words in /ricochet/units, because MDAnalysis has no unit of velocity with
// them. The same holds for Angstrom per fs, which it converts the wrong way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// The attribute `unit` of the columns of a frame.
struct FrameUnits {
    std::string length, time, velocity;
};

/// The units of frames that readers know: nm with ns or ps, Angstrom (also A, angstrom) with ps, pm with ps.
/// None for all other words.
std::optional<FrameUnits> frame_units(std::span<const NamedText> units);

/// The unit of each column of the collision log, in the words of the input. It is "1" for ids and counts,
/// otherwise powers of length, time and energy. A unit missing in the input is written as its dimension.
std::vector<std::string> collision_units(std::span<const NamedText> units, bool has_outcomes);

}  // namespace ricochet
