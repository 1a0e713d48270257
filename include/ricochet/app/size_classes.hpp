// SPDX-License-Identifier: BSD-3-Clause
//
// Few sizes that stand for all particles of an input, for formulas of theory and plans.
//
// Up to a number of particles at which drawing takes no time, the sizes are those that the run will draw: few
// particles of a wide distribution differ from its law by more than the formulas are wrong. They are gathered
// in classes of equal width, each with its mean radius. Of more particles, or of a file's, the law is taken.
#pragma once

#include <vector>

#include "ricochet/app/hard_sphere_theory.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

struct WeightedRadius {
    double radius = 0;
    double weight = 0;  ///< share of the particles of the species
};

/// Of one species: a single one where all have the same radius. Weights sum to 1.
std::vector<WeightedRadius> typical_radii(const Config& config, SpeciesIndex species);

/// Of one species, with the masses that enter contacts; none of a species without particles.
std::vector<SizeClass> size_classes(const Config& config, SpeciesIndex species);
/// Of all species.
std::vector<SizeClass> size_classes(const Config& config);

}  // namespace ricochet
