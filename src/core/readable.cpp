// SPDX-License-Identifier: BSD-3-Clause
#include "core/readable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <string_view>

#include "core/text.hpp"

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
    return text_of(std::setprecision(3), number, units[unit]);
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
    constexpr double year = 365.25 * 24 * 3600;
    if (!(seconds >= 0 && seconds < std::numeric_limits<double>::infinity())) return "unknown";
    if (seconds >= 10 * year) return in_words(seconds / year) + " years";
    if (seconds < 10) return text_of(std::setprecision(2), seconds, " s");
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return text_of(whole, " s");
    if (whole < 3600) return text_of(whole / 60, " min ", whole % 60, " s");
    return text_of(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string in_lines(std::string_view text, std::string_view before, std::size_t width) {
    std::string lines, line;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (!line.empty() && before.size() + line.size() + 1 + word.size() > width) {
            lines.append(before).append(line) += '\n';
            line.clear();
        }
        if (!line.empty()) line += ' ';
        line += word;
    }
    return lines.append(before).append(line) += '\n';
}

}  // namespace ricochet
