// SPDX-License-Identifier: BSD-3-Clause
//
// A system and how it is run, in one expression:
//
//     const Scenario shot = Scenario("shot").walled({64, 16, 0}).timestep(0.5).steps(1)
//                               .sphere({27, 8, 0}, {4, 0, 0}, 0.5, 1000)
//                               .sphere({28, 8, 0})
//                               .halo_factor(0.5);
//     EXPECT_EQ(first_difference(shot.by_reference(), shot.on_ranks(2)), "");
//
// Everything else has the defaults of System and SlabRunSettings. A test that varies one thing changes a
// copy: Scenario(shot).windows(7).on_ranks(3).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

class Scenario {
  public:
    explicit Scenario(std::string name) { system_.name = std::move(name); }
    /// With the system's own number of steps.
    explicit Scenario(System system) : system_(std::move(system)) { settings_.num_steps = system_.num_steps; }

    // --- the system ----------------------------------------------------------------------------------------
    Scenario& box(const Box& box);
    /// A disc world where size.z is 0, likewise below.
    Scenario& periodic(Vec3 size) { return box(periodic_box(size)); }
    Scenario& walled(Vec3 size, std::initializer_list<std::size_t> axes = {0, 1, 2}) {
        return box(walled_box(size, axes));
    }
    Scenario& timestep(double dt);
    Scenario& restitution(const Restitution& restitution);
    /// Adds a particle with the next id.
    Scenario& sphere(Vec3 position, Vec3 velocity = {}, double radius = 0.5, double mass = 1,
                     SpeciesIndex species = 0);
    /// Particles at random in the box, or in a part of it, at kT = 1.
    Scenario& gas(const std::vector<Kind>& kinds, std::uint64_t seed);
    Scenario& gas_between(Vec3 low, Vec3 high, const std::vector<Kind>& kinds, std::uint64_t seed);
    /// Mirrors all particles added so far along x.
    Scenario& mirrored();

    // --- how it is run -------------------------------------------------------------------------------------
    Scenario& steps(int count);
    Scenario& search(const TestedSearch& search);
    /// 0, likewise below: chosen by the engine.
    Scenario& legs(std::uint64_t count);
    Scenario& windows(std::uint64_t count);
    Scenario& contact_cap(std::uint64_t contacts);
    /// SlabStepOptions::excursion_factor.
    Scenario& halo_factor(double factor);
    /// Where slabs begin and end, in slices of slice_grid_of(system); the number of ranks is fixed by them.
    Scenario& cuts(std::vector<std::int64_t> slices);
    /// Other cuts in every step.
    Scenario& moving_cuts(std::uint64_t seed);
    Scenario& driven(Drive drive);
    /// Ties at one instant are not causal then.
    Scenario& without_generations();

    // --- what comes out ------------------------------------------------------------------------------------
    System system() const { return system_; }
    const SlabRunSettings& settings() const { return settings_; }
    std::size_t num_particles() const { return system_.particles.size(); }
    std::int64_t num_slices() const { return slice_grid_of(system_).num_slices(); }
    SlabRun by_reference() const { return run_reference(system_, settings_); }
    SlabRun by_reference_to_error() const { return run_reference_to_error(system_, settings_); }
    /// Between threads.
    SlabRun on_ranks(int num_ranks) const { return run_on_threads(num_ranks, system_, settings_); }

  private:
    System system_;
    SlabRunSettings settings_;
};

}  // namespace ricochet::test
