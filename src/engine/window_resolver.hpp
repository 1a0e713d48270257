// SPDX-License-Identifier: BSD-3-Clause
//
// The engine of sub-windows and islands: walks through the sub-windows of one step of one slab.
//
// Algorithm: find the initial predictions, at the start and where a search interval ends. Then, for each
// window: form the islands, run them, run again those that remote events change, commit. In the end write the
// particles back.
//
// Cost: what limits large systems is waiting for memory. So an island is fetched ahead of its turn. Notes 12
// to 14 of tests/bench/notes.md have the measurements, and those of what did not help.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/interval_search.hpp"
#include "engine/island_runner.hpp"
#include "engine/slab_engine.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class WindowResolver final : public SlabEngine {
  public:
    WindowResolver(const World& world, const ContactRules& rules, const EngineOptions& options)
        : SlabEngine(world, rules, options),
          runner_(context_, state_),
          arena_(runner_.arena()),
          interval_search_(context_, state_, arena_) {}

    ContactForecast begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                               const StepTask& task, const Coverage& coverage) override;
    void plan_windows(std::uint64_t count) override;
    StepWindow* next_window() override;
    SweptPaths swept_paths() const override;
    EngineMemory memory() const override;
    void end_step() override;
    BlockVector<std::uint32_t> spatial_order() override;

  private:
    RunArena& arena() override { return arena_; }
    const RunArena& arena() const override { return arena_; }

    // The open window.
    bool resolve() override;
    void halve() override;
    bool set_remote_events(std::span<const BoundaryEvent> events) override;

    void open_islands();
    void fetch_ahead(std::uint32_t island);

    void reopen_changed(const std::vector<RemoteEvent>& next);
    void reopen(Slot slot);

    IslandRunner runner_;
    RunArena& arena_;  ///< of the runner
    IntervalSearch interval_search_;
    std::uint64_t num_compared_before_ = 0;  ///< by the search, before this step
    std::uint32_t next_island_ = 0;          ///< of this window: those from here on have not been run
    std::vector<std::uint32_t> reopened_;    ///< of those before: to be run again
    int num_halvings_ = 0;                   ///< of this window
};

}  // namespace ricochet
