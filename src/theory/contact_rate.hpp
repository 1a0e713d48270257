// SPDX-License-Identifier: BSD-3-Clause
//
// How often the particles of an input will touch, as far as theory knows, and what it must know of the input.
#pragma once

#include <optional>

#include "ricochet/config/config.hpp"

namespace ricochet {

/// Pair contacts per time in the whole box by theory, at the given kT. None where theory does not apply: walls and
/// bodies, inelastic contacts, fractions above freezing. Nor where velocities are not thermal, or particles do not move
/// along all axes. Distributed radii are those drawn (size_classes.hpp).
std::optional<double> expected_contact_rate(const Config& config, double thermal_energy);

/// The same for planning. It applies between walls and beside bodies too, where it is some per cent off.
std::optional<double> estimated_contact_rate(const Config& config, double thermal_energy);

/// Pair contacts per time in the whole box of thermal particles that have this reduced pressure p V/(N kT), fluid or
/// not. By the virial: exact for equal particles, about for others.
double contact_rate_at_pressure(const Config& config, double pressure, double thermal_energy);

/// Contacts per particle and step, each counted for both partners, beyond which steps should be shorter.
inline constexpr double many_contacts_per_particle = 4;

/// Whether generated particles start as a fluid with thermal velocities, below freezing. All move along all axes, and
/// nothing drives them.
bool is_thermal_fluid(const Config& config);

/// The fraction of the volume (area) at which equal spheres (discs) begin to freeze: the formulas of the fluid do not
/// hold above it.
double freezing_fraction(int dimension);

/// The fraction from which on a crystal of equal spheres (discs) is stable; below it, it melts in part or as a whole.
/// Spheres: Hoover and Ree, J. Chem. Phys. 49, 3609 (1968). Discs: Engel et al., Phys. Rev. E 87, 042134 (2013).
double melting_fraction(int dimension);

/// Whether contacts keep the energy: all coefficients of restitution, those of walls included, are 1.
bool is_elastic(const World& world);

/// Whether all particles have the same size. Then the expected rate is accurate to a fraction of a per cent.
bool is_equal_particle_system(const World& world);

/// Whether there are neither walls nor bodies.
bool is_bulk(const World& world);

}  // namespace ricochet
