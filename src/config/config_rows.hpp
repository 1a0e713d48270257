// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of the table of keys (config_table.hpp), by subject. To add a key, copy a row in config_rows_*.cpp and add
// its member to config.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "config/config_member.hpp"
#include "config/config_table.hpp"

namespace ricochet::rows {

std::span<const Option> of_system();
std::span<const Option> of_motion();
std::span<const Option> of_run();

using namespace detail;
using Kind = OptionKind;

inline constexpr Range positive{.minimum = 0, .above_minimum = true};
inline constexpr Range non_negative{.minimum = 0};
inline constexpr Range fraction{.minimum = 0, .maximum = 1};
inline constexpr Range count_range{.minimum = 0, .maximum = 1e15};

/// Whether each row's chain of members starts at the Config, or at the item of the list in its path. The row of that
/// list is in the same table.
constexpr bool have_right_owners(std::span<const Option> table) {
    const auto owner_of = [&](std::string_view path) {
        const std::size_t list = path.rfind("[]");
        for (const Option& row : table)
            if (list != std::string_view::npos && row.path == path.substr(0, list)) return row.member.item;
        return detail::type_name<Config>();
    };
    return std::all_of(table.begin(), table.end(), [&](const Option& row) {
        return row.member.owner.empty() || row.member.owner == owner_of(row.path);
    });
}

}  // namespace ricochet::rows
