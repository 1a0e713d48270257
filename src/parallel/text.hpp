// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in error sentences. The MPI-free part of this layer does without a formatting library, so that the
// engine and the slabs can be used where only the standard library is.
#pragma once

#include <cstdio>
#include <string>

namespace ricochet::detail {

/// x with as many significant digits as a reader needs.
inline std::string text(double x, int digits = 6) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, x);
    return buffer;
}

}  // namespace ricochet::detail
