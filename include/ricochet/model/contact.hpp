// SPDX-License-Identifier: BSD-3-Clause
//
// A contact that has happened, and the order in which contacts happen.
//
// The result of a step is defined as processing all its contacts in the order of ContactKey. The generation
// makes ties causal: a contact is one generation later than the latest contact of its partners at exactly the
// same time. Without it a contact caused at the same instant could precede its cause, by a smaller pair of
// ids.
#pragma once

#include <compare>
#include <cstdint>

#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

struct ContactKey {
    double time = 0;  ///< within the step, in [0, dt)
    std::uint64_t generation = 0;
    ParticleId low = 0;   ///< the smaller id
    ParticleId high = 0;  ///< the larger id; of an obstacle first_obstacle_id + its number

    /// The other of the two.
    ParticleId partner_of(ParticleId id) const { return id == low ? high : low; }
    friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

/// What came of a contact.
enum class ContactEffect : std::uint8_t {
    bounce,    ///< both rebound
    pass,      ///< both go on as before
    react,     ///< species change, or partners end
    coalesce,  ///< one particle came of two
    let_pass,  ///< two that are wedged into each other did not rebound: it counts as no contact
    decay,     ///< no contact: a particle became others by itself, before or after the drift of a step
    stick,     ///< both rebound, and are tethered from now on
    hold,      ///< both were as far apart as their tether is long, and turn back
    part       ///< no contact: the tether of two broke, before the step
};
/// Whether two have touched, or pulled at their tether.
constexpr bool is_contact(ContactEffect effect) {
    return effect != ContactEffect::let_pass && effect != ContactEffect::decay &&
           effect != ContactEffect::part;
}
/// Whether it happens before the drive of a step, or after its drift.
constexpr bool is_between_drifts(ContactEffect effect) {
    return effect == ContactEffect::decay || effect == ContactEffect::part;
}

/// What two do that overlap, as a product may with others.
enum class Overlap : std::uint8_t {
    bounces,  ///< have a contact now if they approach, none if they part
    reacts,   ///< have a contact now, whether they approach or part: something happens for certain
    passes    ///< have none
};

/// The place of a rule in the input's list contacts.pairs; of a decay in the list decays.
using RuleNumber = std::uint32_t;
/// The rule number of contacts for which the list has no rule.
inline constexpr RuleNumber no_rule = 0xffffffffu;

/// One final contact: the record of the collision log. Vectors point as from `low` to `high`.
///
/// Decays are recorded in this form too, with time 0 or, after the drift, the timestep: of the parent, and of the
/// newborn or no_id. A newborn has absent_species before. Speed and impulse are 0. Likewise tethers that break: then
/// the point is the centre of low, and normal and distance are 0.
///
/// A tether that holds two back pulls: speed and impulse are negative.
struct Contact {
    ContactKey key;
    Vec3 point;          ///< where the surfaces touch, wrapped into the box
    Vec3 normal;         ///< unit vector from the centre of low to the centre (or wall) of high
    double impulse = 0;  ///< momentum transferred to high along the normal; >= 0 but for tethers
    double speed = 0;  ///< relative normal speed of approach before the contact, > 0; a product that overlaps
                       ///< what it reacts with at once may part from it: < 0
    double distance =
        0;  ///< between the centres (wall: the radius, and 0 where a centre may pass): impulse * distance
            ///< is the virial
    SpeciesIndex species_low = 0;   ///< before the contact, as the next
    SpeciesIndex species_high = 0;  ///< wall_species for a wall
    SpeciesIndex product_low = 0;   ///< what `low` is afterwards; absent_species where it has ended
    SpeciesIndex product_high = 0;  ///< likewise; wall_species for a wall
    RuleNumber rule = no_rule;
    ContactEffect effect = ContactEffect::bounce;
    std::uint16_t body = 0;  ///< of an obstacle: the body whose surface it is
};

/// The part of a contact that observables need, for runs that keep no records. It is less than a third of a
/// Contact to write to memory and to read.
struct ContactBrief {
    double impulse = 0;  ///< this and the next members: as in Contact
    double distance = 0;
    SpeciesIndex species_low = 0;
    SpeciesIndex species_high = 0;
    std::uint16_t body = 0;  ///< as in Contact
    ContactEffect effect = ContactEffect::bounce;
    std::uint8_t unused = 0;  ///< explicit padding, so that two fill a cache line
    RuleNumber rule = no_rule;
};
static_assert(sizeof(ContactBrief) == 32);

/// Kinetic energy that a body gave to a particle at a contact: the heat of one with a temperature, the work of one that
/// moves.
struct GivenEnergy {
    double energy = 0;
    std::uint16_t body = 0;  ///< as in Contact
};

enum class ContactDetail : std::uint8_t { records, briefs };

inline const ContactBrief& brief_of(const ContactBrief& contact) { return contact; }
inline ContactBrief brief_of(const Contact& contact) {
    return {contact.impulse,
            contact.distance,
            contact.species_low,
            contact.species_high,
            contact.body,
            contact.effect,
            0,
            contact.rule};
}

}  // namespace ricochet
