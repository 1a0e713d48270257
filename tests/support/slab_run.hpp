// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a test system cut into slabs, on any Exchange, and brings everything together for comparison: the
// particles by id and all contacts in the order of (step, key). And the same system by the reference.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contact/decay.hpp"
#include "core/block_store.hpp"
#include "dynamics/collective_drive.hpp"
#include "model/reorder.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "slabs/slab_step.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Sets the velocities at the start of a step, by id and step alone.
using Drive = std::function<void(Particles&, int step)>;

/// Nothing: ballistic particles.
Drive ballistic();
/// Independent normal velocities in every step, of the given standard deviation for unit mass.
Drive brownian(double deviation, int dimension);

/// A drive that needs all ranks, for one of them.
using CollectiveDriveOfRank = std::function<std::unique_ptr<CollectiveDrive>(Exchange&)>;

/// Where the box is cut in a step; the same on all ranks.
using CutsOfStep = std::function<Cuts(const SliceGrid& grid, int num_ranks, int step)>;

/// The engine of a rank.
using EngineOfRank = std::function<std::unique_ptr<StepEngine>(int rank)>;

/// Other cuts in every step, as far from the even ones as chance has it.
CutsOfStep random_cuts(std::uint64_t seed);

struct SlabRunSettings {
    int num_steps = 4;
    int first_step = 0;  ///< its number: of a run that goes on
    EngineOptions engine;
    std::vector<TestedSearch>
        search_by_rank;           ///< of rank k the k-th, from the first again; empty: the engine's
    EngineOfRank engine_of_rank;  ///< where given, in place of these
    SlabStepOptions slabs;
    std::vector<std::int64_t> cuts;  ///< empty: even slabs
    CutsOfStep cuts_of_step;         ///< where given, from the first step on
    int steps_between_sorts = 0;     ///< each rank's particles are brought into the engine's order; 0: never
    bool break_tethers = false;      ///< before decays, at the rules' rates
    double growth = 0;               ///< of radii, in each step anew (SlabStepper::set_growth)
    Drive drive = ballistic();
    /// Acts before `drive`, and after the step. The reference makes another one for each half: it keeps nothing.
    CollectiveDriveOfRank collective_drive;
};

struct SlabRun {
    Particles particles;  ///< by id
    std::vector<Contact>
        contacts;  ///< of all steps, each step in the order of the keys; what comes before the drive has time -1
    std::vector<std::size_t> contacts_until_step;
    int num_decays_without_room = 0;  ///< that the reference has left out
    std::string error;                ///< what run() threw, the same on all ranks
    SlabStepStatistics statistics;    ///< of rank 0; the counters of islands and events summed over the ranks
};

/// Slices as an input with these particles would have them.
SliceGrid slice_grid_of(const System& system);

/// One rank's engine and stepper, for tests that take the steps themselves.
class RankStepper {
  public:
    RankStepper(Exchange& exchange, const System& system, const SlabDecomposition& slabs,
                const SlabStepOptions& slab_options = {}, const EngineOptions& engine_options = {})
        : RankStepper(exchange, system, slabs, slab_options, engine_for(system, engine_options)) {}
    RankStepper(Exchange& exchange, const System& system, const SlabDecomposition& slabs,
                const SlabStepOptions& slab_options, std::unique_ptr<StepEngine> engine)
        : engine_(std::move(engine)), stepper_(exchange, *engine_, system.box, slabs, clock_, slab_options) {}

    SlabStepper* operator->() { return &stepper_; }
    /// Brings the particles of the latest step into the engine's order.
    void sort(Particles& owned) { reorder(owned, engine_->spatial_order()); }

  private:
    std::unique_ptr<StepEngine> engine_;
    PhaseClock clock_;
    SlabStepper stepper_;
};

/// Slabs of equal thickness for the system.
SlabDecomposition even_slabs(const System& system, int num_ranks);

/// A rank's share of all particles, wherever they are: every n-th on n ranks.
Particles share_of(const Exchange& exchange, const Particles& all);
/// Distributes the system and runs it. The result is complete on rank 0 only. Collective.
SlabRun run_on_slabs(Exchange& exchange, const System& system, const SlabRunSettings& settings);
/// The same between threads.
SlabRun run_on_threads(int num_ranks, const System& system, const SlabRunSettings& settings);
/// The same by the all-pairs reference.
SlabRun run_reference(const System& system, const SlabRunSettings& settings);
/// By the reference up to the step in which a run on one rank ends with an error, if it does (a box that
/// becomes too small for what the particles do), and with that error: what every rank count must reproduce.
SlabRun run_reference_to_error(const System& system, const SlabRunSettings& settings);

/// "" when both runs are the same in every bit, otherwise the first difference in words.
std::string first_difference(const SlabRun& expected, const SlabRun& actual);

}  // namespace ricochet::test
