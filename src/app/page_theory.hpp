// SPDX-License-Identifier: BSD-3-Clause
//
// Theory for the reference lines of a page, computed here and nowhere else.
//
// The input kept in the file says what is simulated. Sizes and masses are those of the particles in the file,
// since drawn sizes need not have the mean of their distribution. Distributed sizes are put into classes,
// narrow enough for the accuracy of the theory.
#pragma once

#include <string>

#include "result/result_reader.hpp"

namespace ricochet {

/// JSON with what is known among
///     kT            of the input; not of driven particles
///     elastic       whether contacts keep the energy
///     equal         whether all particles are alike
///     contact_rate  pair contacts per time in the box at kT, in equilibrium
///     rate_of, pressure_of   whose theory that and the next are
///     compressibility        P V / (N kT)
///     cooling_rate  of equal inelastic particles that stay uniform, from kT: T = kT (1 + rate t)^-2
///     fractions     of the volume (area) that each species fills; Brownian particles only
///     diffusion_bias  of each species, a share: hard_sphere_theory.hpp
/// Equilibrium values are left out for inelastic contacts, walls, solids and given velocities. The result is
/// "{}" where the input cannot be read, for example because it names files that no longer exist. Radii,
/// masses and species are read in blocks.
std::string page_theory(const ResultReader& reader);

}  // namespace ricochet
