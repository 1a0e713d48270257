// SPDX-License-Identifier: BSD-3-Clause
//
// The fields of particles as they are at present, found anew only where something has changed since they were found.
//
// A step of kick-drift-kick asks for fields at its start and at its end. Those at its end serve the start of the next
// step, and a sample between both. Each field is kept with the id, position and mass of its particle, and used for what
// still has all three, in whatever slot. If some rank has a particle without such a field, or fewer particles than
// before, all fields are found anew. So decays, contacts and sorts need not say what they have changed.
//
// Fields are functions of these three numbers of all particles. So it makes no difference to any bit whether they were
// kept or found, and no checkpoint holds them.
//
// Cost: a comparison of each particle, and one number on which all ranks agree. Where slots have been sorted, ids are
// searched. Where fields are found, that of SelfGravity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gravity/self_gravity.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// All forces that were found on this rank, added in the order of slots: for reports.
struct ForceSums {
    Vec3 net;
    double gross = 0;  ///< of absolute values
};

class KeptFields {
  public:
    /// Keeps the reference to the exchange. As SelfGravity.
    KeptFields(Exchange& exchange, const Box& box, const GravitySetting& setting)
        : exchange_(exchange), gravity_(exchange, box, setting) {}

    /// The field of each particle of this rank by slot, valid until the next call. Throws RunError on all ranks where
    /// particles are at the same place. Requires: none is absent, all have a mass. Collective.
    std::span<const GravityField> at(const Particles& owned, WithPotential potential);

    /// How often they were found.
    std::uint64_t num_found() const { return num_found_; }
    /// The work of all that on this rank.
    const GravityCounts& counts() const { return counts_; }
    const ForceSums& forces() const { return forces_; }

  private:
    bool take_over(const Particles& owned);
    bool take_over_by_ids(const Particles& owned);
    void find(const Particles& owned, WithPotential potential);

    Exchange& exchange_;
    SelfGravity gravity_;
    std::vector<GravitySource> sources_;  ///< by slot, as are fields
    std::vector<GravityField> fields_;
    bool are_there_ = false;  ///< of some earlier call; the same on all ranks, as is the next
    bool have_potential_ = false;
    std::uint64_t num_found_ = 0;
    GravityCounts counts_;
    ForceSums forces_;
};

}  // namespace ricochet
