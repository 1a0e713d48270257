// SPDX-License-Identifier: BSD-3-Clause
//
// What comes of one contact, as the reference has it: the rules of contacts written a second time. It shares
// the rules' data with the engine, and no formula.
//
//   bounce      velocities change along the normal
//   pass        nothing changes but the records' times
//   react       the partners become products, or end; with a probability below 1 they may bounce instead
//   coalesce    the heavier swallows the lighter
//   stick       as bounce, and from now on the partners are tethered (reference_tethers.hpp)
//   thermal     at a surface: the velocity is drawn anew, as of a gas that comes through it
//
// At a rate it is decided beforehand whether these two happen (reference_rates.hpp).
//
// A particle that ends stays in its place as absent until the step is over.
#pragma once

#include <cstdint>
#include <optional>

#include "geometry/shape_table.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet::test {

/// A particle that takes part in a contact.
struct Participant {
    Motion motion;
    Attributes attributes;
    std::uint64_t num_contacts = 0;      ///< in this part of the step, before this one
    Tethers tethers{};                   ///< none where no rule sticks
    double touched_at = no_contact_yet;  ///< when it had its latest contact
};

/// What a contact depends on beyond its partners.
struct ContactScene {
    const ContactRules& rules;
    const Box& box;
    std::uint64_t step = 0;  ///< number of the step: with `begin`, it enters the random numbers
    double begin = 0;        ///< of this part of the step
    double end = 0;          ///< likewise
    Vec3 gravity{};
    const ShapeTable* shapes = nullptr;
};

/// The shapes of the species. When convex bodies touch, geometry says to the reference too: its tests have another way.
ShapeTable shapes_of(const Box& box, const ContactRules& rules, const std::vector<Body>& bodies);

/// A random word that the partners, their past and the step determine. `num_contacts_of_high`: 0 for walls.
std::uint64_t word_of(const ContactScene& scene, Stream stream, const Participant& low, ParticleId high,
                      std::uint64_t num_contacts_of_high);
/// A number in [0, 1) that the partners, their past and the step determine. `num_contacts_of_high`: 0 for walls.
double chance_of(const ContactScene& scene, const Participant& low, ParticleId high,
                 std::uint64_t num_contacts_of_high);

/// Whether one of the two is no sphere.
bool have_shape(const ContactScene& scene, const Attributes& low, const Attributes& high);

struct Outcome {
    Participant low, high;  ///< afterwards; of a surface only low
    Vec3 touching_from;     ///< centre of low at the contact, before it changes
    Vec3 touching_to;       ///< the same of high
    Vec3 normal;            ///< from low to high
    double distance = 0;    ///< between the centres; wall: the radius
    double speed = 0;       ///< of approach
    double impulse = 0;
    ContactEffect effect = ContactEffect::bounce;
    bool overlaps_deeply = false;  ///< by more than rounding explains
    bool is_caught = false;        ///< between surfaces: it has not rebounded
};

/// Whether two that overlap have a contact at once.
enum class AtOverlap : std::uint8_t { if_approaching, always, never };
AtOverlap at_overlap(const ContactRule& rule);

inline bool is_absent(const Attributes& attributes) { return attributes.species == absent_species; }

/// What two do next, if neither changes before.
struct Prospect {
    double time = 0;                  ///< infinite: nothing
    std::optional<bool> reacts = {};  ///< decided at a rate; none: the rule has none
    bool is_taut = false;             ///< their tether holds them
    bool is_miss = false;             ///< they react although their straight paths do not touch
    Vec3 shift{};                     ///< of one that passes a body so: how far the end of its path moves
};

/// Two particles at the prospect's time; low has the smaller id.
Outcome outcome_of_pair(const ContactScene& scene, const Prospect& prospect, const Participant& low,
                        const Participant& high);
/// A surface where a particle touches it.
struct Touched {
    ParticleId id = 0;  ///< in contact keys
    BodyNumber body = 0;
    Vec3 normal{};                       ///< from the centre into the body
    Vec3 point{};                        ///< not wrapped
    double distance = 0;                 ///< from the centre
    bool is_curved_inwards = false;      ///< the particle is inside
    Vec3 velocity{};                     ///< of the surface, in the particle's frame
    double least_parting = 0;            ///< above 0: a particle parts from it at this speed at least
    bool stops_what_bounces = false;     ///< in all directions
    bool holds_what_bounces = false;     ///< the particle is caught: it does not rebound
    std::optional<double> at_contact{};  ///< the distance at which it touches; none: the radius
    std::optional<double> depth{};       ///< of a shape in a body
};
/// The wall of the given face, 2 axis + (0 low, 1 high), with a centre at `place`.
Touched touched_wall(const Box& box, int face, Vec3 place);
/// A particle at a wall or body.
Outcome outcome_at_surface(const ContactScene& scene, const Prospect& prospect, const Participant& particle,
                           const Touched& surface);

}  // namespace ricochet::test
