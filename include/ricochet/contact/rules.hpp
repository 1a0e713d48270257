// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of contacts: one restitution coefficient per unordered pair of species, and one per species for
// the walls. Layout: a flat symmetric table, read once per contact.
#pragma once

#include <cstddef>
#include <vector>

#include "ricochet/model/particles.hpp"

namespace ricochet {

class ContactRules {
  public:
    /// All pairs and walls respond with the given restitution (1: elastic, 0: no rebound).
    explicit ContactRules(std::size_t num_species = 1, double restitution = 1)
        : num_species_(num_species),
          pair_(num_species * num_species, restitution),
          wall_(num_species, restitution) {}

    void set_pair(SpeciesIndex a, SpeciesIndex b, double restitution) {
        pair_[a * num_species_ + b] = restitution;
        pair_[b * num_species_ + a] = restitution;
    }
    void set_wall(SpeciesIndex a, double restitution) { wall_[a] = restitution; }

    double pair(SpeciesIndex a, SpeciesIndex b) const { return pair_[a * num_species_ + b]; }
    double wall(SpeciesIndex a) const { return wall_[a]; }
    std::size_t num_species() const { return num_species_; }

  private:
    std::size_t num_species_;
    std::vector<double> pair_;
    std::vector<double> wall_;
};

}  // namespace ricochet
