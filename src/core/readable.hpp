// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and paragraphs as people read them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet {

/// "1.5 MB"; units are powers of 1000.
std::string in_bytes(double bytes);
/// "42 s", "3 min 20 s", "5 h 10 min".
std::string in_time(double seconds);
/// Three digits: "1.53 million".
std::string in_words(double number);

/// The text in lines of at most `width` bytes where words allow it, each behind `before` and with an end.
std::string in_lines(std::string_view text, std::string_view before, std::size_t width = 110);

}  // namespace ricochet
