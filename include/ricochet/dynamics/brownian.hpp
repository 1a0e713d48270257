// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian dynamics: in each step every particle gets a new velocity, such that the free displacement over
// the step is that of diffusion, sqrt(2 D dt) times a standard normal number per axis. The numbers are a
// function of (seed, id, step), so that they do not depend on the rank, the order or a restart.
//
// "velocity" therefore means displacement per step over dt, and "mass" the effective mass kT dt / (2 D) for
// which these velocities are Maxwell's at temperature kT: contacts with these masses keep the equilibrium of
// unequal species exact.
#pragma once

#include <cstdint>

#include "ricochet/core/particles.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

/// kT dt / (2 D), from kT, the timestep and the diffusion coefficient.
inline double effective_mass(double thermal_energy, double dt, double diffusion) {
    return thermal_energy * dt / (2 * diffusion);
}

/// Gives every particle the velocity sqrt(2 D/dt) xi of the given step, D being its own (attributes); in two
/// dimensions the z component is 0. Throws RunError at step 2^48. Cost 5-10 ns per particle.
void drive_brownian(Particles& particles, int dimension, double dt, std::uint64_t seed, std::uint64_t step,
                    Stream stream = Stream::brownian);

}  // namespace ricochet
