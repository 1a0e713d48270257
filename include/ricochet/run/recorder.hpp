// SPDX-License-Identifier: BSD-3-Clause
//
// The interface for the results of a run. The simulation calls a Recorder whenever something is due, and
// knows nothing of files. ResultRecorder (result_recorder.hpp) writes the HDF5 file. Tests and users of the
// library may keep results in memory.
#pragma once

#include <cstdint>
#include <span>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/observe/observer.hpp"

namespace ricochet {

/// Step numbers count completed steps, so frame 0 is the start. Functions are called on all ranks in the same
/// order; those marked collective may communicate.
class Recorder {
  public:
    virtual ~Recorder() = default;
    Recorder() = default;

    /// This rank's particles, positions wrapped. Collective.
    virtual void frame(std::uint64_t /*step*/, double /*time*/, const Particles& /*owned*/) {}
    /// Whether contacts() needs the contacts. Without need the run keeps none and passes an empty span.
    virtual bool wants_contacts() const { return true; }
    /// The contacts of step `step` (the first is 0), unordered. Each contact is passed on exactly one rank.
    /// Called for every step, also to say that the step is done.
    virtual void contacts(std::uint64_t /*step*/, std::span<const Contact> /*contacts*/) {}
    /// The values of all observers, the same on all ranks.
    virtual void sample(std::uint64_t /*step*/, double /*time*/, const Sample& /*sample*/) {}
    /// Called a few times per second, to write out buffers. Collective.
    virtual void flush() {}

  protected:
    Recorder(const Recorder&) = default;
    Recorder& operator=(const Recorder&) = default;
    Recorder(Recorder&&) = default;
    Recorder& operator=(Recorder&&) = default;
};

}  // namespace ricochet
