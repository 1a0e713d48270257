// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events for a kinetic structure (queue_engine.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/queue_runner.hpp"
#include "engine/slab_engine.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

template <KineticStructure Structure>
class QueueEngine final : public SlabEngine {
  public:
    QueueEngine(const World& world, const ContactRules& rules, const EngineOptions& options)
        : SlabEngine(world, rules, options),
          runner_(context_, state_, options),
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

    QueueRunner<Structure> runner_;
    RunArena& arena_;  ///< of the runner
    BlockVector<InitialPrediction> no_predictions_;
    std::uint32_t island_ = no_island;  ///< all slots, in the open window
};

template <KineticStructure Structure>
ContactForecast QueueEngine<Structure>::begin_step(Particles& local, std::size_t num_owned,
                                                   const Holders& holders, const StepTask& task,
                                                   const Coverage& coverage) {
    start_step(local, num_owned, holders, task, coverage);
    context_.interval = task.span;
    context_.step_midpoints_x.clear();
    if (!coverage.is_whole_box) context_.keep_midpoints(local.motion);
    // Structures look attributes up where they were at the start, so each particle then has its own.
    if (changes_matter() && !local.attributes.empty()) local.attributes.edit(0);
    load_set(local.attributes.is_shared());
    runner_.begin({.motion = local.motion,
                   .attributes = local.attributes.lookup(),
                   .domain = context_.domain_of_halo(),
                   .reach = task.reach,
                   .now = task.span.begin,
                   .end = task.span.end,
                   .may_overlap = context_.changes_matter});
    ++arena_.statistics.num_intervals;
    return {.num_contacts = arena_.statistics.num_predicted, .time = task.span.length()};
}

template <KineticStructure Structure>
void QueueEngine<Structure>::plan_windows(std::uint64_t count) {
    RICOCHET_CHECK_EQ(stage_, Stage::planning);
    stage_ = Stage::between_windows;
    state_.schedule.plan(context_.span, static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)),
                         no_predictions_);
    next_window_ = 0;
}

template <KineticStructure Structure>
StepWindow* QueueEngine<Structure>::next_window() {
    RICOCHET_CHECK_EQ(stage_, Stage::between_windows);
    if (is_last()) return nullptr;
    close_last_window();
    stage_ = Stage::in_window;
    ++next_window_;
    runner_.save();
    open();
    return this;
}

template <KineticStructure Structure>
void QueueEngine<Structure>::open() {
    context_.window = {state_.schedule.begin(next_window_ - 1), state_.schedule.end(next_window_ - 1)};
    island_ = state_.forest.add();
}

template <KineticStructure Structure>
bool QueueEngine<Structure>::resolve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    if (!state_.forest[island_].is_current) runner_.run(island_);
    return true;
}

template <KineticStructure Structure>
void QueueEngine<Structure>::undo() {
    if (state_.forest[island_].is_current) runner_.roll_back(island_);
}

template <KineticStructure Structure>
void QueueEngine<Structure>::halve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    undo();
    state_.schedule.halve(next_window_ - 1, {});
    state_.forest.clear(state_.local, arena_.pools);
    context_.remote.clear();
    open();
}

template <KineticStructure Structure>
bool QueueEngine<Structure>::set_remote_events(std::span<const BoundaryEvent> events) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    std::vector<RemoteEvent> next = localised(events);
    if (next == context_.remote) return false;
    undo();
    context_.remote = std::move(next);
    ++arena_.statistics.num_repairs;
    return true;
}

template <KineticStructure Structure>
void QueueEngine<Structure>::end_step() {
    SlabEngine::end_step();
    runner_.end_step();
}

template <KineticStructure Structure>
EngineMemory QueueEngine<Structure>::memory() const {
    return {runner_.structure().memory_bytes(),
            runner_.memory_bytes() + state_.memory.memory_bytes() + state_.local.memory_bytes() +
                state_.forest.memory_bytes() + bytes_of(context_.step_midpoints_x)};
}

template <KineticStructure Structure>
BlockVector<std::uint32_t> QueueEngine<Structure>::spatial_order() {
    std::vector<Slot>& order = arena_.slot_scratch;
    order.clear();
    runner_.structure().append_order(order);
    return without_ended(order);
}

}  // namespace ricochet
