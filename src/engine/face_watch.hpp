// SPDX-License-Identifier: BSD-3-Clause
//
// Watches how far the paths of owned particles lead beyond the faces of the slab, after contacts too.
//
// Nearly all particles are deep inside the slab. Two numbers along x bound the part of it where no path can
// matter, so that most are dismissed without fetching more of them from memory. The part shrinks and grows
// with what has been seen.
#pragma once

#include <algorithm>

#include "engine/coverage.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

class FaceWatch {
  public:
    /// Begins with the paths that have no contacts.
    void start(const Coverage& coverage) {
        lower_ = coverage.lower;
        upper_ = coverage.upper;
        reach_ = coverage.straight;
        find_deep_part();
    }
    /// Adds a path of an owned particle that those neighbours have a copy of.
    void include(const FaceReach& path, NeighbourMask holders) {
        reach_.include(path, holders);
        find_deep_part();
    }
    /// Whether a path that leads from x, as kept, no farther than `most` along x changes nothing. False where
    /// that is not known: when it has crossed the edge of the box.
    bool stays_deep(double x, double most) const { return deep_low_ <= x - most && x + most <= deep_high_; }
    const PathReach& reach() const { return reach_; }

  private:
    /// Where there is no face, the second argument may be no number: the first, infinite, stands.
    void find_deep_part() {
        deep_low_ = std::max(lower_, lower_ - reach_.least().lower);
        deep_high_ = std::min(upper_, upper_ + reach_.least().upper);
    }

    double lower_ = 0, upper_ = 0;
    double deep_low_ = 0, deep_high_ = 0;
    PathReach reach_;
};

}  // namespace ricochet
