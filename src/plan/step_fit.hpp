// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the timestep fits the box. Half of every periodic edge must exceed the radii and displacements of
// any two particles (slabs/step_limits.hpp). Longer ballistic steps are done in parts, with the same
// exactness (slabs/step_part.hpp). Brownian steps of this length are meaningless, since diffusion has no such
// straight paths. They are refused where 6 standard deviations of the steps of two particles do not fit.
#pragma once

#include <span>

#include "plan/plan.hpp"

namespace ricochet {

/// The extents of the two widest particles together, or of one if there is only one.
BrownianReach two_widest(std::span<const BrownianReach> particles);

/// Divides steps that are too long for the box. Displacement, extents and reach then become those of one
/// part.
void divide_long_steps(const Config& config, ParticleSummary& summary);

/// Throws InputError where radii or Brownian steps are too large for the box, or where a step would take more
/// than a million parts. The error names a timestep that fits.
void require_unique_images(const Config& config, const ParticleSummary& particles);

}  // namespace ricochet
