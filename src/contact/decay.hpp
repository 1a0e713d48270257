// SPDX-License-Identifier: BSD-3-Clause
//
// Decays: particles that become others, or end, by themselves and at a rate. They happen between steps.
//
// Algorithm: a particle decays in a step with probability 1 - exp(-K dt), where K is the sum of the rates of its
// species' channels. The channel is then chosen by their shares. So a particle decays at most once in a step. Both
// follow from one number, keyed by (seed, step, id): the same on any rank.
//
// Two products touch. They lie along a random direction about the centre of mass of the two (Brownian: with effective
// masses, so about the centre of diffusion). If a wall is nearer, both are moved away from it. Both have the velocity
// of the parent. Nobody looks whether they overlap a third particle: that is a contact like any other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// A channel of decay. The first product continues the particle; without one it ends.
struct DecayChannel {
    SpeciesIndex from = 0;
    std::array<SpeciesIndex, 2> products{absent_species,
                                         absent_species};  ///< the second never without the first
    double rate = 0;                                       ///< 1/time

    bool is_birth() const { return products[1] != absent_species; }
};

class DecayRules {
  public:
    /// `rules` know the species, masses and the seed. `timestep`: of the steps before which particles decay.
    DecayRules(const Box& box, const ContactRules& rules, std::vector<DecayChannel> channels,
               double timestep);

    const std::vector<DecayChannel>& channels() const { return channels_; }
    /// Whether some decay has two products.
    bool have_births() const;

    /// The place of the channel by which a particle decays before step `step`; none if it lives on.
    std::optional<std::uint32_t> channel_of(SpeciesIndex species, ParticleId id, std::uint64_t step) const;

    /// What a particle becomes by a channel.
    struct Products {
        Attributes first, second;              ///< absent_attributes: there is none
        Vec3 position_first, position_second;  ///< not wrapped
        Vec3 direction;                        ///< from the first to the second; 0 without a second
    };
    Products products_of(std::uint32_t channel, const Motion& motion, const Attributes& attributes,
                         std::uint64_t step) const;

  private:
    /// A particle decays by the first of its channels whose threshold is above its random number.
    struct Threshold {
        std::uint32_t channel;
        double probability;  ///< to decay by this channel, or by one before it
    };

    RandomKey key(std::uint64_t step) const;
    Vec3 random_direction(ParticleId id, std::uint64_t step) const;
    void keep_between_walls(Products& products) const;

    Box box_;
    ContactRules rules_;
    std::vector<DecayChannel> channels_;
    std::vector<std::vector<Threshold>> thresholds_;  ///< by species, ascending
};

}  // namespace ricochet
