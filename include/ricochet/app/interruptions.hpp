// SPDX-License-Identifier: BSD-3-Clause
//
// Who may interrupt a run between two steps, to save its state or to end it. The simulation asks at the end
// of each step, and hands over its state where that is wanted; it knows neither files nor signals. RunKeeper
// (src/app/run_keeper.hpp) is the one of the program.
//
// That all ranks get the same answer costs nothing for what follows from the step number; everything else
// (wall-clock times, signals) is agreed on at the beats of the heartbeat, a few times per second.
#pragma once

#include <cstdint>

#include "ricochet/core/particles.hpp"
#include "ricochet/io/run_state.hpp"

namespace ricochet {

enum class Interruption {
    none,
    save,  ///< hand over the state, go on
    stop   ///< hand over the state, end the run; it can be continued
};

/// The end of a step.
struct StepEnd {
    std::uint64_t step = 0;   ///< completed recorded steps, or steps of the equilibration
    bool is_recorded = true;  ///< false: a step of the equilibration
    bool is_last = false;     ///< the run ends with this step
    bool is_beat = false;     ///< all ranks meet here anyway
};

class Interruptions {
  public:
    virtual ~Interruptions() = default;
    Interruptions() = default;

    /// The same on all ranks. Collective at beats and at the last step, otherwise without communication.
    virtual Interruption ask(const StepEnd& /*end*/) { return Interruption::none; }
    /// The state at the end of this step; `owned` are this rank's particles. Collective.
    virtual void save(const RunState& /*state*/, const Particles& /*owned*/) {}
    /// What the rank turns to now, a word of static storage. Local, cheap.
    virtual void enter(const char* /*phase*/, std::uint64_t /*step*/) {}

  protected:
    Interruptions(const Interruptions&) = default;
    Interruptions& operator=(const Interruptions&) = default;
    Interruptions(Interruptions&&) = default;
    Interruptions& operator=(Interruptions&&) = default;
};

/// How a run ended.
enum class RunEnd { finished, stopped };

}  // namespace ricochet
