// SPDX-License-Identifier: BSD-3-Clause
//
// Where the results of a run go: the simulation calls a Recorder whenever something is due, and knows nothing
// of files. ResultRecorder (result_recorder.hpp) writes the HDF5 file; tests and library users may keep what
// they want in memory.
#pragma once

#include <cstdint>
#include <span>

#include "ricochet/core/particles.hpp"
#include "ricochet/engine/observables.hpp"
#include "ricochet/events/contact.hpp"

namespace ricochet {

/// Step numbers count completed steps: frame 0 is the start. Called on all ranks in the same order; functions
/// marked collective may communicate.
class Recorder {
  public:
    virtual ~Recorder() = default;
    Recorder() = default;

    /// This rank's particles, positions wrapped. Collective.
    virtual void frame(std::uint64_t /*step*/, double /*time*/, const Particles& /*owned*/) {}
    /// Whether contacts() has a use for them: a run without need of records keeps none, and reports none.
    virtual bool wants_contacts() const { return true; }
    /// The contacts of step `step` (the first is 0) that this rank and no other reports, unordered. Called
    /// for every step: it says that the step is done.
    virtual void contacts(std::uint64_t /*step*/, std::span<const Contact> /*contacts*/) {}
    /// The observables, the same on all ranks.
    virtual void sample(std::uint64_t /*step*/, double /*time*/, const ObservableSample& /*sample*/) {}
    /// A few times per second: time to write out what has gathered. Collective.
    virtual void relieve() {}

  protected:
    Recorder(const Recorder&) = default;
    Recorder& operator=(const Recorder&) = default;
    Recorder(Recorder&&) = default;
    Recorder& operator=(Recorder&&) = default;
};

}  // namespace ricochet
