// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/mutation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet::test {
namespace {

using namespace std::string_view_literals;

constexpr std::array numbers{"1e308"sv,
                             "-1e308"sv,
                             "1e400"sv,
                             ".nan"sv,
                             "nan"sv,
                             ".inf"sv,
                             "-.inf"sv,
                             "-0"sv,
                             "0"sv,
                             "1e-320"sv,
                             "5e-324"sv,
                             "1e-100"sv,
                             "1e-30"sv,
                             "1e30"sv,
                             "1e100"sv,
                             "-1"sv,
                             "1"sv,
                             "3"sv,
                             "0.5"sv,
                             "1e15"sv,
                             "1e10"sv,
                             "4294967296"sv,
                             "9223372036854775808"sv,
                             "18446744073709551615"sv,
                             "18446744073709551616"sv,
                             "99999999999999999999999999"sv,
                             "0x10"sv,
                             "1_000"sv,
                             "1e"sv,
                             "1,5"sv};
constexpr std::array values{
    "[]"sv, "{}"sv,    "~"sv,   "\"\""sv,    "true"sv, "[1, 2]"sv, "{a: 1}"sv, "{a: {b: [c]}}"sv,
    "|"sv,  "!!int"sv, "? a"sv, "*a"sv,      "&a 1"sv, "<<: *a"sv, "'"sv,      "\""sv,
    "%"sv,  "@"sv,     "- 1"sv, "a: b: c"sv, "---"sv,  "..."sv,    "# x"sv,    ","sv};
constexpr std::array damages{"\t"sv,           "\x01"sv,         "\x1b[31m"sv,
                             "\x7f"sv,         "\r"sv,           "\xff"sv,
                             "\xc3("sv,        "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv,
                             "\xef\xbb\xbf"sv, "\xe2\x80\xae"sv, "\\"sv,
                             "\n"sv,           "\0"sv,           "$x$"sv,
                             "<b>&"sv};

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
    Lines lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

template <class Items>
const auto& one_of(const Items& items, HashRandom& random) {
    return items[random.index(items.size())];
}

/// A place from which on there is no line but of the same text.
std::size_t place_in(const std::string& text, HashRandom& random) { return random.index(text.size() + 1); }

void change_lines(std::string& text, std::span<const std::string> others, HashRandom& random) {
    Lines lines = lines_of(text);
    if (lines.empty()) return;
    const auto place = [&] { return static_cast<std::ptrdiff_t>(random.index(lines.size())); };
    const auto at = lines.begin() + place();
    switch (random.index(4)) {
        case 0:
            lines.erase(at);
            break;
        case 1:
            lines.insert(at, std::string(*at));
            break;
        case 2:
            std::swap(*at, lines[static_cast<std::size_t>(place())]);
            break;
        default:
            const Lines other = lines_of(one_of(others, random));
            if (!other.empty()) lines.insert(at, one_of(other, random));
    }
    text = joined(lines);
}

bool begins_number(const std::string& text, std::size_t k) {
    const auto is_word = [&](std::size_t at) {
        return std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    return std::isdigit(static_cast<unsigned char>(text[k])) != 0 &&
           (k == 0 || (!is_word(k - 1) && text[k - 1] != '.'));
}

void change_number(std::string& text, HashRandom& random) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < text.size(); ++k)
        if (begins_number(text, k)) places.push_back(k);
    if (places.empty()) return;
    const std::size_t begin = one_of(places, random);
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", begin), text.size());
    text.replace(begin, end - begin, one_of(numbers, random));
}

/// Changes a value in a flow or after a key.
void change_value(std::string& text, HashRandom& random) {
    const std::size_t colon = text.find_first_of(":,[", place_in(text, random));
    if (colon == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_of(",}]\n", colon + 1), text.size());
    text.replace(colon + 1, end - colon - 1, one_of(values, random));
    text.insert(colon + 1, 1, ' ');
}

void put_in_long_text(std::string& text, HashRandom& random) {
    constexpr std::array<std::size_t, 3> lengths{50, 3000, 100000};
    constexpr std::array parts{"a"sv, "["sv, "{a: "sv, "1"sv, " "sv, "\xc3\xa4"sv, "- "sv, "*"sv, "a: "sv};
    const std::string_view part = one_of(parts, random);
    std::string put_in;
    for (const std::size_t length = one_of(lengths, random); put_in.size() < length;) put_in += part;
    text.insert(place_in(text, random), put_in);
}

void mutate_once(std::string& text, std::span<const std::string> others, HashRandom& random) {
    switch (random.index(12)) {
        case 0:
        case 1:
        case 2:
            return change_lines(text, others, random);
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
            return change_number(text, random);
        case 8:
            return change_value(text, random);
        case 9:
            text.insert(place_in(text, random), one_of(damages, random));
            return;
        case 10:
            return put_in_long_text(text, random);
        default:
            text.resize(random.index(4) == 0 ? place_in(text, random) : text.size());
    }
}

}  // namespace

std::string mutated(std::string text, std::span<const std::string> others, HashRandom& random) {
    for (std::uint64_t k = 1 + random.index(3); k > 0; --k) mutate_once(text, others, random);
    return text;
}

}  // namespace ricochet::test
