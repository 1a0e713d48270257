// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the timestep suits the box. Half of every periodic edge must exceed the radii and displacements of
// any two particles (parallel/step_limits.hpp). Ballistic steps that are longer are done in parts
// (parallel/step_part.hpp), as exactly as any. A Brownian step that long means nothing: diffusion has no such
// straight paths. So it is refused where 6 standard deviations of the steps of two particles do not fit.
#pragma once

#include <span>

#include "ricochet/app/plan.hpp"

namespace ricochet {

/// Of the two with the largest extents, of one if there is one.
BrownianReach two_widest(std::span<const BrownianReach> particles);

/// Sets what a part of a step is where the box is too short for the whole; the displacement, the extents and
/// the reach become those of a part.
void divide_long_steps(const Config& config, ParticleSummary& summary);

/// Throws InputError, with the timestep that fits, where radii or Brownian steps are too large for the box,
/// or a step would take more than a million parts.
void require_unique_images(const Config& config, const ParticleSummary& particles);

}  // namespace ricochet
