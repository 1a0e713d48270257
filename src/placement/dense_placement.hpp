// SPDX-License-Identifier: BSD-3-Clause
//
// Dense placement without overlap: random points, whose spheres are soft and push each other away until none overlap.
// It reaches fractions far above those of random placement, for any mixture of sizes, and leaves no crystal.
//
// Algorithm: the energy of soft spheres (placement/soft_spheres.hpp) is minimised by FIRE, in its semi-implicit form:
// J. Guenole and others, Comput. Mater. Sci. 175 (2020) 109584. Velocities turn towards the forces while the power of
// the forces is positive. Where it is not, all stop, go half a step back and take shorter steps.
//
// Bodies repel the spheres too, all but those that a species may pass. What was pushed into a gap that is too narrow
// for it is drawn again. Particles that are no spheres repel each other as shapes (placement/soft_shapes.hpp).
//
// It ends when no true overlap is left. What is too dense ends in a minimum with overlaps: the forces on a sphere
// cancel while those of its pairs do not. A budget of steps ends what does neither.
//
// Disadvantage: the spheres of the result nearly touch, as those of a packing do and those of a fluid do not. So runs
// equilibrate first.
#pragma once

#include <cstdint>

#include "geometry/body_room.hpp"
#include "geometry/shape_table.hpp"
#include "placement/population.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct DensePlacement {
    Particles particles;  ///< of this rank's strip, ascending ids; only if is_complete
    bool is_complete = false;
    std::uint64_t num_steps = 0;
    /// As a part of the sum of a pair's radii, or of a radius at bodies; 0 if is_complete. Of shapes it is a part of
    /// their widths.
    double largest_overlap = 0;
    double cpu_seconds = 0;  ///< about, of all ranks, by the number of operations
};

/// Places the population densely. Centres are at least a radius from walls and bodies, and pairs at least the sum of
/// their radii apart, in floating point too. So are shapes, by their gaps. `bodies` may be null, and `shapes` where all
/// are spheres. Pairs that pass through each other may overlap.
/// Radii must be positive, fit between the walls, and have unique nearest images. The same bits on any number of ranks.
/// Collective. Some hundred steps, close to the densest packings thousands; O(N) each.
DensePlacement place_densely(const Box& box, const Population& population, Exchange& exchange,
                             const BodyRoom* bodies = nullptr, const ShapeTable* shapes = nullptr);

}  // namespace ricochet
