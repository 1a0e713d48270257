// SPDX-License-Identifier: BSD-3-Clause
//
// Sentences from parts, for error messages and notes, without the formatting library that the engine does not
// depend on; and text from files and command lines made fit for them.
//
// Such text may be of any length and hold what a terminal obeys. So a sentence takes an excerpt of it, and
// what is printed at last passes as_message (errors) or without_controls (reports).
#pragma once

#include <array>
#include <charconv>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
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

/// A piece of text from outside for a sentence: control characters and bytes that are no UTF-8 as \\n, \\x1b,
/// ..., cut behind 200 bytes with three dots.
std::string excerpt(std::string_view text);

/// The same without a cut, line by line.
std::string without_controls(std::string_view text);

/// without_controls, and lines of more than 900 bytes without their middle.
std::string as_message(std::string_view text);

}  // namespace ricochet
