// SPDX-License-Identifier: BSD-3-Clause
//
// The interface of drives: what changes velocities at the two ends of a step. Between them particles drift
// exactly, from contact to contact. A kick or a thermostat is a drive; so are Brownian velocities. Ballistic
// particles have none. Decays come before all drives, and after the drift after all (src/dynamics/decays.hpp).
//
// A drive changes a particle by a function of the step, of the particle and of its id alone. Then the bits
// are the same on any number of ranks. It keeps no state, so that checkpoints hold none.
//
// A field that bends paths within a step does not fit: searches and contact times assume straight paths. A uniform one
// does, in a frame in which paths are straight (src/model/falling_frame.hpp). A drive sees only the particles of its
// rank. What needs those of all, as mutual gravity does, is a collective drive (src/dynamics/collective_drive.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ricochet/model/particles.hpp"

namespace ricochet {

/// The step on which a drive acts.
struct DrivenStep {
    std::uint64_t number = 0;  ///< from 0, counted apart in the equilibration
    bool is_recorded = true;   ///< false: in the equilibration, which has random numbers of its own
    bool is_sampled = false;   ///< whether observables are recorded at its end
};

class Drive {
  public:
    virtual ~Drive() = default;

    /// Sets the velocities of frame 0, with which the first step is checked. Called before step 0, once or more.
    /// Only drives that draw velocities anew do anything here: as in step 0.
    virtual void start(Particles& /*owned*/) const {}
    /// Changes the velocities before the particles of this rank drift.
    virtual void before_drift(Particles& /*owned*/, DrivenStep /*step*/) const {}
    /// The same after it: after all contacts of the step.
    virtual void after_drift(Particles& /*owned*/, DrivenStep /*step*/) const {}

  protected:
    Drive() = default;
    Drive(const Drive&) = default;
    Drive& operator=(const Drive&) = default;
    Drive(Drive&&) = default;
    Drive& operator=(Drive&&) = default;
};

/// Drives one after another: in their order before the drift, in the opposite order after it. So a step reads
/// the same backwards, as a symmetric splitting does (Hairer, Lubich & Wanner, Geometric Numerical
/// Integration, section II.5).
class DriveList final : public Drive {
  public:
    void add(std::unique_ptr<Drive> drive) { drives_.push_back(std::move(drive)); }

    void start(Particles& owned) const override;
    void before_drift(Particles& owned, DrivenStep step) const override;
    void after_drift(Particles& owned, DrivenStep step) const override;

  private:
    std::vector<std::unique_ptr<Drive>> drives_;
};

}  // namespace ricochet
