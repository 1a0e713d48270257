// SPDX-License-Identifier: BSD-3-Clause
//
// How many of many similar cases a test takes. Sanitizers look at memory, for which a tenth of them is as good.
#pragma once

namespace ricochet::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// `number`, or under sanitizers a tenth of it, at least one.
template <class Number>
constexpr Number fewer_if_sanitized(Number number) {
    if (!is_sanitized) return number;
    return number < 10 ? Number{1} : number / 10;
}

}  // namespace ricochet::test
