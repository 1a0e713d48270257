// SPDX-License-Identifier: BSD-3-Clause
//
// The balls that the search is given (search/broad_phase.hpp), from the paths of a step. Every particle comes
// by here in every step, hence the vector code; nothing that it computes decides more than which pairs are
// looked at.
#pragma once

#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

struct PathSummary {
    double mean_displacement = 0;  ///< length of a path from `begin` to `end`
    double mean_radius = 0;
    bool has_equal_matter = true;  ///< radius, mass and species of all are the same
};

/// Replaces `balls` by those of all particles: about the midpoint of the path that each would travel from the
/// time `begin` of the step, not before its own, to `end` without contacts (from 0 to the end of the step: as
/// PathMidpoint), with a reach of radius + half the path + `spare`.
PathSummary measure_paths(const Box& box, const Particles& particles, double begin, double end, double spare,
                          std::vector<SweptBall>& balls);

}  // namespace ricochet
