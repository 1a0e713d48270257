// SPDX-License-Identifier: BSD-3-Clause
//
// What comes of a contact, as a value: which partner changes, which ends, and how. It is a function of the rule, of the
// partners' states and of a random number that these determine. Every rank that has both partners then finds the
// same, and may find it in any order.
//
// Nothing has changed when the outcome is known. ContactApplier makes it take effect, in one place, so that a
// rule needs to know nothing of rollback, search and other ranks.
//
// Each alternative of ContactRule has a pair of functions `outcome` here, and without them does not compile.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "ricochet/contact/rules.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// What the record keeps of a contact. Vectors point from the lower to the higher id.
struct Impact {
    Vec3 normal;
    double distance = 0;  ///< between the centres (obstacle: the radius)
    double speed = 0;     ///< of approach along the normal
    double impulse = 0;   ///< momentum transferred to the higher id along the normal
};

/// How a particle goes on, from the time of the contact.
struct NewMotion {
    Vec3 position;
    Vec3 velocity;
};

/// What the partners are after the contact: their attributes, or absent_attributes where one has ended. `high` has no
/// meaning for an obstacle.
struct NewMatter {
    Attributes low, high;

    /// Whether one of two particles ends, and the other goes on.
    bool has_survivor() const { return is_absent(low) != is_absent(high); }
};
inline constexpr Attributes absent_attributes{.species = absent_species};

/// -x, and +0 where that is zero. Compilers may fold a negation into the operation before it, with another sign of
/// zero.
constexpr double minus(double x) { return 0 - x; }

struct ContactOutcome {
    Impact impact;
    std::optional<NewMotion> low;   ///< where this partner changes; also what touches an obstacle
    std::optional<NewMotion> high;  ///< likewise; never an obstacle
    ContactEffect effect = ContactEffect::bounce;
    std::optional<NewMatter> matter{};  ///< where species, radius or mass change; never without new motions
};

/// The kinetic energy that a particle of this mass gains.
inline double energy_gained(double mass, Vec3 before, Vec3 after) {
    return 0.5 * mass * dot(after - before, after + before);
}

/// The state of the tether between two partners.
enum class TetherState : std::uint8_t {
    none,   ///< and none may form
    forms,  ///< there is none, and one may form
    slack,  ///< there is one, and the two touch
    taut    ///< there is one, and it holds them
};

/// What two partners that react at a rate do next, if neither changes before (rated_reaction.hpp).
struct RatedEvent {
    double time;   ///< of the step; infinite: nothing
    bool reacts;   ///< false: they bounce
    bool touches;  ///< whether their straight paths touch then; else they react at a distance
};

/// What all contacts of a step have in common.
struct ContactSetting {
    const ContactRules* rules = nullptr;  ///< not needed by a bounce, as all of this
    std::uint64_t step = 0;
    double begin = 0;  ///< of the part of the step, as the next
    double end = 0;
};

/// Where two touch of which one is no sphere.
struct TouchingSurfaces {
    Vec3 normal;         ///< of length 1, from the lower to the higher id
    double overlap = 0;  ///< how deep; 0 where it is no deeper than rounding
};

/// Two particles that touch, in the order of their ids, with their motions before the contact.
struct PairContact {
    double time;  ///< within the step
    const Motion& low;
    const Motion& high;
    const Attributes& attributes_low;
    const Attributes& attributes_high;
    const ImageLengths& images;
    ContactSetting setting{};
    std::uint32_t num_before_low = 0;  ///< contacts of each in this part of the step
    std::uint32_t num_before_high = 0;
    std::optional<RatedEvent> rated{};  ///< decides instead of the rule where the pair reacts at a rate
    TetherState tether = TetherState::none;
    bool is_elastic = false;                     ///< whatever the rule: one of the two has just had a contact
    const Vec3* gravity = nullptr;               ///< acceleration of both; none: they do not fall
    const TouchingSurfaces* surfaces = nullptr;  ///< where one partner is no sphere
};

inline constexpr RestitutionLaw elastic_law{};

/// The restitution of a bounce.
template <class Contacting>
const RestitutionLaw& restitution_of(const Contacting& contact, const RestitutionLaw& by_rule) {
    return contact.is_elastic ? elastic_law : by_rule;
}

/// How an obstacle moves where it is touched, in the frame of the step.
struct MovingSurface {
    Vec3 velocity;
    double least_parting = 0;  ///< speed of parting along the normal, at least
};

/// A particle that touches an obstacle, with its motion before the contact.
struct ObstacleContact {
    double time;  ///< within the step
    const Motion& motion;
    const Attributes& attributes;
    Vec3 normal;  ///< of the obstacle's surface: unit vector from the centre into the obstacle
    ParticleId obstacle = first_obstacle_id;  ///< its name in contact keys
    ContactSetting setting{};
    std::uint32_t num_before = 0;           ///< contacts of the particle in this part of the step
    std::optional<RatedEvent> rated{};      ///< as in PairContact
    bool is_hollow = false;                 ///< whether the surface is curved towards the particle
    bool is_elastic = false;                ///< as in PairContact
    std::optional<MovingSurface> moving{};  ///< none: it rests
    /// Of one that passes at a distance: from where its path would end, to the mirror image behind the surface.
    Vec3 to_mirror_image{};
};

// --- the rules: contact/bounce.cpp, pass.cpp, react.cpp, coalesce.cpp, stick.cpp, thermal.cpp ----------------

ContactOutcome outcome(const Bounce& rule, const PairContact& contact);
ContactOutcome outcome(const Bounce& rule, const ObstacleContact& contact);
ContactOutcome outcome(const Pass& rule, const PairContact& contact);
ContactOutcome outcome(const React& rule, const PairContact& contact);
ContactOutcome outcome(const React& rule, const ObstacleContact& contact);
ContactOutcome outcome(const Coalesce& rule, const PairContact& contact);
ContactOutcome outcome(const Stick& rule, const PairContact& contact);
ContactOutcome outcome(const Pass& rule, const ObstacleContact& contact);
/// Obstacles do not coalesce or stick: a defect of the program.
[[noreturn]] ContactOutcome outcome(const Coalesce& rule, const ObstacleContact& contact);
[[noreturn]] ContactOutcome outcome(const Stick& rule, const ObstacleContact& contact);
ContactOutcome outcome(const Thermal& rule, const ObstacleContact& contact);
/// Particles have no temperature of their own: a defect of the program.
[[noreturn]] ContactOutcome outcome(const Thermal& rule, const PairContact& contact);

/// An elastic bounce of spheres that grow: at time t of the step radii are 1 + rate t times those of the attributes.
/// In contact/bounce.cpp.
ContactOutcome outcome_of_growing(const PairContact& contact, double rate);
ContactOutcome outcome_of_growing(const ObstacleContact& contact, double rate);

/// By the rule of the contact, whichever it is.
template <class Contacting>
ContactOutcome outcome_by(const ContactRule& rule, const Contacting& contact) {
    if (const Bounce* const bounce = std::get_if<Bounce>(&rule)) return outcome(*bounce, contact);
    return std::visit([&contact](const auto& of) { return outcome(of, contact); }, rule);
}

}  // namespace ricochet
