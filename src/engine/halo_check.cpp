// SPDX-License-Identifier: BSD-3-Clause
#include "engine/halo_check.hpp"

#include <limits>

#include "engine/remote_bounds.hpp"

namespace ricochet {

/// How far the sphere, and so the path, leads beyond the faces at most.
FaceReach HaloCheck::reach_of(const BoundingSphere& sphere) const {
    const double midpoint = sphere.midpoint().x;
    const double most = static_cast<double>(sphere.reach) + face_slack(box_);
    return {coverage_.lower - (midpoint - most), midpoint + most - coverage_.upper};
}

void HaloCheck::collect_above(double upper_reach, std::vector<BoundingSphere>& spheres) const {
    if (!spheres_) {
        spheres.push_back({0, 0, 0, std::numeric_limits<float>::infinity()});
        return;
    }
    for (const BoundingSphere& sphere : *spheres_)
        if (reach_of(sphere).upper >= upper_reach) spheres.push_back(sphere);
}

bool HaloCheck::touches_unsent(unsigned neighbour, std::span<const BoundingSphere> spheres) const {
    if (spheres.empty() || !spheres_) return !spheres.empty();
    const RemoteBounds remote(box_, spheres, 2 * sphere_slack(box_));
    const double least = remote.least_touching_reach(coverage_.lower);
    for (Slot slot = 0; slot < spheres_->size(); ++slot) {
        const BoundingSphere& own = (*spheres_)[slot];
        if (reach_of(own).lower < least) continue;
        if ((holders_[slot] >> neighbour & 1) == 0 && remote.touches(own)) return true;
    }
    return false;
}

}  // namespace ricochet
