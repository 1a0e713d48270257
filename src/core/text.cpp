// SPDX-License-Identifier: BSD-3-Clause
#include "core/text.hpp"

#include <algorithm>

namespace ricochet {
namespace {

constexpr std::size_t most_shown = 200;                  ///< bytes of a text from outside
constexpr std::size_t line_start = 700, line_end = 200;  ///< bytes kept of a line that is too long

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Bytes of the UTF-8 character at the beginning of `text`; 0 where there is none.
std::size_t character_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(length);
    return std::all_of(text.begin() + 1, end, is_continuation) ? length : 0;
}

/// The same; 0 also where it controls the terminal.
std::size_t shown_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = character_length(text);
    const bool is_c1_control = length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    return is_control(first) || is_c1_control ? 0 : length;
}

std::string escaped(char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    return {'\\', 'x', digits[byte / 16], digits[byte % 16]};
}

/// The largest position up to `size` at which no character is cut.
std::size_t boundary(std::string_view text, std::size_t size) {
    while (size > 0 && size < text.size() && is_continuation(text[size])) --size;
    return size;
}

std::string escaped_line(std::string_view line) {
    std::string shown;
    while (!line.empty()) {
        const std::size_t length = shown_length(line);
        shown += length > 0 ? std::string(line.substr(0, length)) : escaped(line.front());
        line.remove_prefix(std::max<std::size_t>(1, length));
    }
    return shown;
}

std::string shortened(std::string_view line) {
    if (line.size() <= line_start + line_end) return escaped_line(line);
    const std::size_t begin = boundary(line, line_start), end = boundary(line, line.size() - line_end);
    return escaped_line(line.substr(0, begin)) + text_of("... (", end - begin, " bytes left out) ...") +
           escaped_line(line.substr(end));
}

template <class Shown>
std::string by_lines(std::string_view text, const Shown& shown) {
    std::string result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        result += shown(text.substr(begin, end - begin));
        if (end < text.size()) result += '\n';
        begin = end + 1;
    }
    return result;
}

}  // namespace

std::string excerpt(std::string_view text) {
    const std::size_t size = boundary(text, std::min(text.size(), most_shown));
    return escaped_line(text.substr(0, size)) + (size < text.size() ? "..." : "");
}

std::string without_controls(std::string_view text) { return by_lines(text, escaped_line); }

std::string in_one_line(std::string text) {
    for (char& letter : text)
        if (letter == '\n' || letter == '\r' || letter == '\t') letter = ' ';
    return text;
}

std::string escaped_in_xml(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

std::string as_message(std::string_view text) { return by_lines(text, shortened); }

std::size_t find_broken_byte(std::string_view text) {
    for (std::size_t k = 0; k < text.size();) {
        const std::size_t length = character_length(text.substr(k));
        if (length == 0) return k;
        k += length;
    }
    return std::string_view::npos;
}

}  // namespace ricochet
