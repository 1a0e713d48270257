// SPDX-License-Identifier: BSD-3-Clause
//
// Drives of ballistic particles by kicks: before each step a velocity changes by at most a dt, a the particle's own
// acceleration. Paths stay straight between kicks, so contacts stay exact. dt is the resolution of the acceleration.
//
// A kick raises no speed above the limit. A speed that a contact has raised above it does not rise further. Both
// are projections onto a ball about velocity 0 that holds the old velocity, so the change stays within a dt.
//
// Only the part of a kick along axes that a particle moves along changes its velocity.
//
// What is drawn for a particle stays with its slot as long as it holds: for an interval, or the whole run. It is a
// function of the id, drawn in vectors, and drawn again where another particle has come into the slot. So it is no
// state of the run.
//
// Kicks add and remove energy and momentum. They begin with step 0: in an equilibration no particle is driven.
//
// Source: the notes 球体衝突の続き ("Collisions of spheres, continued"), paragraphs 7, 10 and 11: their two experiments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The velocity after a kick; infinity is no limit.
Vec3 kicked(Vec3 velocity, Vec3 kick, double speed_limit);

/// Vectors that belong to the particles in slots and hold while an index stays the same.
class DrawnBySlot {
  public:
    /// draw(ids, values) for those particles that have none, in batches.
    template <class Draw>
    void update(std::span<const Motion> motion, std::uint64_t index, Draw&& draw);
    const Vec3& operator[](std::size_t slot) const { return values_[slot]; }

  private:
    static constexpr ParticleId no_particle = std::numeric_limits<ParticleId>::max();

    std::uint64_t index_ = 0;
    std::vector<ParticleId> ids_;
    std::vector<Vec3> values_;
};

/// Each particle is accelerated in a direction of its own, which is drawn anew after every interval. It is a function
/// of (seed, id, index of the interval).
class RandomAccelerations final : public Drive {
  public:
    /// steps_per_direction >= 1.
    RandomAccelerations(int dimension, const Kicks& kicks, double speed_limit,
                        std::uint64_t steps_per_direction)
        : dimension_(dimension),
          kicks_(kicks),
          speed_limit_(speed_limit),
          steps_per_direction_(steps_per_direction) {}

    void before_drift(Particles& owned, DrivenStep step) const override;

  private:
    int dimension_;
    Kicks kicks_;
    double speed_limit_;
    std::uint64_t steps_per_direction_;
    mutable DrawnBySlot drawn_;  ///< kicks
};

/// Each particle is driven towards the velocity that a flow has where the particle is, and takes it as soon as its
/// acceleration allows.
///
/// The flow has the vortices of Taylor and Green (Proc. R. Soc. A 158 (1937) 499), along x and y: one wave per
/// periodic axis, half a wave between walls, where the flow is along the wall. It is incompressible.
class VelocityField final : public Drive {
  public:
    /// flow_speed: the largest of the flow.
    VelocityField(const Box& box, const Kicks& kicks, double speed_limit, double flow_speed);

    void before_drift(Particles& owned, DrivenStep step) const override;
    Vec3 flow_at(Vec3 position) const;

  private:
    Kicks kicks_;
    double speed_limit_;
    Vec3 waves_;                 ///< per length along each axis; 0: the flow does not depend on it
    Vec3 amplitude_;             ///< of the flow along each axis
    mutable DrawnBySlot drawn_;  ///< x: the largest kick
};

}  // namespace ricochet
