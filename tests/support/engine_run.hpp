// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as the tests use it: one slab that owns everything, no MPI, no time loop of the program. Tests
// make engines and drive them by what is here (or by slab_run.hpp, scenario.hpp), so that a change of the
// engine's interface touches one place.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/boundary_event.hpp"
#include "engine/coverage.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// An engine for the system's box and rules.
std::unique_ptr<StepEngine> engine_for(const System& system, const EngineOptions& options = {});

/// The search in its loop; 0 intervals: chosen.
inline EngineOptions options_for(const TestedSearch& search, std::uint64_t num_intervals = 0) {
    return {.search = search.method, .loop = search.loop, .num_intervals = num_intervals};
}

/// How a step is cut into sub-windows.
struct Windows {
    std::uint64_t count = 0;        ///< 0: about 0.07 expected contacts per particle in each
    std::uint64_t halve_every = 0;  ///< k > 0: every k-th window is halved although nothing asks for it
};

/// One step of the engine in the form of the reference's result: contacts in the order of their keys. When
/// the cap is reached the particles stay as they were. `step`: its number.
StepResult engine_step(StepEngine& engine, Particles& particles, double dt, const Windows& windows = {},
                       std::uint64_t step = 0);

/// A step of one slab in one sub-window: resolved, and open for what neighbours send.
class OpenWindow {
  public:
    /// A step of the system's dt; its first num_owned particles are the slab's own, the others copies. The
    /// system belongs to this as long as this lives.
    OpenWindow(System& system, std::size_t num_owned, const Holders& holders, const Coverage& coverage);

    /// Replaces all that neighbours have sent, and resolves again. True if that changes anything.
    bool set_remote_events(const std::vector<BoundaryEvent>& events);
    /// Makes the window final; its contacts.
    std::vector<Contact> commit();

  private:
    std::unique_ptr<StepEngine> engine_;
    StepWindow* window_ = nullptr;
};

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
    std::uint64_t num_steps_done_ = 0;
};

}  // namespace ricochet::test
