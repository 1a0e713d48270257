// SPDX-License-Identifier: BSD-3-Clause
//
// What is simulated: the box, bodies in it, the species, what their contacts do, and what particles do by themselves.
// Plain data that computes nothing. An input fills it (world_of in config/config.hpp), and so may a program that calls
// the library.
//
// It does not hold how that is simulated (search, ranks), where particles start, or what is recorded.
//
// A rule of contacts is a small value that holds the parameters; src/contact/response.hpp has what comes of a contact.
// A rule knows the two partners and nothing else. A third particle that a product overlaps has a contact of its own
// with it, at the same time and one generation later.
//
// Not done: products whose size is drawn from a distribution.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/tethers.hpp"

namespace ricochet {

/// The coefficient of restitution: the normal speed after a contact over that before it. With an exponent it falls
/// with the speed of approach v along the normal, as of the ice in Saturn's rings (Bridges, Hatzes & Lin, Nature 309,
/// 333, 1984):
///     e(v) = min(1, value (v / speed)^-exponent).
/// Then slow contacts are elastic, so that there is no inelastic collapse.
struct RestitutionLaw {
    double value = 1;     ///< 1 elastic, 0 no rebound; with an exponent the one at `speed`, above 0
    double exponent = 0;  ///< 0: constant; at most 1, so that what arrives faster leaves no slower
    double speed = 1;     ///< length/time, above 0; without an exponent of no meaning

    constexpr RestitutionLaw() = default;
    /// Implicit, so that a number is a constant coefficient.
    constexpr RestitutionLaw(double constant) : value(constant) {}
    constexpr RestitutionLaw(double scale, double power, double scale_speed)
        : value(scale), exponent(power), speed(scale_speed) {}

    constexpr bool is_constant() const { return exponent == 0; }
    /// Whether contacts of all speeds are.
    constexpr bool is_elastic() const { return is_constant() && value == 1; }
    friend bool operator==(const RestitutionLaw&, const RestitutionLaw&) = default;
};

/// Smooth hard spheres rebound from each other, or from a wall.
struct Bounce {
    RestitutionLaw restitution{};

    friend bool operator==(const Bounce&, const Bounce&) = default;
};

/// Both go on as if nothing had happened. A contact is where one enters the other; inside there is none.
///
/// A body, of which particles are on both sides, is a membrane to this species. Its surface is met by centres, and
/// keeps no account of sides. What does not pass bounces elastically.
struct Pass {
    double probability = 1;  ///< at a body, for each contact; of two particles 1
    /// At a body, Brownian only: the permeability, length/time (src/contact/rated_reaction.hpp).
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return probability >= 1 && rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const Pass&, const Pass&) = default;
};

/// Partners become products. One that is of the product's species already stays as it is.
///
/// Two products are where the partners were, and part as from an elastic bounce of the partners. If these part already,
/// or react at a distance, they go on. One product is at the centre of mass, with the momentum of both over the sum of
/// their masses; the other partner ends. Without products both end. At a wall the particle likewise bounces and becomes
/// products[0], or ends.
///
/// A product has no velocity along axes that its species does not move along. Along axes on which its partner was
/// frozen it has a thermal one (src/contact/frozen_axes.hpp).
struct React {
    SpeciesIndex first = 0;  ///< the partner of this species becomes products[0]; of two alike, the lower id
    std::array<SpeciesIndex, 2> products{absent_species,
                                         absent_species};  ///< the second never without the first
    double probability = 1;        ///< of reacting, for each contact; without reaction the partners bounce
    RestitutionLaw restitution{};  ///< of such a bounce

    /// Brownian only: the intrinsic rate, length^d/time for a pair, length/time at walls.
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return probability >= 1 && rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const React&, const React&) = default;
};

/// One sphere comes of two. It conserves volume (discs: area), mass and momentum, and is at the centre of mass.
/// The heavier partner continues, at equal mass the one with the lower id; its species is that of the product. One that
/// rests counts as the heavier.
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
    double break_rate = 0;         ///< 1/time
    double probability = 1;        ///< of becoming tethered, for each contact
    RestitutionLaw restitution{};  ///< of contacts

    /// Brownian only: the intrinsic rate, length^d/time.
    double rate = std::numeric_limits<double>::infinity();

    std::uint32_t valence_of(SpeciesIndex species) const { return valence[species == first ? 0 : 1]; }
    friend bool operator==(const Stick&, const Stick&) = default;
};

/// At walls and other bodies: a particle leaves as if it came out of a gas at rest behind the surface. The velocity
/// with which it arrives does not matter. Ballistic only.
struct Thermal {
    double energy = 1;  ///< kT of that gas

    friend bool operator==(const Thermal&, const Thermal&) = default;
};

/// One of all rules that there are.
using ContactRule = std::variant<Bounce, Pass, React, Coalesce, Stick, Thermal>;

/// The rule of two species, or of one and walls or other bodies.
struct SpeciesRule {
    SpeciesIndex a = 0, b = 0;  ///< in either order; b may be wall_species
    ContactRule rule{};
    RuleNumber number = no_rule;       ///< by which records name it
    std::vector<BodyNumber> bodies{};  ///< with wall_species: for which; empty: for all walls

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

/// How a mass m at a distance d attracts: by G m/d^2, or by G m/d as masses in two dimensions do.
enum class GravityForm : std::uint8_t { inverse_square, inverse };

/// By what particles attract each other (src/gravity/kernels.hpp has the formulas).
struct GravityLaw {
    GravityForm form = GravityForm::inverse_square;
    double constant = 1;   ///< G, positive
    double softening = 0;  ///< e, a length, not negative: distances count as (d^2 + e^2)^1/2

    friend bool operator==(const GravityLaw&, const GravityLaw&) = default;
};

/// How forces are added up (src/gravity/self_gravity.hpp).
enum class GravityMethod : std::uint8_t { direct, tree };

struct GravitySetting {
    GravityLaw law;
    GravityMethod method = GravityMethod::tree;
    double opening = 0.8;  ///< largest size of a cell over its distance; positive

    friend bool operator==(const GravitySetting&, const GravitySetting&) = default;
};

/// All numbers are in one consistent system of units, that of the input.
struct World {
    Box box{};
    std::array<WallMotion, first_body> walls{};  ///< by face; those of ballistic particles may move
    std::vector<Body> bodies{};                  ///< beside the walls of the box
    std::optional<double>
        free_volume{};  ///< that bodies leave in the box (geometry/body_room.hpp); none: all of it
    std::vector<Species> species{};      ///< at least one
    ContactRule pair_rule = Bounce{};    ///< of two species without a rule of their own
    ContactRule wall_rule = Bounce{};    ///< of a species and a wall, or another body, without one
    std::vector<SpeciesRule> rules{};    ///< of two for the same contact the later one counts
    std::vector<DecayChannel> decays{};  ///< their numbers are their places
    /// A bounce is elastic if the latest contact of either partner, with anything, is less than this ago. This keeps
    /// inelastic particles from touching infinitely often in a finite time: the TC model (Luding & McNamara, Granular
    /// Matter 1, 113, 1998). At 0 it is never so, and no particle keeps the time of its latest contact.
    double collapse_duration = 0;
    double timestep = 0;  ///< time; Brownian motion, rates, decays and gravity depend on it
    /// Length/time^2, of all particles. Drives must give the half kicks (src/dynamics/gravity.hpp).
    Vec3 gravity{};
    /// By which particles attract each other; none: they do not. The time loop must give the half kicks
    /// (src/gravity/gravity_kicks.hpp).
    std::optional<GravityLaw> self_gravity{};
    std::optional<double> bath_energy{};  ///< kT of Brownian particles; none for ballistic ones
    /// kT of the velocities that particles get along axes on which rules or decays set them free.
    double thermal_energy = 0;
    /// Whether Brownian particles react at rates (src/contact/rated_reaction.hpp). False: at contacts only.
    bool has_rates = true;
    std::uint64_t seed = 1;  ///< of everything random

    friend bool operator==(const World&, const World&) = default;
};

}  // namespace ricochet
