// SPDX-License-Identifier: BSD-3-Clause
//
// How far particles go in a step or a part of one, agreed by all ranks. From these numbers follow the width of
// the halo, and whether every pair has one nearest image.
//
// A pair of particles is only ever looked at through its nearest image. That is the right one as long as
// L/2 > r_a + r_b + d_a + d_b on every periodic axis, d being the distance that each travels in the step. The
// largest such sum is that of the two particles with the largest r + d.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "slabs/path_bounds.hpp"

namespace ricochet {

/// Over all particles of all ranks; the same on every rank. Zero where there are no particles.
struct StepLimits {
    double max_displacement = 0;
    double max_radius = 0;
    double max_reach = 0;            ///< of reactions beyond surfaces
    double largest_extent = 0;       ///< radius + reach + displacement
    double two_largest_extents = 0;  ///< sum of the two largest, or what is known to be more than it
    bool any_to_any = false;         ///< `wants_any_to_any` of at least one rank
    double window_rate = 0;          ///< largest `window_rate` of the ranks

    /// What has_nearest_images must hold for.
    Vec3 extents() const { return {two_largest_extents, two_largest_extents, two_largest_extents}; }
};

/// Finds the limits of a step from what each rank's particles are about to do. One reduction, and another in a
/// box less than four times the largest extent. What else the ranks must agree on travels with them. That is
/// whether any has leavers to ranks that are not adjacent, and the sub-windows per time that they wish for
/// (any number). Collective. Throws RunError on all ranks when a displacement is not a
/// finite number.
StepLimits agree_on_limits(Exchange& exchange, const PathBounds& local, const Box& box, bool wants_any_to_any,
                           double window_rate = 0);

/// The largest particle where rules change radii, and when it was so large.
struct LargestProduct {
    std::uint64_t step = 0;
    double radius = 0;
    ParticleId id = no_id;
    SpeciesIndex species = absent_species;
};

/// The largest present particle of this rank; ties go to the lowest id. `step` is noted.
LargestProduct largest_product(const Particles& particles, std::size_t num_owned, std::uint64_t step);

/// Whether half of every periodic edge exceeds the component of `extents` along it.
bool has_nearest_images(const Box& box, Vec3 extents);

/// Throws RunError unless has_nearest_images, with advice that fits the cause: radii that alone are too large
/// for the box, or displacements. Collective: all ranks call it with the same numbers and their own
/// particles.
void require_nearest_images(Exchange& exchange, const Particles& owned, const Box& box, Vec3 extents);

/// The same where rules change radii. The sentence names the largest particle of all ranks, each of which passes
/// its own largest. `name_of`: the name of a species.
void require_nearest_images(Exchange& exchange, const LargestProduct& own, const Box& box, Vec3 extents,
                            const std::function<std::string(SpeciesIndex)>& name_of);

}  // namespace ricochet
