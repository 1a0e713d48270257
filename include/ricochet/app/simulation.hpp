// SPDX-License-Identifier: BSD-3-Clause
//
// A run: from the particles at time 0 through all steps. Each step is: drive (set the velocities), resolve
// (fly, with every contact at its time; slab_step.hpp), record what is due.
//
// Nothing here decides a bit of the result beyond the order of the calls: recording, progress, moving cuts
// (parallel/balance.hpp), and the sorting of the particles in space (every few steps, so that neighbours in
// space stay neighbours in memory) change no state.
//
// Equilibration runs before step 0 with elastic contacts and random numbers of their own; nothing of it is
// recorded, and displacements count from its end.
//
// At the end of each step, before anything of it is recorded, the run may be interrupted (interruptions.hpp);
// a simulation that is constructed from what was saved there does the same as one that was not interrupted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ricochet/app/equilibration.hpp"
#include "ricochet/app/heartbeat.hpp"
#include "ricochet/app/interruptions.hpp"
#include "ricochet/app/monitor.hpp"
#include "ricochet/app/plan.hpp"
#include "ricochet/app/recorder.hpp"
#include "ricochet/app/start.hpp"
#include "ricochet/engine/observables.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/io/checkpoint.hpp"
#include "ricochet/io/config.hpp"
#include "ricochet/parallel/balance.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/parallel/slab_step.hpp"

namespace ricochet {

/// Wall seconds of this rank in the recorded steps, apart from what SlabStepStatistics tells.
struct PhaseSeconds {
    double drive = 0;
    double observe = 0;
    double output = 0;
    double sort = 0;
    double total = 0;  ///< of run(), equilibration included
    double steps = 0;  ///< of the recorded steps, everything included
};

/// What a run came to, over all ranks, since its start or since it was continued.
struct RunTotals {
    std::uint64_t num_particles = 0;
    std::uint64_t num_steps = 0;      ///< recorded
    std::int64_t num_collisions = 0;  ///< pair contacts in them
    std::int64_t num_wall_contacts = 0;
    double temperature = 0;  ///< as the observable, mean of the first and the last state
};

class Simulation {
  public:
    /// Places the particles and checks that the first step is possible. Keeps references to all arguments.
    /// Collective. Throws InputError on all ranks when the start is not possible.
    Simulation(Exchange& exchange, const Config& config, Monitor& monitor);

    /// Goes on from a checkpoint of the same input, whose particles may be anywhere. The recorder must be at
    /// the checkpoint's ResultPosition. Collective. Throws InputError on all ranks when the particles cannot
    /// run on so many ranks.
    Simulation(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start);

    /// Equilibrates and does all steps, up to the last or to an interruption. Collective; call it once.
    /// Throws RunError on all ranks when the run cannot go on.
    RunEnd run(Recorder& recorder, Interruptions& interruptions);
    /// The same without interruptions.
    void run(Recorder& recorder);

    const Particles& owned() const { return owned_; }
    std::uint64_t num_particles() const { return num_particles_; }
    SearchMethod search() const { return engine_options_.search; }
    /// Past the equilibration.
    bool is_recording() const { return stepper_.has_value(); }
    /// Of the recorded steps; all zero before the first of them.
    SlabStepStatistics step_statistics() const {
        return stepper_ ? stepper_->statistics() : SlabStepStatistics{};
    }
    const BalanceStatistics& balance_statistics() const { return balancer_->statistics(); }
    const PhaseSeconds& phase_seconds() const { return seconds_; }
    const RunTotals& totals() const { return totals_; }

  private:
    Simulation(Exchange& exchange, const Config& config, Monitor& monitor, std::optional<Checkpoint> start);
    void place();
    void place(Checkpoint start);
    ParticleSummary check_first_step();
    void cut_the_box(const ParticleSummary& summary);
    SlabStepper make_stepper(StepEngine& engine);
    RunEnd equilibrate(Interruptions& interruptions);
    void begin_record();
    void step_once(Recorder& recorder, Interruptions& interruptions);
    bool is_stopped(Interruptions& interruptions, bool is_beat);
    RunState state() const;
    void set_velocities();
    template <class Record>
    void find_contacts(ContactSink<Record>* kept, Recorder& recorder);
    void note_contacts(const ObservableSums& of_step, Recorder& recorder);
    void record(Recorder& recorder);
    ObservableSample take_sample(double time);
    void sort_in_space();
    void tell_progress(Recorder& recorder);
    void note_long_steps(double contacts_per_particle);
    void finish_totals();
    double temperature();

    Exchange& exchange_;
    const Config& config_;
    Monitor& monitor_;
    Particles owned_;
    std::uint64_t num_particles_ = 0;
    EquilibrationGoal equilibration_goal_;
    EngineOptions engine_options_;
    std::optional<Balancer> balancer_;
    std::unique_ptr<StepEngine> engine_;
    std::optional<SlabStepper> stepper_;
    std::optional<RunState> start_;  ///< from a checkpoint
    std::uint64_t first_step_ = 0;   ///< of this part of the run
    std::uint64_t step_ = 0;         ///< completed recorded steps
    Heartbeat heartbeat_;
    ContactList kept_contacts_;  ///< of the latest step, for a recorder that wants them
    ObservableSums sums_;        ///< of this rank, since the previous sample
    ObservableSeries series_;
    std::int64_t local_collisions_ = 0, local_wall_contacts_ = 0;
    std::int64_t told_collisions_ = 0;  ///< of all ranks, when progress was told last,
    std::uint64_t told_step_ = 0;       ///< after so many steps
    bool has_noted_long_steps_ = false;
    double start_temperature_ = 0;
    PhaseSeconds seconds_;
    RunTotals totals_;
};

}  // namespace ricochet
