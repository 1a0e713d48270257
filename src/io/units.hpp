// SPDX-License-Identifier: BSD-3-Clause
//
// The units of a result's numbers, in the notation of H5MD's units module ("nm ns-1"). The input names units
// by free words; H5MD's attribute `unit` may hold only words that readers know. MDAnalysis 2.4 converts all
// columns or refuses the file, even when it is asked not to convert: frames get the attribute only where it
// knows the units of length, of time and of velocity, and converts them rightly. Disadvantage: um, us and ms
// stay words in /ricochet/units, because MDAnalysis has no unit of velocity with them, and so does Angstrom
// per fs, which it converts the wrong way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ricochet/io/result_description.hpp"

namespace ricochet {

/// The attribute `unit` of the columns of a frame.
struct FrameUnits {
    std::string length, time, velocity;
};

/// The units of frames where readers know them: nm with ns or ps, Angstrom (also A, angstrom) with ps, pm
/// with ps. None for all other words.
std::optional<FrameUnits> frame_units(std::span<const NamedText> units);

/// The unit of each column of the collision log in the words of the input: "1" for ids and counts, powers of
/// length, time and energy for the others. A unit that the input does not state stands as its dimension.
std::vector<std::string> collision_units(std::span<const NamedText> units);

}  // namespace ricochet
