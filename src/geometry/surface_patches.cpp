// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface_patches.hpp"

#include <cmath>

namespace ricochet {

SurfacePatches::SurfacePatches(const World& world) : num_bodies_(world.bodies.size()), first_{0} {
    for (int axis = 0; axis < world.box.dimension; ++axis)
        if (world.box.is_periodic(axis)) period_[axis] = world.box.size[axis];
    for (const Body& body : world.bodies) {
        patches_.insert(patches_.end(), body.patches.begin(), body.patches.end());
        first_.push_back(patches_.size());
    }
}

/// Patches repeat along periodic axes, as their bodies do.
Vec3 SurfacePatches::to_nearest_image(Vec3 r) const {
    for (int axis = 0; axis < 3; ++axis)
        if (period_[axis] > 0) r[axis] -= period_[axis] * std::floor(r[axis] / period_[axis] + 0.5);
    return r;
}

BodyNumber SurfacePatches::part_at(const Obstacle& obstacle, Vec3 point) const {
    if (!are_on(obstacle.body)) return obstacle.body;
    const std::size_t body = obstacle.body - first_body;
    for (std::size_t k = first_[body]; k < first_[body + 1]; ++k) {
        const Vec3 r = to_nearest_image(point - patches_[k].centre);
        if (dot(r, r) <= patches_[k].radius * patches_[k].radius)
            return static_cast<BodyNumber>(first_body + num_bodies_ + k);
    }
    return obstacle.body;
}

}  // namespace ricochet
