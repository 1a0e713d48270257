// SPDX-License-Identifier: BSD-3-Clause
//
// A stage of a run: the equilibration, then the recording. The time loop is the same for both (run_loop.cpp).
// A stage says what differs: the rules of contacts, the goal, and what becomes of contacts and particles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/simulation.hpp"
#include "slabs/balance.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

/// The objects that a stage works with. All references are kept.
struct StageParts {
    Exchange& exchange;
    const Config& config;
    const World& world;
    const EngineOptions& engine_options;
    Balancer& balancer;
    Monitor& monitor;
    PhaseClock& clock;
    const std::uint64_t& num_particles;  ///< of all ranks, at present
};

class Stage {
  public:
    /// `world`: that of the parts, perhaps with walls at rest.
    Stage(const StageParts& parts, const World& world, const ContactRules& rules);
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    SlabStepper& stepper() { return stepper_; }
    const SlabStepper& stepper() const { return stepper_; }
    StepEngine& engine() { return *engine_; }
    const StepEngine& engine() const { return *engine_; }

    /// The end of the latest step.
    virtual StepEnd step_end() const = 0;
    /// Whether this step is the last; the same on all ranks.
    virtual bool is_over() const = 0;
    /// Whether observables are recorded at the end of the next step; the same on all ranks.
    virtual bool samples_next() const { return false; }
    /// Where the contacts of the next step go.
    virtual ContactSink& begin_step() = 0;
    /// Counts the step, and hands on its contacts. Collective.
    virtual void end_step() = 0;
    /// Records what is due at the end of a step. Collective.
    virtual void record(const Particles& /*owned*/) {}
    /// Says how far the stage is, after `seconds` of it. Called at beats. Collective.
    virtual void tell_progress(double seconds) = 0;
    /// From which the stage can go on. Collective.
    virtual RunState state() = 0;

  protected:
    const StageParts& parts() const { return parts_; }
    double per_particle(std::int64_t num_collisions) const {
        return 2 * static_cast<double>(num_collisions) /
               static_cast<double>(std::max<std::uint64_t>(1, parts_.num_particles));
    }

  private:
    StageParts parts_;
    std::unique_ptr<StepEngine> engine_;
    SlabStepper stepper_;
};

}  // namespace ricochet
