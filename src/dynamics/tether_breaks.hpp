// SPDX-License-Identifier: BSD-3-Clause
//
// Tethers that break by themselves, at a rate. They do so between steps.
//
// Algorithm: a tether breaks before a step with probability 1 - exp(-rate dt). The random number has the key (seed,
// step, both ids), so both partners find the same, on whichever ranks they are. Each drops the tether from its own
// list, and no message is sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

class TetherBreaks {
  public:
    explicit TetherBreaks(const World& world);

    /// Whether no tether ever breaks.
    bool are_none() const { return !may_break_; }
    /// Drops the tethers of these particles that break before step `step`. Returns a record of each, where the lower id
    /// is among the particles.
    std::vector<Contact> before_step(std::uint64_t step, Particles& owned) const;

  private:
    struct Kind {
        double probability = 0;  ///< to break before a step
        RuleNumber rule = no_rule;
    };

    const Kind& kind_of(SpeciesIndex a, SpeciesIndex b) const { return kinds_[a * num_species_ + b]; }
    bool breaks(const Kind& kind, std::uint64_t step, ParticleId low, ParticleId high) const;

    std::uint64_t seed_;
    std::size_t num_species_;
    std::vector<Kind> kinds_;  ///< by pair of species
    bool may_break_ = false;
};

}  // namespace ricochet
