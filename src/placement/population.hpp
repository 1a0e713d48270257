// SPDX-License-Identifier: BSD-3-Clause
//
// The particles of generated placements. Ids are dense: species 0 has the ids 0 ... count-1, species 1 the
// next, and so on. All properties of a particle except its position are functions of its id. So any rank can
// make any particle, and none needs a table of all.
#pragma once

#include <cstdint>
#include <vector>

#include "model/size_distribution.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The attributes of a particle of this radius, with mass and diffusion of the species. The effective mass of
/// Brownian particles is set later, when the timestep is known.
Attributes make_attributes(const Species& species, SpeciesIndex index, double radius);

class Population {
  public:
    /// `passing` tells, row after row, which two species pass through each other; empty: none do.
    Population(std::vector<Species> species, std::uint64_t seed, std::vector<bool> passing = {});

    /// The same particles, all radii times `factor`.
    Population scaled(double factor) const {
        Population result(*this);
        result.scale_ *= factor;
        return result;
    }

    /// Particles in the whole box.
    std::uint64_t size() const { return first_ids_.back(); }
    std::uint64_t seed() const { return seed_; }
    const std::vector<Species>& species() const { return species_; }

    /// The species of a particle with id < size(). O(log(number of species)).
    SpeciesIndex species_of(ParticleId id) const;
    /// Whether any two particles may overlap.
    bool has_passing() const { return !passing_.empty(); }
    /// Whether these may overlap.
    bool may_pass(ParticleId a, ParticleId b) const {
        return has_passing() && species_pass(species_of(a), species_of(b));
    }
    bool species_pass(SpeciesIndex a, SpeciesIndex b) const {
        return has_passing() && passing_[a * species_.size() + b];
    }
    double radius(ParticleId id) const { return scale_ * radius_of(species_[species_of(id)], seed_, id); }
    /// Appends the particle to `particles`, at rest at `position`.
    void append(ParticleId id, double radius, Vec3 position, Particles& particles) const;

  private:
    std::vector<Species> species_;
    std::uint64_t seed_;
    double scale_ = 1;  ///< of radii
    std::vector<bool> passing_;
    std::vector<std::uint64_t> first_ids_;  ///< of each species, and the end
};

}  // namespace ricochet
