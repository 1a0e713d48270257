// SPDX-License-Identifier: BSD-3-Clause
//
// The box of a start that grew until it had some pressure (placement.until_pressure). Sizes of particles are those of
// the input, and the box has its shape; how large it is, growth has found.
#pragma once

#include "ricochet/model/vec3.hpp"

namespace ricochet {

struct FoundBox {
    Vec3 size;            ///< edges, as Box::size
    double pressure = 0;  ///< p V/(N kT), as measured at the end of growth

    friend bool operator==(const FoundBox&, const FoundBox&) = default;
};

}  // namespace ricochet
