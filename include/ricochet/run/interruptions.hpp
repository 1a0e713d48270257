// SPDX-License-Identifier: BSD-3-Clause
//
// The interface for interrupting a run between two steps, to save its state or to end it. The simulation asks at the
// end of each step and hands over its state where that is wanted. It knows neither files nor signals. The program's
// implementation is RunKeeper (src/process/run_keeper.hpp).
//
// All ranks get the same answer. Answers that follow from the step number need no communication. Everything
// else (wall-clock times, signals) is agreed on at the beats of the heartbeat, a few times per second.
#pragma once

#include <cstdint>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/model/particles.hpp"

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

    /// What to do at this step end; the same on all ranks. Collective at beats and at the last step,
    /// otherwise without communication.
    virtual Interruption ask(const StepEnd& /*end*/) { return Interruption::none; }
    /// Receives the state at the end of this step; `owned` are this rank's particles. Collective.
    virtual void save(const RunState& /*state*/, const Particles& /*owned*/) {}
    /// Names the phase that begins on this rank, a word of static storage. Local, cheap.
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
