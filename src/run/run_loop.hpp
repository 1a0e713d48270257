// SPDX-License-Identifier: BSD-3-Clause
//
// The time loop of a run, behind Simulation (run/simulation.hpp), whose words say what each function does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dynamics/collective_drive.hpp"
#include "dynamics/decays.hpp"
#include "dynamics/tether_breaks.hpp"
#include "gravity/kept_fields.hpp"
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
    /// Keeps references to exchange and monitor.
    RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, std::optional<Checkpoint> start);

    void add(std::unique_ptr<Drive> drive) { drives_.add(std::move(drive)); }
    void add(std::unique_ptr<Observer> observer) { observation_.add(std::move(observer)); }
    RunEnd run(Recorder& recorder, Interruptions& interruptions);

  private:
    friend class Simulation;  // shows what is known of the run

    RunLoop(Exchange& exchange, SettledBox settled, Monitor& monitor, std::optional<Checkpoint>&& start);
    void place(std::optional<Placement> placed);
    void place(Checkpoint start);
    bool has_grown() const { return config_.placement.method == PlacementMethod::grow; }
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
    void drive_before_drift(DrivenStep step);
    void drive_after_drift(DrivenStep step);
    void sort_in_space(StepEngine& engine);
    bool is_stopped(Stage& stage, const StepEnd& end, Interruptions& interruptions);

    Exchange& exchange_;
    const Config config_;  ///< in the box of the run
    const std::optional<FoundBox> found_box_;
    const World world_;
    Monitor& monitor_;
    PhaseClock clock_;
    DriveList drives_;
    std::unique_ptr<KeptFields> gravity_fields_;  ///< of mutual gravity, if there is any
    CollectiveDriveList collective_drives_;
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
