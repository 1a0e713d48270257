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

#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

/// `chord_time`: of the contact of straight paths, infinite if there is none before the end. low has the smaller id.
Prospect rated_prospect_of_pair(const ContactScene& scene, double rate, double chord_time,
                                const Participant& low, const Participant& high);
/// The same at the wall of a face.
/// At a body whose rule reacts for certain; the surface's gaps at the particle's own time and at the end.
Prospect certain_prospect_at_body(const ContactScene& scene, double chord_time, const Participant& particle,
                                  ParticleId surface, double gap, double gap_at_end);
Prospect rated_prospect_at_wall(const ContactScene& scene, double rate, double chord_time,
                                const Participant& particle, int face);

}  // namespace ricochet::test
