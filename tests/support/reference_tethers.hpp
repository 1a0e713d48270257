// SPDX-License-Identifier: BSD-3-Clause
//
// Tethers, as the reference has them: when one holds its partners back, which pairs may get one, what the tethers of a
// particle keep others' rules from, and which break before a step. It shares the lists and the random numbers with the
// engine, and no formula.
//
// What happens when two become tethered, or are held, is in reference_rules.cpp with all other responses.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

/// When two tethered ones are as far apart as they may be, in straight flight; infinite: never.
double time_when_taut(const ContactRules& rules, const ImageLengths& images, const Participant& low,
                      const Participant& high);

/// Whether both are free for a tether to each other.
bool may_become_tethered(const Stick& rule, const Participant& low, const Participant& high);

/// The rule of their species; a bounce in its place if it would change, move or end one that has tethers.
ContactRule rule_of(const ContactRules& rules, const Participant& low, const Participant& high);
/// The same at the wall of a face.
ContactRule rule_at_wall(const ContactRules& rules, const Participant& particle, int face);

/// Breaks tethers before a step of the given length, in the lists of all particles. Returns a record of each.
std::vector<Contact> reference_tether_breaks(const ContactRules& rules, double timestep, std::uint64_t step,
                                             Particles& particles);

}  // namespace ricochet::test
