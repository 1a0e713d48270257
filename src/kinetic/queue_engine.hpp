// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events per slab, in which a kinetic structure names the candidates
// (kinetic_structure.hpp). It gives the same bits as the engine of islands, and is mostly slower. It is there to
// compare the structures, and to check one engine by the other.
//
// Why the bits are the same: a contact time is a function of two states, wherever it is asked for. The order of the
// queue is the definition. And two that touch are neighbours before they do.
//
// Sub-windows are there for the exchange with neighbours only. When the list of remote events changes, the window is
// undone and run again as a whole. There are no bounding spheres, so the halo is checked as it is after several search
// intervals.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/slab_engine.hpp"
#include "kinetic/queue_runner.hpp"

namespace ricochet {

class QueueEngine final : public SlabEngine {
  public:
    /// The structure names the candidates. The reserve takes its place in a step in which it has lost a contact.
    QueueEngine(const World& world, const ContactRules& rules, const EngineOptions& options,
                std::unique_ptr<KineticStructure> structure, std::unique_ptr<KineticStructure> reserve)
        : SlabEngine(world, rules, options),
          runner_(context_, state_, std::move(structure), std::move(reserve)),
          arena_(runner_.arena()),
          no_predictions_(state_.memory) {}

    ContactForecast begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                               const StepTask& task, const Coverage& coverage) override;
    void plan_windows(std::uint64_t count) override;
    StepWindow* next_window() override;
    SweptPaths swept_paths() const override { return {arena_.faces.reach(), std::nullopt}; }
    EngineMemory memory() const override;
    void end_step() override;
    BlockVector<std::uint32_t> spatial_order() override;

  private:
    RunArena& arena() override { return arena_; }
    const RunArena& arena() const override { return arena_; }

    bool resolve() override;
    bool has_lost_contact() const override { return runner_.has_lost_contact(); }
    void halve() override;
    bool set_remote_events(std::span<const BoundaryEvent> events) override;

    void open();
    void undo();

    QueueRunner runner_;
    RunArena& arena_;  ///< of the runner
    BlockVector<InitialPrediction> no_predictions_;
    std::uint32_t island_ = no_island;  ///< all slots, in the open window
};

}  // namespace ricochet
