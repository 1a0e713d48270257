// SPDX-License-Identifier: BSD-3-Clause
//
// Contacts of particles that do not move along some axes. Along these a particle is as if it had infinite mass.
//
// Let W be the sum of both partners' inverse masses, taken along each axis and 0 where a partner is frozen:
//     J = -(1 + e) v_n / (n.W.n),     v_hi += J W_hi n,     v_lo -= J W_lo n.
// Energy is conserved as among free particles, momentum only along axes that both partners move along.
//
// Formulas take the unit vector g along the part of n on the axes that some partner moves along, in place of n. The
// relative velocity has no other part. So nothing is lost to rounding where n is nearly across these axes.
//
// Two that rest never have a contact: their relative velocity is 0 (engine/ruled_times.hpp).
//
// Rules that change partners can freeze axes or set them free. A velocity along an axis that becomes frozen ends, and
// what holds the particle takes its momentum. Along an axis that becomes free it is drawn from Maxwell's distribution,
// for the particle had none.
#pragma once

#include "contact/encounter.hpp"

namespace ricochet {

/// Whether some partner does not move along all axes. Else the formulas of bounce.cpp hold.
inline bool have_frozen_axes(const PairContact& contact) {
    return (contact.attributes_low.frozen_axes | contact.attributes_high.frozen_axes) != 0;
}

/// Two that bounce, or that a tether holds, as in bounce.cpp.
/// Requires: not both rest.
ContactOutcome rebounded_on_axes(const PairContact& contact, const RestitutionLaw& law, bool is_held);

/// The direction of the part of a normal along the axes that are not frozen; any of these where there is no part.
Vec3 direction_on_axes(Vec3 normal, std::uint32_t frozen_axes);

/// A particle that bounces off a surface whose normal is along no axis.
ContactOutcome rebounded_on_axes(const ObstacleContact& contact, const RestitutionLaw& law);

/// The part of the way to another particle at which the centre of mass of both is, along each axis. It is 0 where
/// this one is frozen, 1 where only the other is.
Vec3 way_to_centre(const Attributes& from, const Attributes& other);

/// One that comes of two, as in encounter.hpp.
ContactOutcome merged_on_axes(const PairContact& contact, bool low_continues, const Attributes& product);

/// How a particle is set free along axes on which it was frozen.
struct Release {
    const ContactRules& rules;
    std::uint64_t seed, step;  ///< with the id they name its random numbers
    ParticleId id;
};

/// The velocity of a particle that becomes `after`: 0 along its frozen axes, and drawn along those of `frozen_before`
/// that it moves along.
Vec3 velocity_of_product(Vec3 velocity, std::uint32_t frozen_before, const Attributes& after,
                         const Release& release);

/// Fits the velocities of two products to the axes along which they move. Where that stops a partner, the impulse is
/// what changed its momentum along the normal; if it stops both, that of the higher id.
void fit_to_axes(ContactOutcome& outcome, const PairContact& contact);
/// The same of the product at an obstacle.
void fit_to_axes(ContactOutcome& outcome, const ObstacleContact& contact);

}  // namespace ricochet
