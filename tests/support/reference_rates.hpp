// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian reactions at intrinsic rates, as the reference has them. A Brownian path may touch a partner between the
// ends of a step although the straight path does not. Whether it does, and reacts, is decided when the partners'
// next contact is looked for, by both states and one number.
//
//   chord contact    the straight paths touch: a reaction with chance q, or else a bounce
//   miss             they do not: a reaction with chance q exp(-2 a b / s^2), or nothing
//
// a and b are the gaps now and at the end of the part of the step (not below 0), s^2 = 2 D tau with tau the time
// between. Where 2 a b > 20 s^2 a miss stays one.
#pragma once

#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

/// `chord_time`: of the contact of straight paths, infinite if there is none before the end. low has the smaller id.
Prospect rated_prospect_of_pair(const ContactScene& scene, double rate, double chord_time,
                                const Participant& low, const Participant& high);
/// The same at the wall of a face.
Prospect rated_prospect_at_wall(const ContactScene& scene, double rate, double chord_time,
                                const Participant& particle, int face);
/// The same at a surface of a body.
Prospect rated_prospect_at_body(const ContactScene& scene, double rate, double chord_time,
                                const Participant& particle, const BodySurface& surface);

/// Where the particle is when it would react without touching the surface.
double time_of_miss_at_body(const ContactScene& scene, const Participant& particle,
                            const BodySurface& surface);
/// The same where the centre may pass the surface.
Prospect rated_prospect_of_passing(const ContactScene& scene, double permeability, double chord_time,
                                   const Participant& particle, const BodySurface& surface);

}  // namespace ricochet::test
