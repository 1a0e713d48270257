// SPDX-License-Identifier: BSD-3-Clause
//
// Balls that a neighbour has shown, to be held against those of the particles it has no copy of
// (parallel/halo.hpp). Both may be all of a layer behind the face: so they are found through cells.
#pragma once

#include <span>

#include "ricochet/core/box.hpp"
#include "ricochet/engine/path_reach.hpp"
#include "ricochet/geometry/sphere_grid.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class ShownBalls {
  public:
    /// Balls are taken to meet where they come nearer than `slack`. An infinite ball meets all. Refers to
    /// `balls`. O(balls).
    ShownBalls(const Box& box, std::span<const SweptBall> balls, double slack);

    /// The least that a ball must lead beyond a lower face to meet one of these; infinite where there is
    /// none.
    double reach_that_meets(double lower) const;
    /// O(1) unless the balls are crowded; O(balls) for one that is much larger than all.
    bool meets(const SweptBall& own) const;

  private:
    std::span<const SweptBall> balls_;
    ImageLengths images_;
    double slack_;
    double largest_;
    SphereLevels levels_;
};

}  // namespace ricochet
