// SPDX-License-Identifier: BSD-3-Clause
//
// A system under gravity on its way through time, with the engine of one slab.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/gravity.hpp"
#include "tests/support/engine_run.hpp"

namespace ricochet::test {

class FallingRun {
  public:
    /// The system's world has the gravity.
    explicit FallingRun(System system, const EngineOptions& options = {})
        : system_(std::move(system)),
          gravity_(world_of(system_).gravity),
          drive_(gravity_, system_.dt),
          engine_(engine_for(system_, options)) {}

    /// Its contacts, in the order of their keys.
    std::vector<Contact> step() {
        drive_.before_drift(system_.particles, {});
        std::vector<Contact> contacts = resolve_step(*engine_, system_.particles, system_.dt, 1, number_++);
        drive_.after_drift(system_.particles, {});
        return contacts;
    }
    /// Another drive, before a step.
    void drive(const ricochet::Drive& other, std::uint64_t step) {
        other.before_drift(system_.particles, {step, true});
    }
    const Particles& particles() const { return system_.particles; }
    Vec3 gravity() const { return gravity_; }
    /// Kinetic and potential energy of particles in a box with walls along gravity.
    double energy() const {
        double sum = 0;
        for (std::size_t k = 0; k < particles().size(); ++k) {
            const Motion& m = particles().motion[k];
            sum += particles().attributes[k].mass *
                   (0.5 * dot(m.velocity, m.velocity) - dot(gravity_, m.position));
        }
        return sum;
    }

  private:
    System system_;
    Vec3 gravity_;
    Gravity drive_;
    std::unique_ptr<StepEngine> engine_;
    std::uint64_t number_ = 0;
};

}  // namespace ricochet::test
