// SPDX-License-Identifier: BSD-3-Clause
//
// The engine: walks through the sub-windows of one step of one slab.
//
// Algorithm: find the initial predictions, at the start and where a search interval ends. Then, for each
// window: form the islands, run them, run again those that remote events change, commit. In the end write the
// particles back.
//
// Layout: StepContext is written here and in IntervalSearch, between runs. StepState and RunArena are written
// by runs.
//
// Cost: what limits large systems is waiting for memory. So an island is fetched ahead of its turn. Notes 12
// to 14 of tests/bench/notes.md have the measurements, and those of what did not help.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "engine/interval_search.hpp"
#include "engine/island_runner.hpp"
#include "engine/shared_index.hpp"
#include "geometry/path.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/prefetch.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class WindowResolver final : public StepEngine, private StepWindow {
  public:
    WindowResolver(const Box& box, const ContactRules& rules, const EngineOptions& options)
        : StepEngine(rules),
          context_(box, rules, options),
          state_(context_),
          runner_(context_, state_),
          arena_(runner_.arena()),
          interval_search_(context_, state_, arena_) {}

    ContactForecast begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                               const StepTask& task, const Coverage& coverage) override;
    void plan_windows(std::uint64_t count) override;
    StepWindow* next_window() override;
    SweptPaths swept_paths() const override;
    const StepStatistics& statistics() const override { return arena_.statistics; }
    void end_step() override;
    void abandon_step() override;
    BlockVector<std::uint32_t> spatial_order() override;

  private:
    // The open window.
    bool resolve() override;
    void halve() override;
    void collect_boundary_events(unsigned neighbour, std::vector<BoundaryEvent>& events) const override;
    bool set_remote_events(std::span<const BoundaryEvent> events) override;
    std::optional<CapHit> cap_hit() const override;
    Vec3 max_extent() const override;
    bool is_last() const override { return next_window_ == state_.schedule.size(); }
    void commit(ContactSink& contacts) override;

    /// What the caller may do next.
    enum class Stage : std::uint8_t { no_step, planning, between_windows, in_window };

    void open_islands();
    void note_ended();
    void write_absorbed();
    void fetch_ahead(std::uint32_t island);

    std::vector<RemoteEvent> localised(std::span<const BoundaryEvent> events) const;
    void reopen_changed(const std::vector<RemoteEvent>& next);
    void reopen(Slot slot);

    StepContext context_;
    StepState state_;
    IslandRunner runner_;
    RunArena& arena_;  ///< of the runner
    IntervalSearch interval_search_;
    Stage stage_ = Stage::no_step;
    Particles* particles_ = nullptr;
    std::size_t num_owned_ = 0;
    std::vector<Slot> ended_;  ///< owned slots that the latest step has left absent, ascending
    std::size_t next_window_ = 0;
    std::uint32_t next_island_ = 0;        ///< of this window: those from here on have not been run
    std::vector<std::uint32_t> reopened_;  ///< of those before: to be run again
    std::uint64_t num_contacts_ = 0;       ///< of committed windows
    Vec3 max_extent_;                      ///< of committed windows
    int num_halvings_ = 0;                 ///< of this window
    SharedIndex shared_;
};

}  // namespace ricochet
