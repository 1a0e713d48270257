// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/search/broad_phase.hpp"

#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

BoundingSphere bounding_sphere(Vec3 midpoint, double reach) {
    RICOCHET_DCHECK_GE(reach, 0);
    return {static_cast<float>(midpoint.x), static_cast<float>(midpoint.y), static_cast<float>(midpoint.z),
            static_cast<float>(float_up * reach)};
}

BroadPhase::BroadPhase(const Box& box)
    : images_(box), slack_(2 * sphere_slack(box)), most_reach_(reach_of_box(box)) {}

}  // namespace ricochet
