// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers as people read them.
#pragma once

#include <string>

namespace ricochet {

/// "1.5 MB"; units are powers of 1000.
std::string in_bytes(double bytes);
/// "42 s", "3 min 20 s", "5 h 10 min".
std::string in_time(double seconds);
/// Three digits: "1.53 million".
std::string in_words(double number);

}  // namespace ricochet
