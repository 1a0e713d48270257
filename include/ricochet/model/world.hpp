// SPDX-License-Identifier: BSD-3-Clause
//
// What is simulated: the box, the species, what their contacts do, and what particles do by themselves. Plain data that
// computes nothing. An input fills it (world_of in config/config.hpp), and so may a program that calls the library.
//
// It does not hold how that is simulated (search, ranks), where particles start, or what is recorded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/contact_rule.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The rule of two species, or of one and walls.
struct SpeciesRule {
    SpeciesIndex a = 0, b = 0;  ///< in either order; b may be wall_species
    ContactRule rule{};
    RuleNumber number = no_rule;         ///< by which records name it
    std::vector<std::uint32_t> faces{};  ///< of walls: for which, 2 axis + (0 low, 1 high); empty: for all

    friend bool operator==(const SpeciesRule&, const SpeciesRule&) = default;
};

/// A channel of decay. The first product continues the particle; without one it ends.
struct DecayChannel {
    SpeciesIndex from = 0;
    std::array<SpeciesIndex, 2> products{absent_species,
                                         absent_species};  ///< the second never without the first
    double rate = 0;                                       ///< 1/time

    bool is_birth() const { return products[1] != absent_species; }
    friend bool operator==(const DecayChannel&, const DecayChannel&) = default;
};

/// All numbers are in one consistent system of units, that of the input.
struct World {
    Box box{};
    std::vector<Species> species{};       ///< at least one
    ContactRule pair_rule = Bounce{};     ///< of two species without a rule of their own
    ContactRule wall_rule = Bounce{};     ///< of a species and a wall without one
    std::vector<SpeciesRule> rules{};     ///< of two for the same contact the later one counts
    std::vector<DecayChannel> decays{};   ///< their numbers are their places
    double timestep = 0;                  ///< time; Brownian motion, rates and decays depend on it
    std::optional<double> bath_energy{};  ///< kT of Brownian particles; none for ballistic ones
    /// Whether Brownian particles react at rates (src/contact/rated_reaction.hpp). False: at contacts only.
    bool has_rates = true;
    std::uint64_t seed = 1;  ///< of everything random

    friend bool operator==(const World&, const World&) = default;
};

}  // namespace ricochet
