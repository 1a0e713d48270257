// SPDX-License-Identifier: BSD-3-Clause
//
// What comes of a contact, as a value: who changes, and how. It is a function of the rule and of the
// partners' states alone. Every rank that has both partners then finds the same, and may find it in any
// order.
//
// Nothing has changed when the outcome is known. IslandRunner makes it take effect, in one place, so that a
// rule needs to know nothing of rollback, search and other ranks.
//
// Each alternative of ContactRule has a pair of functions `outcome` here, and without them does not compile.
//
// Not done: partners that end, or whose matter changes. They need a place here beside the new motions.
#pragma once

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

struct ContactOutcome {
    Impact impact;
    std::optional<NewMotion> low;   ///< where this partner changes; also what touches an obstacle
    std::optional<NewMotion> high;  ///< likewise; never an obstacle
};

/// Two particles that touch, in the order of their ids, with their motions before the contact.
struct PairContact {
    double time;  ///< within the step
    const Motion& low;
    const Motion& high;
    const Attributes& attributes_low;
    const Attributes& attributes_high;
    const ImageLengths& images;
};

/// A particle that touches an obstacle, with its motion before the contact.
struct ObstacleContact {
    double time;  ///< within the step
    const Motion& motion;
    const Attributes& attributes;
    Vec3 normal;  ///< of the obstacle's surface: unit vector from the centre into the obstacle
};

// --- the rules: contact/bounce.cpp -------------------------------------------------------------------------

ContactOutcome outcome(const Bounce& rule, const PairContact& contact);
ContactOutcome outcome(const Bounce& rule, const ObstacleContact& contact);

/// By the rule of the contact, whichever it is.
template <class Contacting>
ContactOutcome outcome_by(const ContactRule& rule, const Contacting& contact) {
    return std::visit([&contact](const auto& of) { return outcome(of, contact); }, rule);
}

/// Where a particle on its straight path is at `time` of the step.
inline Vec3 position_at(const Motion& motion, double time) {
    return advanced(motion.position, motion.velocity, time - motion.time);
}

}  // namespace ricochet
