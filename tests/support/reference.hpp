// SPDX-License-Identifier: BSD-3-Clause
//
// The reference: one step of the model, written for reading and not for speed. All pairs, scalar, one event
// at a time, no cells, windows, islands or rollback. It defines what every engine, search and rank count must
// reproduce bit by bit, and it shares no geometry or response code with them: the formulas are transcribed
// here a second time.
//
//   key of a contact   (time, generation, lower id, higher id)
//   next contact       the least key over all pairs, walls and bodies, each predicted from the particles' own records
//   response           both partners move to the contact and change as their rule has it (reference_rules.hpp);
//                      no other particle changes. One that ends has no contacts from then on
//   wedges             two that still bounce at one instant after 64 generations are let pass
//   end of the step    all particles move to dt, coordinates return to [0, L), images are counted
//   collapse           a bounce is elastic if one of the two had a contact less than a duration ago, in this step or
//                      before; to pass is not a contact. Each particle keeps the time of its latest one
//   gravity            coordinates are those of the frame in which particles fly straight: to what they are in space,
//                      (g/2) t (t - whole step) is added. Walls and bodies rest in space, and are met there. What
//                      reaches into a surface or a partner parts with 9/8 of the energy that leads out
//   moving walls       a particle sees such a wall from a place that moves with it, in which the wall rests
//   long step          where a pair might have two nearest images, each half of the step is one by itself
//
// Two forms, which must agree in every bit:
//   reference_step           scans all pairs again after every contact: the definition, O(N^2) per contact
//   reference_step_by_lists  keeps the earliest contact of each particle and repairs it: O(N) per contact,
//                            O(N^2) per step; for systems of a few thousand
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet::test {

struct StepSettings {
    double dt = 0;                          ///< when the step ends
    double begin = 0;                       ///< when it begins: not 0 for a part of a longer step
    std::uint64_t step = 0;                 ///< its number, on which random responses depend
    std::uint64_t contact_cap = 1'000'000;  ///< a particle that reaches it within one step ends the run
    std::vector<Body> bodies{};             ///< beside the walls of the box
    Vec3 gravity{};                         ///< length/time^2
    std::array<WallMotion, 6> walls{};      ///< by face
    double whole = 0;  ///< with gravity or moving walls: the length of the step, also for a part of it
    bool is_last_part = true;       ///< of the step: the next one begins where it ends
    bool count_generations = true;  ///< false: every generation 0; only to show why they are needed
};

/// The particle that reached the contact cap (the lower id if both partners did), its partner, and when. Or it became
/// too wide for a body that it is in.
struct CapReached {
    ParticleId id = 0;
    ParticleId other = 0;
    double time = 0;
    ParticleId outgrown = 0;  ///< the surface of that body; 0: the cap

    friend bool operator==(const CapReached&, const CapReached&) = default;
};

struct StepResult {
    std::vector<Contact> contacts;        ///< in the order of their keys
    std::optional<CapReached> exhausted;  ///< set: the step ended there, particles are as of that contact
    bool is_too_long =
        false;  ///< L/2 > r_a + r_b + d_a + d_b + 2 reach did not hold, at the start or after a contact
};

/// Processes one step of `particles` in place. On entry all times are 0 and positions lie in the box; on
/// return likewise, without those that have ended. Ids must be unique and below first_obstacle_id. O(N^2) per
/// contact.
StepResult reference_step(const Box& box, Particles& particles, const ContactRules& rules,
                          const StepSettings& settings);

/// The same bits in O(N^2 + contacts N).
StepResult reference_step_by_lists(const Box& box, Particles& particles, const ContactRules& rules,
                                   const StepSettings& settings);

/// The same for a step of any length: halved, and each half again, until none is too long. Each part is a step
/// of its own for generations, latest partners and contact caps. Throws if no part is short enough.
StepResult reference_long_step(const Box& box, Particles& particles, const ContactRules& rules,
                               const StepSettings& settings);

}  // namespace ricochet::test
