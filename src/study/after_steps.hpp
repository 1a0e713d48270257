// SPDX-License-Identifier: BSD-3-Clause
//
// What a search for overlaps after each step would see of the contacts of a run.
//
// Such a method moves all particles straight on for a step, and then looks for pairs that overlap. It misses pairs that
// have gone through each other, or have grazed, by then. Here each pair that touches in a step is counted once. Of
// these, those are counted that would overlap at the step's end if nothing had bent any path of the step.
//
// Algorithm: paths go to ranks that ids name, and so do pairs: first to that of the lower id, then with its path to
// that of the higher one. No rank gets more than its share.
//
// Cost: per step a few exchanges of all particles. So it is a run of its own, whose time counts for no method.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/shape_table.hpp"
#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/recorder.hpp"

namespace ricochet {

struct AfterStepCounts {
    std::uint64_t num_touching = 0;     ///< pairs, once in a step in which they touch
    std::uint64_t num_overlapping = 0;  ///< of these, those that would overlap at its end
};

/// The straight path of a particle in a step.
struct StepPath {
    ParticleId id = 0;
    Vec3 position, velocity;
    double radius = 0;
    SpeciesIndex species = 0;
};

/// Takes down paths at the start of steps, and looks at pairs that have touched after them.
class AfterSteps final : public Recorder {
  public:
    /// Keeps the exchange.
    AfterSteps(Exchange& exchange, const World& world)
        : exchange_(exchange), box_(world.box), dt_(world.timestep), shapes_(world) {}

    /// A drive that changes nothing; the last that acts before the drift must be this. It refers to this object.
    std::unique_ptr<Drive> drive();
    /// Collective.
    void contacts(std::uint64_t step, std::span<const Contact> contacts) override;
    /// Of all ranks. Collective.
    AfterStepCounts counts() const;

  private:
    bool overlap_at_end(const StepPath& a, const StepPath& b) const;

    Exchange& exchange_;
    Box box_;
    double dt_;
    ShapeTable shapes_;
    std::vector<StepPath> paths_;  ///< of this rank's particles
    AfterStepCounts counts_;       ///< on this rank
};

}  // namespace ricochet
