// SPDX-License-Identifier: BSD-3-Clause
//
// Positions without the box: as if a particle that crosses a periodic face went on beyond it.
#pragma once

#include <cmath>

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// The position with its images added.
inline Vec3 unwrapped_position(const Motion& motion, const Track& track, const Box& box) {
    Vec3 x = motion.position;
    for (int axis = 0; axis < box.dimension; ++axis)
        x[axis] = std::fma(static_cast<double>(track.image[static_cast<std::size_t>(axis)]), box.size[axis],
                           x[axis]);
    return x;
}

}  // namespace ricochet
