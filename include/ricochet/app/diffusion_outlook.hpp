// SPDX-License-Identifier: BSD-3-Clause
//
// What a Brownian input lets one expect of diffusion, said before the run: whether its steps are short
// enough, and how long it is.
//
// A step is a straight line, and its contacts hinder a particle more than those of a continuous path would.
// By how much is told by diffusion_bias() of hard_sphere_theory.hpp.
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
    std::optional<double> bias;   ///< share by which long-time diffusion comes out too low; none for a file's
};

/// Of each species. Empty for ballistic dynamics.
std::vector<SpeciesDiffusion> diffusion_outlook(const Config& config);

/// The same in sentences for the user: one per species, and a last one where a bias exceeds 1 %.
std::vector<std::string> describe_diffusion(const Config& config);

}  // namespace ricochet
