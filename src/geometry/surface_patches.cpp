// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface_patches.hpp"

namespace ricochet {

SurfacePatches::SurfacePatches(const std::vector<Body>& bodies) : num_bodies_(bodies.size()), first_{0} {
    for (const Body& body : bodies) {
        patches_.insert(patches_.end(), body.patches.begin(), body.patches.end());
        first_.push_back(patches_.size());
    }
}

BodyNumber SurfacePatches::part_at(const Obstacle& obstacle, Vec3 point) const {
    if (!are_on(obstacle.body)) return obstacle.body;
    const std::size_t body = obstacle.body - first_body;
    const Vec3 place = point - obstacle.shift;
    for (std::size_t k = first_[body]; k < first_[body + 1]; ++k) {
        const Vec3 r = place - patches_[k].centre;
        if (dot(r, r) <= patches_[k].radius * patches_[k].radius)
            return static_cast<BodyNumber>(first_body + num_bodies_ + k);
    }
    return obstacle.body;
}

}  // namespace ricochet
