// SPDX-License-Identifier: BSD-3-Clause
//
// The gaps between a particle and a surface of a body, from which it is decided whether it reacts or passes.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/rated_reaction.hpp"
#include "geometry/obstacle_shapes.hpp"

namespace ricochet {

/// `chord_time`: when the straight path touches, infinite if it does not; `end`: when the step ends.
inline Gaps gaps_at_surface(const Motion& motion, double radius, const ObstacleShape& shape,
                            double chord_time, double end) {
    const double now = distance_to_whole(motion.position, shape) - radius;
    if (!(chord_time < end)) return {now, distance_to_whole(position_at(motion, end), shape) - radius};
    const Vec3 touching = position_at(motion, chord_time);
    const Vec3 n = surface_at(touching, shape).normal;
    const Vec3 reflected = advanced(motion.velocity, n, -2 * std::max(0.0, dot(motion.velocity, n)));
    return {now, distance_to_whole(advanced(touching, reflected, end - chord_time), shape) - radius};
}

/// The distances of a centre that may pass the surface, now and where its chord ends, on either side.
inline Gaps gaps_of_centre(const Motion& motion, const ObstacleShape& shape, double end) {
    return {distance_to_whole(motion.position, shape),
            std::abs(distance_to_whole(position_at(motion, end), shape))};
}

}  // namespace ricochet
