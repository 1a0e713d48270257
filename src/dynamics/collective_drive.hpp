// SPDX-License-Identifier: BSD-3-Clause
//
// The interface of drives that need all ranks: mutual gravity, or a thermostat of all particles.
//
// Beside a Drive (ricochet/dynamics/drive.hpp) it may exchange what it needs, and keep what it has found from one step
// to the next. It may keep no more than it finds again from the particles, bit by bit: checkpoints hold nothing of it.
// Between two calls particles may be sorted, go to other ranks, decay, end or be born.
//
// Collective drives kick first before the drift and last after it. So they see positions at both ends of a step as
// frames have them, and velocities in the laboratory.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ricochet/dynamics/drive.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class CollectiveDrive {
  public:
    virtual ~CollectiveDrive() = default;

    /// Changes the velocities before the particles of this rank drift. Collective.
    virtual void before_drift(Particles& owned, DrivenStep step) = 0;
    /// The same after it: after all contacts of the step. Collective.
    virtual void after_drift(Particles& owned, DrivenStep step) = 0;

  protected:
    CollectiveDrive() = default;
    CollectiveDrive(const CollectiveDrive&) = default;
    CollectiveDrive& operator=(const CollectiveDrive&) = default;
    CollectiveDrive(CollectiveDrive&&) = default;
    CollectiveDrive& operator=(CollectiveDrive&&) = default;
};

/// One after another: in their order before the drift, in the opposite order after it, as those of a DriveList.
class CollectiveDriveList final : public CollectiveDrive {
  public:
    void add(std::unique_ptr<CollectiveDrive> drive) { drives_.push_back(std::move(drive)); }
    bool is_empty() const { return drives_.empty(); }

    void before_drift(Particles& owned, DrivenStep step) override {
        for (const auto& drive : drives_) drive->before_drift(owned, step);
    }
    void after_drift(Particles& owned, DrivenStep step) override {
        std::for_each(drives_.rbegin(), drives_.rend(),
                      [&](const auto& drive) { drive->after_drift(owned, step); });
    }

  private:
    std::vector<std::unique_ptr<CollectiveDrive>> drives_;
};

}  // namespace ricochet
