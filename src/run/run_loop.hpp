// SPDX-License-Identifier: BSD-3-Clause
//
// The time loop of a run: what stands behind Simulation (run/simulation.hpp), function by function.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "dynamics/decays.hpp"
#include "dynamics/tether_breaks.hpp"
#include "plan/plan.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/recorder.hpp"
#include "ricochet/run/simulation.hpp"
#include "run/drives.hpp"
#include "run/equilibration.hpp"
#include "run/heartbeat.hpp"
#include "run/observation.hpp"
#include "run/recording.hpp"
#include "run/start.hpp"
#include "slabs/balance.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

class RunLoop {
  public:
    /// Places the particles and checks that the first step is possible. Keeps references to all arguments.
    /// Collective. Throws InputError on all ranks when the start is not possible.
    RunLoop(Exchange& exchange, const Config& config, Monitor& monitor);

    /// Continues from a checkpoint of the same input, whose particles may be anywhere. The recorder must be
    /// at the checkpoint's ResultPosition. Collective. Throws InputError on all ranks when the particles
    /// cannot run on this number of ranks.
    RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start);

    /// Equilibrates and does all steps, up to the last or to an interruption. After an interruption of the recorded
    /// steps, another call with the same recorder goes on as if there had been none. Collective. Throws RunError on all
    /// ranks when the run cannot go on.
    RunEnd run(Recorder& recorder, Interruptions& interruptions);
    /// The same without interruptions.
    void run(Recorder& recorder);

    /// A drive beside those of the input. Call it before run().
    void add(std::unique_ptr<Drive> drive) { drives_.add(std::move(drive)); }
    /// The same of an observer.
    void add(std::unique_ptr<Observer> observer) { observation_.add(std::move(observer)); }

    const Particles& owned() const { return owned_; }
    std::uint64_t num_particles() const { return num_particles_; }
    std::optional<ParticleId> next_id() const { return decays_.next_id(); }
    const std::vector<ObservableInfo>& observables() const { return observation_.columns(); }
    SearchMethod search() const { return engine_options_.search; }
    /// Whether the equilibration is over.
    bool is_recording() const { return recording_.has_value(); }
    /// Statistics of the recorded steps; all zero before the first of them.
    SlabStepStatistics step_statistics() const {
        return recording_ ? recording_->stepper().statistics() : SlabStepStatistics{};
    }
    /// The memory of the recorded steps' engine on this rank.
    EngineMemory engine_memory() const { return recording_ ? recording_->engine().memory() : EngineMemory{}; }
    const BalanceStatistics& balance_statistics() const { return balancer_->statistics(); }
    /// The time spent in each phase of the recorded steps.
    const PhaseClock& clock() const { return clock_; }
    const RunTotals& totals() const { return totals_; }
    const std::string& start_note() const { return start_note_; }

  private:
    RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, std::optional<Checkpoint> start);
    void place();
    void place(Checkpoint start);
    ParticleSummary check_first_step();
    void cut_the_box(const ParticleSummary& summary);
    void note_estimates(const ParticleSummary& summary);
    StageParts stage_parts();
    RunEnd equilibrate(Interruptions& interruptions);
    void note_on_crystal();
    void begin_recording(Recorder& recorder);
    RunEnd run_stage(Stage& stage, Interruptions& interruptions);
    void do_step(Stage& stage, DrivenStep step);
    void break_tethers(DrivenStep step, ContactSink& contacts);
    std::int64_t decay(DrivenStep step, HalfStep half, ContactSink& contacts);
    void count_particles(std::uint64_t step, std::int64_t change);
    void drive_with(void (Drive::*act)(Particles&, DrivenStep) const, DrivenStep step);
    void sort_in_space(StepEngine& engine);
    bool is_stopped(Stage& stage, const StepEnd& end, Interruptions& interruptions);

    Exchange& exchange_;
    const Config& config_;
    const World world_;
    Monitor& monitor_;
    PhaseClock clock_;
    DriveList drives_;
    TetherBreaks tether_breaks_;
    Decays decays_;
    Particles owned_;
    std::uint64_t num_particles_ = 0;
    std::uint64_t num_sites_ = 0;  ///< of the lattice of a new run
    std::string start_note_;       ///< what has become of it by step 0
    EquilibrationGoal equilibration_goal_;
    EngineOptions engine_options_;
    std::optional<Balancer> balancer_;
    std::optional<RunState> start_;  ///< from a checkpoint
    Heartbeat heartbeat_;
    Observation observation_;
    LongStepNote long_steps_;
    std::optional<Recording> recording_;  ///< once the equilibration is over
    double start_temperature_ = 0;        ///< of the first state of the recording
    RunTotals totals_;
};

}  // namespace ricochet
