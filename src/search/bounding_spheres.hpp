// SPDX-License-Identifier: BSD-3-Clause
//
// The bounding spheres that a search needs (search/broad_phase.hpp), from the paths of a step. Every particle
// needs one in every step, hence the vector code. The results decide only which pairs are tested.
#pragma once

#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

struct PathSummary {
    double mean_displacement = 0;  ///< length of a path from `begin` to `end`
    double mean_radius = 0;
    bool has_uniform_attributes = true;  ///< radius, mass and species of all are the same
};

/// Replaces `spheres` by the bounding spheres of all particles. Each is centred on the midpoint of the path
/// without contacts, from `begin` (or the particle's own time, if later) to `end`. For a whole step this is
/// PathMidpoint. The reach is radius + half the path + `spare`.
PathSummary measure_paths(const Box& box, const Particles& particles, double begin, double end, double spare,
                          std::vector<BoundingSphere>& spheres);

}  // namespace ricochet
