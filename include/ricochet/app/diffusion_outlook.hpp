// SPDX-License-Identifier: BSD-3-Clause
//
// What a Brownian input lets one expect of diffusion, said before the run: whether its steps are short
// enough, and how long it is.
//
// A step is a straight line, and its contacts hinder a particle more than those of a continuous path would:
// with steps of s diameters (rms, along each axis), equal spheres at volume fraction 0.3 were measured to
// have a long-time D/D0 of 0.374, 0.438, 0.467 and 0.481 at s = 0.4, 0.2, 0.1 and 0.05, and 0.494
// extrapolated to s = 0. So what contacts take of D grows by the factor 1 + k s, k = 0.55 within 8 %. The
// rule here takes this factor over to other fractions, with D/D0 = 1, 0.80, 0.66, 0.494, 0.29 at 0, 0.1, 0.2,
// 0.3, 0.4, as well as to mixtures, by their total fraction: an estimate there. It says nothing of discs and
// beyond 0.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/config.hpp"

namespace ricochet {

struct SpeciesDiffusion {
    std::string name;
    double diffusion = 0;         ///< of a free particle, length^2 / time, mean over the radii
    double step_over_radius = 0;  ///< rms displacement along an axis in a step, mean over the radii
    double fraction = 0;          ///< of the volume (area) that the species fills; 0 for particles of a file
    double diffusion_times = 0;   ///< time simulated, in units of diameter^2 / (2 dimension D)
    std::optional<double> bias;  ///< by which the long-time diffusion comes out too low; none where not known
};

/// The relative amount by which the long-time diffusion of spheres at this volume fraction comes out too low.
/// None beyond 0.4.
std::optional<double> bias_of_diffusion(double volume_fraction, double step_over_diameter);

/// Of each species, where particles fill `fraction` of the box in all. Empty for ballistic dynamics.
std::vector<SpeciesDiffusion> diffusion_outlook(const Config& config, double fraction);

/// The same in sentences for the user: one per species, and a last one where a bias exceeds 1 %.
std::vector<std::string> describe_diffusion(const Config& config, double fraction);

}  // namespace ricochet
