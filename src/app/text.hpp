// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers for people.
#pragma once

#include <string>

namespace ricochet {

/// "1.5 MB"; powers of 1000.
std::string in_bytes(double bytes);
/// "42 s", "3 min 20 s", "5 h 10 min".
std::string in_time(double seconds);
/// Four digits, with k, million or billion: "1.53 million".
std::string in_words(double number);

}  // namespace ricochet
