// SPDX-License-Identifier: BSD-3-Clause
//
// Decays: particles that become others, or end, by themselves and at a rate. They happen twice in a step: before the
// drive and after the drift.
//
// Algorithm: a particle decays in half a step with probability 1 - exp(-K dt / 2), where K is the sum of the rates of
// its species' channels. The channel is then chosen by their shares. Both follow from one number, keyed by (seed, step,
// half, id): the same on any rank.
//
// Reason for halves: what forms in a drift lives at least until the drift ends, half a step on average. With all decays
// before the drive it is in the frame for sure, and frames have too many by K dt / 2 of them. A decay after the drift
// makes up for it, and the mean number in frames is off by (K dt)^2 / 24 of it only.
//
// Two products touch. They lie along a random direction about the centre of mass of the two (Brownian: with effective
// masses, so about the centre of diffusion). If a wall is nearer, both are moved away from it. Both have the velocity
// of the parent.
//
// A product that is frozen along an axis stays where the parent was. The other one is put where a wall leaves it room.
// Velocities are fitted to the axes (frozen_axes.hpp).
//
// Room: products must not overlap a third particle that they would not pass, else nothing happens in this half
// (dynamics/decay_room.hpp). Channels ask for room where their parent passes all species. Then the reverse, an
// association, needs none, and both together keep detailed balance.
//
// A parent that excludes others would need room when it forms. But a contact never looks at a third particle. If its
// decays alone asked, the equilibrium constant could fall to 0.65 of the right one. So they do not, and an overlap is a
// contact like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// The decays of a step before its drive, or after its drift.
struct HalfStep {
    std::uint64_t step;
    bool is_second = false;
};

class DecayRules {
  public:
    explicit DecayRules(const World& world);

    const std::vector<DecayChannel>& channels() const { return channels_; }
    /// Whether some decay has two products.
    bool have_births() const;
    /// Whether products of a channel must have room: the parent passes all species, and they do not.
    bool asks_for_room(std::uint32_t channel) const { return asks_for_room_[channel]; }
    bool some_ask_for_room() const;
    const ContactRules& contact_rules() const { return rules_; }
    /// The time of a half's decays within the step.
    double time_of(HalfStep half) const { return half.is_second ? timestep_ : 0; }

    /// The place of the channel by which a particle decays in half a step; none if it lives on.
    std::optional<std::uint32_t> channel_of(SpeciesIndex species, ParticleId id, HalfStep half) const;

    /// What a particle becomes by a channel.
    struct Products {
        Attributes first, second;              ///< absent_attributes: there is none
        Vec3 position_first, position_second;  ///< not wrapped
        Vec3 direction;                        ///< from the first to the second; 0 without a second
        Vec3 velocity_first, velocity_second;
    };
    Products products_of(std::uint32_t channel, const Motion& motion, const Attributes& attributes,
                         HalfStep half) const;

  private:
    /// A particle decays by the first of its channels whose threshold is above its random number.
    struct Threshold {
        std::uint32_t channel;
        double probability;  ///< to decay by this channel, or by one before it
    };

    bool passes_all(SpeciesIndex species) const;
    RandomWords words_of(ParticleId id, HalfStep half, unsigned block) const;
    Vec3 random_direction(ParticleId id, HalfStep half) const;
    void put_side_by_side(Products& products) const;
    void turn_between_walls(Products& products) const;
    void keep_between_walls(Products& products) const;
    Vec3 velocity_of(const Attributes& product, bool is_second, const Motion& motion,
                     const Attributes& parent, HalfStep half) const;

    Box box_;
    ContactRules rules_;
    std::vector<DecayChannel> channels_;
    std::vector<bool> asks_for_room_;  ///< by channel
    double timestep_;
    std::vector<std::vector<Threshold>> thresholds_;  ///< by species, ascending
};

}  // namespace ricochet
