// SPDX-License-Identifier: BSD-3-Clause
//
// A run, from the particles at time 0 through all steps. Each step sets the velocities (drive), moves the
// particles with every contact at its time (slab_step.hpp), and records what is due.
//
// The order of the calls is all that this class adds to the result. Recording, progress and moving cuts
// (slabs/balance.hpp) change no state. Neither does the sorting of the particles in space, every few steps,
// which keeps neighbours in space close in memory.
//
// The equilibration runs before step 0, with elastic contacts and random numbers of its own. It is not
// recorded, and displacements count from its end.
//
// The run may be interrupted at the end of each step, before anything of the step is recorded
// (interruptions.hpp). A simulation constructed from the state saved there gives the same results as an
// uninterrupted one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/phase_clock.hpp"
#include "ricochet/dynamics/drive.hpp"
#include "ricochet/engine/step_counters.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/observe/observer.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/recorder.hpp"
#include "ricochet/search/search_method.hpp"
#include "ricochet/slabs/step_statistics.hpp"

namespace ricochet {

class RunLoop;

/// Totals of a run over all ranks, since its start or since it was continued.
struct RunTotals {
    std::uint64_t num_particles = 0;
    std::uint64_t num_steps = 0;      ///< recorded
    std::int64_t num_collisions = 0;  ///< pair contacts in them
    std::int64_t num_wall_contacts = 0;
    std::int64_t num_let_pass = 0;  ///< wedged ones that did not rebound: no contacts
    double temperature = 0;         ///< as the observable, mean of the first and the last state
};

/// The work and the balance of mutual gravity on one rank; all zero without it. Forces are added over all evaluations.
struct GravityStatistics {
    std::uint64_t num_evaluations = 0;
    double num_pairs = 0;   ///< of a particle with another one
    double num_groups = 0;  ///< of a particle with a group that the tree has taken as a whole
    double num_targets = 0;
    Vec3 net_force;
    double gross_force = 0;  ///< of absolute values
};

class Simulation {
  public:
    /// Places the particles and checks that the first step is possible. Keeps references to exchange and monitor.
    /// Collective. Throws InputError on all ranks when the start is not possible.
    Simulation(Exchange& exchange, const Config& config, Monitor& monitor);

    /// Continues from a checkpoint of the same input, whose particles may be anywhere. Collective. Throws InputError on
    /// all ranks when the particles cannot run on this number of ranks.
    /// Requires: the recorder is at the checkpoint's ResultPosition.
    Simulation(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start);

    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// A drive beside those of the input, which a continued run needs again.
    /// Requires: run() has not been called.
    void add(std::unique_ptr<Drive> drive);
    /// An observer beside those of every run, which a continued run needs again. Throws std::invalid_argument when its
    /// name or that of a column is taken, or is no name for a group of a result. The same when it does not take its own
    /// sums or memory back.
    /// Requires: run() has not been called, nor has a recorder been made.
    void add(std::unique_ptr<Observer> observer);

    /// Equilibrates and does all steps, up to the last or to an interruption. After an interruption of the recorded
    /// steps, another call with the same recorder goes on as if there had been none. Collective. Throws RunError on all
    /// ranks when the run cannot go on.
    RunEnd run(Recorder& recorder, Interruptions& interruptions);
    /// The same without interruptions.
    void run(Recorder& recorder);

    /// The input as it runs: in the box that growth has found, where it grows to a pressure.
    const Config& config() const;
    /// That box; none where the box is that of the input.
    const std::optional<FoundBox>& found_box() const;
    const Particles& owned() const;
    std::uint64_t num_particles() const;
    /// The id of the next particle that needs a new one; none where no particles are born.
    std::optional<ParticleId> next_id() const;
    /// The columns of all observers, in the order of a sample's values.
    const std::vector<ObservableInfo>& observables() const;
    SearchMethod search() const;
    /// Whether the equilibration is over.
    bool is_recording() const;
    /// Statistics of the recorded steps; all zero before the first of them.
    SlabStepStatistics step_statistics() const;
    /// The memory of the recorded steps' engine on this rank; zero before the first of them.
    EngineMemory engine_memory() const;
    const BalanceStatistics& balance_statistics() const;
    /// The time that this rank spent in each phase of the recorded steps.
    const PhaseClock& clock() const;
    const RunTotals& totals() const;
    GravityStatistics gravity_statistics() const;
    /// What has become of a lattice, a dense or a grown start by step 0, in a sentence. Empty with other starts, and
    /// before step 0.
    const std::string& start_note() const;

  private:
    std::unique_ptr<RunLoop> loop_;
};

}  // namespace ricochet
