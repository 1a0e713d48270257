// SPDX-License-Identifier: BSD-3-Clause
//
// Lets the particles of a run decay (contact/decay.hpp), and gives the newborn their ids. Tethered particles do not
// decay.
//
// The second of two products takes the id of the one that its parent has absorbed, if any. All others take new ids:
// the next free one on, in the order of their parents' ids over all ranks. So ids are the same on any number of
// ranks, and none that has ended is used again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contact/decay.hpp"
#include "geometry/body_room.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class Decays {
  public:
    /// Keeps the reference to the exchange.
    Decays(Exchange& exchange, const World& world)
        : exchange_(exchange), box_(world.box), rules_(world), bodies_(world) {}

    bool are_none() const { return rules_.channels().empty(); }
    /// The id of the next particle that needs a new one; none where no particles are born.
    std::optional<ParticleId> next_id() const { return next_id_; }
    /// Before the first step: new ids follow the largest of the particles' ids. Collective.
    void start(const Particles& owned);
    /// The same of a run that is continued.
    void restore(std::optional<ParticleId> next_id) { next_id_ = next_id; }

    /// The decays of half a step, without those whose products have no room (decay_room.hpp), or would be in a body or
    /// beyond it. The newborn stay on the rank, positions wrapped into the box. Returns a record of each decay.
    /// Throws RunError on all ranks when there are no ids left. Collective.
    std::vector<Contact> decay(HalfStep half, Particles& owned);

  private:
    struct Parent {
        std::size_t index;
        std::uint32_t channel;
        ParticleId id_of_second;  ///< no_id: there is no second product
    };

    std::vector<Parent> parents_in(HalfStep half, const Particles& owned) const;
    void leave_out_those_at_bodies(std::vector<Parent>& parents, HalfStep half, const Particles& owned) const;
    void leave_out_those_without_room(std::vector<Parent>& parents, HalfStep half,
                                      const Particles& owned) const;
    void give_new_ids(std::vector<Parent>& parents, const Particles& owned, std::uint64_t step);
    Contact replace(const Parent& parent, HalfStep half, Particles& owned) const;

    Exchange& exchange_;
    Box box_;
    DecayRules rules_;
    BodyRoom bodies_;
    std::optional<ParticleId> next_id_;
};

}  // namespace ricochet
