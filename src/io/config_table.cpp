// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/io/config_table.hpp"

#include <algorithm>
#include <array>

#include "io/config_rows_motion.hpp"
#include "io/config_rows_output.hpp"
#include "io/config_rows_particles.hpp"

namespace ricochet {

namespace {

/// One array after the other.
template <std::size_t... Sizes>
constexpr auto joined(const std::array<Option, Sizes>&... parts) {
    std::array<Option, (Sizes + ...)> all;
    auto next = all.begin();
    ((next = std::copy(parts.begin(), parts.end(), next)), ...);
    return all;
}

constexpr auto table = joined(detail::rows_on_particles, detail::rows_on_motion, detail::rows_on_output);

}  // namespace

std::span<const Option> config_table() { return table; }

const Option* find_option(std::string_view path) {
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.path == path; });
    return row == table.end() ? nullptr : &*row;
}

}  // namespace ricochet
