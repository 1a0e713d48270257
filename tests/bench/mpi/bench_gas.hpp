// SPDX-License-Identifier: BSD-3-Clause
//
// The gas of a BenchCase on this rank, in equilibrium and ready to be measured.
//
// Every rank equilibrates the same tile by itself, keeps the copies of it that lie in its slab, and all give
// the particles new Maxwell velocities. Then the whole system runs as an elastic gas until the tiles no
// longer repeat each other: one or two contacts per particle instead of the dozens that melt a lattice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "bench_case.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet::bench {

/// Seconds in the phases of a step.
using Phases = std::array<double, num_step_phases>;

/// Particles with what moves them. Seconds are of the wall clock and of this rank, since the beginning.
class BenchGas {
  public:
    /// Takes this rank's particles. Keeps a reference to exchange. Elastic where the timestep is 0.
    BenchGas(Exchange& exchange, const BenchCase& of, const Box& box, Particles owned, double brownian_dt);

    /// One step of the case's motion, elastic or Brownian. Collective.
    void step(double dt) { case_.is_brownian ? brownian_step(dt) : elastic_step(dt); }
    /// One step of an elastic gas, or of Brownian motion with the drive. Collective.
    void elastic_step(double dt);
    void brownian_step(double dt);
    /// Elastic steps until there were this many contacts per particle, up to the next sorting. Collective.
    void run_elastic(double contacts_per_particle, std::uint64_t num_particles);

    Particles& owned() { return owned_; }
    const SlabStepStatistics& statistics() const { return stepper_.statistics(); }
    const SlabDecomposition& slabs() const { return stepper_.slabs(); }
    std::uint64_t num_contacts() const { return num_contacts_; }  ///< of lower ids that this rank owned
    Phases phases() const;

  private:
    void run_step(double dt);
    void finish_step();
    bool has_just_sorted() const { return step_ % steps_between_sorts == 0; }

    Exchange& exchange_;
    BenchCase case_;
    Particles owned_;
    std::unique_ptr<PhaseClock> clock_;  ///< stays in place when the gas is moved
    std::unique_ptr<StepEngine> engine_;
    SlabStepper stepper_;
    std::uint64_t step_ = 0;
    std::uint64_t num_contacts_ = 0;
};

/// The gas of the case, in equilibrium and sorted; Brownian ones with their effective masses for steps of
/// length dt.
/// Collective.
BenchGas make_gas(Exchange& exchange, const BenchCase& of, double dt);

}  // namespace ricochet::bench
