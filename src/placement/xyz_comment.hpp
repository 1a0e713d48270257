// SPDX-License-Identifier: BSD-3-Clause
//
// The comment of a frame of extended XYZ: pairs key=value, and what they say of the box. Values stand in double or
// single quotes, in braces or brackets, or alone. One that stands alone ends before the next key, so that Lattice=10 0
// 0 0 10 0 0 0 10 is read too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/file_claims.hpp"

namespace ricochet {

/// The value of `key`, in upper or lower case, without what encloses it; nothing without the key.
std::optional<std::string_view> xyz_value(std::string_view comment, std::string_view key);

/// Lattice, or else cell, with nine numbers or the three edges of a rectangular box; Origin and pbc. `place` begins
/// messages. Throws InputError for what cannot be read.
std::optional<StatedBox> xyz_box(std::string_view comment, const std::string& place);

/// The words under length_unit, time_unit and energy_unit, where exports name them.
std::vector<StatedUnit> xyz_units(std::string_view comment);

}  // namespace ricochet
