// SPDX-License-Identifier: BSD-3-Clause
//
// The patches on the surfaces of bodies, found by the point of a contact.
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/obstacle.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

class SurfacePatches {
  public:
    SurfacePatches() = default;
    explicit SurfacePatches(const World& world);

    /// Whether the body has patches.
    bool are_on(BodyNumber body) const {
        return !patches_.empty() && body >= first_body &&
               first_[body - first_body] != first_[body - first_body + 1];
    }
    /// The number of the patch that has this point of the obstacle's surface, else that of the body.
    BodyNumber part_at(const Obstacle& obstacle, Vec3 point) const;

  private:
    Vec3 to_nearest_image(Vec3 r) const;

    Vec3 period_;  ///< of the box; 0 along axes that are not periodic
    std::size_t num_bodies_ = 0;
    std::vector<BodyPatch> patches_;
    std::vector<std::size_t> first_;  ///< by body, and the end
};

}  // namespace ricochet
