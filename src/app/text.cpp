// SPDX-License-Identifier: BSD-3-Clause
#include "app/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

/// The number divided by the largest power of 1000 below it, with the unit of that power.
template <std::size_t N>
std::string scaled(double number, const std::array<std::string_view, N>& units) {
    std::size_t unit = 0;
    while (unit + 1 < N && std::abs(number) >= 999.5) {
        number /= 1000;
        ++unit;
    }
    return fmt::format("{:.3g}{}", number, units[unit]);
}

}  // namespace

std::string in_bytes(double bytes) {
    using namespace std::string_view_literals;
    return scaled(bytes, std::array{" B"sv, " kB"sv, " MB"sv, " GB"sv, " TB"sv, " PB"sv});
}

std::string in_words(double number) {
    using namespace std::string_view_literals;
    return scaled(number, std::array{""sv, " thousand"sv, " million"sv, " billion"sv});
}

std::string in_time(double seconds) {
    if (!(seconds >= 0 && seconds < 1e10)) return "unknown";
    if (seconds < 10) return fmt::format("{:.2g} s", seconds);
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace ricochet
