// SPDX-License-Identifier: BSD-3-Clause
//
// Sentences from parts, for error messages and notes, without the formatting library that the engine does not
// depend on.
#pragma once

#include <array>
#include <charconv>
#include <locale>
#include <sstream>
#include <string>
#include <utility>

namespace ricochet {

/// The parts one after another, numbers with up to six significant digits; independent of the locale.
template <class... Parts>
std::string text_of(const Parts&... parts) {
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    (stream << ... << parts);
    return std::move(stream).str();
}

/// The shortest decimal number that reads back as exactly `value`.
inline std::string exact_text(double value) {
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace ricochet
