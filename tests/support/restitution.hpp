// SPDX-License-Identifier: BSD-3-Clause
//
// Coefficients of restitution, as tests write them down.
#pragma once

#include <vector>

#include "ricochet/model/particles.hpp"

namespace ricochet::test {

/// Coefficients of restitution per pair of species, and of each species with walls. Species outside the
/// table use the default.
class Restitution {
  public:
    explicit Restitution(double common = 1) : default_(common) {}

    /// Sets the coefficient of contacts between species a and b (in either order); b may be wall_species.
    Restitution& set(SpeciesIndex a, SpeciesIndex b, double value);
    /// Coefficient of contacts between species a and b (in either order); b may be wall_species.
    double operator()(SpeciesIndex a, SpeciesIndex b) const;
    double common() const { return default_; }

    struct Rule {
        SpeciesIndex low, high;
        double value;
    };
    /// The rules that differ from the default, at most one per pair.
    const std::vector<Rule>& rules() const { return rules_; }

  private:
    double default_;
    std::vector<Rule> rules_;
};

}  // namespace ricochet::test
