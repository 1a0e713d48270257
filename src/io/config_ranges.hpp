// SPDX-License-Identifier: BSD-3-Clause
//
// Ranges that several keys share.
#pragma once

#include "ricochet/io/config_table.hpp"

namespace ricochet::detail {

using Kind = OptionKind;

inline constexpr Range positive{.minimum = 0, .above_minimum = true};
inline constexpr Range non_negative{.minimum = 0};
/// Of the edges of the box, whose squares the searches form in single precision.
inline constexpr Range edge_range{.minimum = 1e-12, .maximum = 1e18};
inline constexpr Range fraction{.minimum = 0, .maximum = 1};
inline constexpr Range count_range{.minimum = 0, .maximum = 1e15};
inline constexpr Range seed_range{.minimum = 0, .maximum = 0x1p63};

}  // namespace ricochet::detail
