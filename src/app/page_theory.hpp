// SPDX-License-Identifier: BSD-3-Clause
//
// What the scripts of a page take from theory, the one source of its reference lines. The input kept in the
// file says what is simulated; sizes and masses are those of the particles in the file, which were drawn from
// a distribution and need not be its mean. Distributed ones are put into classes that are narrow beside what
// theory leaves out.
#pragma once

#include <string>

#include "io/result_reader.hpp"

namespace ricochet {

/// JSON with what is known among
///     kT            of the input
///     elastic       whether contacts keep the energy
///     equal         whether all particles are alike
///     contact_rate  pair contacts per time in the box at kT, in equilibrium
///     rate_of, pressure_of   whose theory that and the next are
///     compressibility        P V / (N kT)
///     cooling_rate  of equal inelastic particles that stay uniform, from kT: T = kT (1 + rate t)^-2
///     fractions     of the volume (area) that each species fills; Brownian particles only
///     diffusion_bias  of each species, a share: hard_sphere_theory.hpp
/// Nothing of equilibrium for inelastic contacts, walls, a solid, velocities that were given; "{}" where the
/// input cannot be read here: it may name files that are gone. Reads radii, masses and species in blocks.
std::string page_theory(const ResultReader& reader);

}  // namespace ricochet
