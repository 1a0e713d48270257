// SPDX-License-Identifier: BSD-3-Clause
//
// Text for error messages and notes, without a formatting library: the engine depends on none. Text from
// files and command lines is made fit to print here.
//
// Such text may be of any length and contain control sequences for terminals. So a sentence quotes an excerpt
// of it. Whatever is printed finally passes as_message (errors) or without_controls (reports).
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

/// A piece of text from outside, to be quoted in a sentence. Control characters and bytes that are not UTF-8
/// become \\n, \\x1b, ...; after 200 bytes it is cut, with three dots.
std::string excerpt(std::string_view text);

/// The same without the cut, line by line.
std::string without_controls(std::string_view text);

/// With a blank in place of each line break and tab, for a table with one line per entry.
std::string in_one_line(std::string text);

/// The text of an XML element, or of an attribute in double quotes. Requires: characters that XML allows.
std::string escaped_in_xml(std::string_view text);

/// As without_controls; lines of more than 900 bytes lose their middle.
std::string as_message(std::string_view text);

/// The position of the first byte that is no part of a UTF-8 character; npos without one. O(length).
std::size_t find_broken_byte(std::string_view text);

}  // namespace ricochet
