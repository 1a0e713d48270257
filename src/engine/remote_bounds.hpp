// SPDX-License-Identifier: BSD-3-Clause
//
// Bounding spheres that a neighbour has sent, to be compared with those of the particles that it has no copy
// of (slabs/halo.hpp). Both may be all of a layer behind the face, so they are found through cells.
#pragma once

#include <span>

#include "engine/path_reach.hpp"
#include "geometry/sphere_grid.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class RemoteBounds {
  public:
    /// Bounding spheres count as touching where they come nearer than `slack`. An infinite one touches
    /// all. Refers to `spheres`. O(bounding spheres).
    RemoteBounds(const Box& box, std::span<const BoundingSphere> spheres, double slack);

    /// The least that a bounding sphere must lead beyond a lower face to touch one of these; infinite where
    /// there is none.
    double least_touching_reach(double lower) const;
    /// O(1) unless the bounding spheres are crowded; O(bounding spheres) for one that is much larger than
    /// all.
    bool touches(const BoundingSphere& own) const;

  private:
    std::span<const BoundingSphere> spheres_;
    ImageLengths images_;
    double slack_;
    double largest_;
    SphereLevels levels_;
};

}  // namespace ricochet
