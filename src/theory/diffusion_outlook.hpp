// SPDX-License-Identifier: BSD-3-Clause
//
// Predictions about diffusion in a Brownian run, made before it starts: whether the steps are short enough,
// and how many diffusion times the run covers.
//
// A step is a straight line, and its contacts hinder a particle more than those of a continuous path.
// diffusion_bias() of hard_sphere_theory.hpp estimates the effect.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/config/config.hpp"
#include "ricochet/model/world.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet {

struct SpeciesDiffusion {
    std::string name;
    bool rests = false;           ///< the next three then have no meaning
    double diffusion = 0;         ///< of a free particle, length^2 / time, mean over the radii
    double step_over_radius = 0;  ///< rms displacement along an axis in a step, mean over the radii
    double diffusion_times = 0;   ///< time simulated, in units of diameter^2 / (2 dimension D)
    double fraction = 0;          ///< of the volume (area) that the species fills; 0 for particles of a file
    std::optional<double> bias;   ///< share by which long-time diffusion comes out too low; none for a file's
};

using ClassesBySpecies = std::vector<std::vector<SizeClass>>;

/// The share by which long-time diffusion of a species comes out too low, mean over its particles. It is 0
/// where it passes all others; none without particles, or where some do not move along all axes.
/// Requires: Brownian dynamics; classes of each species.
std::optional<double> diffusion_bias_of(const World& world, const ClassesBySpecies& classes,
                                        SpeciesIndex species);

/// The outlook of each species. Empty for ballistic dynamics.
std::vector<SpeciesDiffusion> diffusion_outlook(const Config& config);

/// The same in sentences for the user: one per species, and a last one where a bias exceeds 1 %.
std::vector<std::string> describe_diffusion(const Config& config);

}  // namespace ricochet
