// SPDX-License-Identifier: BSD-3-Clause
//
// Whether paths may have touched of which no rank knew both: the second stage of verifying the halo
// (slabs/halo.hpp).
//
// Bounding spheres of the few paths that lead far enough are sent to the neighbours. There they are compared
// with those of all particles that were not sent down.
//
// An engine that keeps no spheres of whole paths cannot rule a contact out: then everything counts as
// touching.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/coverage.hpp"
#include "model/rounding.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

class HaloCheck {
  public:
    /// Refers to all of its arguments, which are those of the step.
    HaloCheck(const Box& box, const Coverage& coverage, const Holders& holders,
              std::optional<std::span<const BoundingSphere>> spheres_of_owned)
        : box_(box), coverage_(coverage), holders_(holders), spheres_(spheres_of_owned) {}

    /// Appends spheres around the paths of owned particles that may lead at least `upper_reach` above the
    /// upper face. O(owned particles), as the next.
    void collect_above(double upper_reach, std::vector<BoundingSphere>& spheres) const;
    /// Whether one of the spheres, from below the lower face, overlaps that of an owned particle of which the
    /// neighbour has no copy.
    bool touches_unsent(unsigned neighbour, std::span<const BoundingSphere> spheres) const;

  private:
    FaceReach reach_of(const BoundingSphere& sphere) const;

    const Box& box_;
    const Coverage& coverage_;
    const Holders& holders_;
    std::optional<std::span<const BoundingSphere>> spheres_;
};

}  // namespace ricochet
