// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as the tests use it: one slab that owns everything, no MPI, no time loop of the program.
#pragma once

#include <cstdint>
#include <memory>

#include "ricochet/engine/step_engine.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

ContactRules rules_of(const Restitution& restitution, SpeciesIndex num_species);

/// An engine for the system's box and rules.
std::unique_ptr<StepEngine> engine_for(const System& system, const EngineOptions& options = {});

/// How a step is cut into sub-windows.
struct Windows {
    std::uint64_t count = 0;        ///< 0: about 0.07 expected contacts per particle in each
    std::uint64_t halve_every = 0;  ///< k > 0: every k-th window is halved although nothing asks for it
};

/// One step of the engine in the form of the reference's result: contacts in the order of their keys. When
/// the cap is reached the particles stay as they were.
StepResult engine_step(StepEngine& engine, Particles& particles, double dt, const Windows& windows = {});

/// A system on its way through time.
class EngineRun {
  public:
    explicit EngineRun(System system, const EngineOptions& options = {});

    /// Takes steps of the system's dt; throws when a particle reaches the contact cap. Returns the sums over
    /// these steps' contacts.
    CollisionSums run(int num_steps);
    /// About this many collisions per particle, whatever has happened before.
    CollisionSums run_collisions(double per_particle);

    System& system() { return system_; }
    Particles& particles() { return system_.particles; }
    /// Time covered by the latest run.
    double elapsed() const { return elapsed_; }

  private:
    System system_;
    std::unique_ptr<StepEngine> engine_;
    double elapsed_ = 0;
};

}  // namespace ricochet::test
