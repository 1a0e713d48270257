// SPDX-License-Identifier: BSD-3-Clause
//
// A few sizes that represent all particles of an input, for formulas of theory and plans.
//
// Small systems use the sizes that the run will draw, grouped in classes of equal width, each with its mean
// radius. Few particles of a wide distribution differ from its law by more than the error of the formulas.
// Large systems, for which drawing takes long, and particles of a file use the law.
#pragma once

#include <vector>

#include "ricochet/model/world.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet {

struct WeightedRadius {
    double radius = 0;
    double weight = 0;  ///< share of the particles of the species
};

/// The radii of one species; a single one where all are equal. Weights sum to 1.
std::vector<WeightedRadius> typical_radii(const World& world, SpeciesIndex species);

/// The classes of one species, with the masses that enter contacts; empty for a species without particles.
std::vector<SizeClass> size_classes(const World& world, SpeciesIndex species);
/// The classes of all species.
std::vector<SizeClass> size_classes(const World& world);

}  // namespace ricochet
