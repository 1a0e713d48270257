// SPDX-License-Identifier: BSD-3-Clause
//
// What the rules of the reference share: the chance of a reaction, what a product is, what of a speed is kept.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_rules.hpp"

namespace ricochet::test {

/// A part of the sum of radii: two that are nearer overlap by more than rounding.
inline constexpr double deep = 1 - 1e-9;

void fly_to(Motion& motion, double time);
void end_particle(Participant& particle);
/// With Brownian masses, the one that belongs to the diffusion; else the given one.
double mass_with(const ContactRules& rules, double diffusion, double ballistic);
/// The species absent_species ends it. One that is of the product's species already is its own product.
void become(Participant& particle, SpeciesIndex product, const ContactRules& rules);
/// Whether a contact reacts.
bool reacts(double probability, const ContactScene& scene, const std::optional<bool>& decided,
            const Participant& low, ParticleId high, std::uint64_t num_contacts_of_high);
/// What `particle` would be.
Attributes as_species(const Participant& particle, SpeciesIndex product, const ContactRules& rules);
/// The partner becomes a product that is where it was. What holds it, if it comes to rest, takes its momentum.
/// Returns the change of its momentum along the normal, if it moves along fewer axes than before.
std::optional<double> replace(Participant& particle, const Participant& before, SpeciesIndex product, Vec3 n,
                              const Liberation& by);
/// What is kept of this speed of approach; all of one that is slow, or below 0 by rounding.
double kept_of(double speed, const RestitutionLaw& law);

}  // namespace ricochet::test
