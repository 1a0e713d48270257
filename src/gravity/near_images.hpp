// SPDX-License-Identifier: BSD-3-Clause
//
// The images of the box that are summed one by one: those beside it along its periodic axes, -1, 0 and 1 edges away.
// All others are summed together (far_images.hpp).
//
// Sources stay where they are, and targets are moved by minus the offset of an image.
#pragma once

#include <vector>

#include "ricochet/model/box.hpp"

namespace ricochet {

/// Offsets of the images, first that of the box itself, 0, then the others in one fixed order.
inline std::vector<Vec3> near_images(const Box& box) {
    std::vector<Vec3> offsets{Vec3{}};
    const auto most = [&](int axis) { return box.is_periodic(axis) ? 1 : 0; };
    for (int x = -most(0); x <= most(0); ++x)
        for (int y = -most(1); y <= most(1); ++y)
            for (int z = -most(2); z <= most(2); ++z)
                if (x != 0 || y != 0 || z != 0)
                    offsets.push_back({x * box.size.x, y * box.size.y, z * box.size.z});
    return offsets;
}

}  // namespace ricochet
