// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian dynamics: in each step every particle gets a new velocity. Its free displacement over the step is
// that of diffusion, sqrt(2 D dt) times a standard normal number per axis. The numbers are a function of
// (seed, id, step), so they do not depend on the rank, the order or a restart.
//
// So "velocity" means displacement per step over dt, and "mass" the effective mass kT dt / (2 D). With this
// mass the velocities are Maxwell's at temperature kT. Contacts with these masses keep the equilibrium of
// unequal species exact.
#pragma once

#include <cstdint>

#include "ricochet/core/random.hpp"
#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// kT dt / (2 D), from kT, the timestep and the diffusion coefficient.
inline double effective_mass(double thermal_energy, double dt, double diffusion) {
    return thermal_energy * dt / (2 * diffusion);
}

/// Gives every particle the velocity sqrt(2 D/dt) xi of the given step, with its own D (attributes). In two dimensions
/// the z component is 0, as are those along axes that a particle does not move along. Throws RunError at step 2^48.
/// Cost: note 26 of tests/bench/notes.md.
/// Requires: dt > 0.
void drive_brownian(Particles& particles, int dimension, double dt, std::uint64_t seed, std::uint64_t step,
                    Stream stream = Stream::brownian);

/// Does this before each step. The equilibration draws from a stream of its own.
class BrownianDrive final : public Drive {
  public:
    BrownianDrive(int dimension, double dt, std::uint64_t seed)
        : dimension_(dimension), dt_(dt), seed_(seed) {}

    void start(Particles& owned) const override { before_drift(owned, {}); }
    void before_drift(Particles& owned, DrivenStep step) const override {
        drive_brownian(owned, dimension_, dt_, seed_, step.number,
                       step.is_recorded ? Stream::brownian : Stream::equilibration);
    }

  private:
    int dimension_;
    double dt_;
    std::uint64_t seed_;
};

}  // namespace ricochet
