// SPDX-License-Identifier: BSD-3-Clause
//
// What a contact may do to its two partners. A rule is a small value that holds the parameters;
// src/contact/response.hpp has what comes of a contact. A rule knows the two partners and nothing else. A third
// particle that a product overlaps has a contact of its own with it, at the same time and one generation later.
//
// Not done: products whose size is drawn from a distribution.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <variant>

#include "ricochet/model/particles.hpp"
#include "ricochet/model/tethers.hpp"

namespace ricochet {

/// Smooth hard spheres rebound from each other, or from a wall.
struct Bounce {
    double restitution = 1;  ///< normal speed after a contact over that before it: 1 elastic, 0 no rebound

    friend bool operator==(const Bounce&, const Bounce&) = default;
};

/// Both go on as if nothing had happened. A contact is where one enters the other; inside there is none.
struct Pass {
    friend bool operator==(const Pass&, const Pass&) = default;
};

/// Partners become products. One that is of the product's species already stays as it is.
///
/// Two products are where the partners were, and part as from an elastic bounce of the partners. If these part already,
/// or react at a distance, they go on. One product is at the centre of mass, with the momentum of both over the sum of
/// their masses; the other partner ends. Without products both end. At a wall the particle likewise bounces and becomes
/// products[0], or ends.
struct React {
    SpeciesIndex first = 0;  ///< the partner of this species becomes products[0]; of two alike, the lower id
    std::array<SpeciesIndex, 2> products{absent_species,
                                         absent_species};  ///< the second never without the first
    double probability = 1;  ///< of reacting, for each contact; without reaction the partners bounce
    double restitution = 1;  ///< of such a bounce

    /// Brownian only: the intrinsic rate, length^d/time for a pair, length/time at walls.
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return probability >= 1 && rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const React&, const React&) = default;
};

/// One sphere comes of two. It conserves volume (discs: area), mass and momentum, and is at the centre of mass.
/// The heavier partner continues, at equal mass the one with the lower id; its species is that of the product.
struct Coalesce {
    /// Brownian only: the intrinsic rate, length^d/time.
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const Coalesce&, const Coalesce&) = default;
};

/// Partners bounce and are tethered from then on: where they are as far apart as the tether is long, they turn back.
///
/// A tether is elastic whatever the restitution. A damped one would turn partners back infinitely often in a finite
/// time. Two that are farther apart than their tether is long come nearer, but go no farther. A particle with tethers
/// keeps its species and its identity: rules that would change, move or end it let it bounce.
struct Stick {
    double length = 2;  ///< of the tether, over the sum of the radii; above 1
    SpeciesIndex first = 0;
    /// The most tethers, of any rules, of a partner of the first species and of the other: with more this rule forms
    /// none.
    std::array<std::uint32_t, 2> valence{Tethers::most, Tethers::most};
    double break_rate = 0;   ///< 1/time
    double probability = 1;  ///< of becoming tethered, for each contact
    double restitution = 1;  ///< of contacts

    /// Brownian only: the intrinsic rate, length^d/time.
    double rate = std::numeric_limits<double>::infinity();

    std::uint32_t valence_of(SpeciesIndex species) const { return valence[species == first ? 0 : 1]; }
    friend bool operator==(const Stick&, const Stick&) = default;
};

/// One of all rules that there are.
using ContactRule = std::variant<Bounce, Pass, React, Coalesce, Stick>;

}  // namespace ricochet
