// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/queue_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

ContactForecast QueueEngine::begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                                        const StepTask& task, const Coverage& coverage) {
    RICOCHET_CHECK_EQ(task.growth, 0);  // structures follow spheres of constant size
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
                   .beyond_walls = beyond_walls(),
                   .now = task.span.begin,
                   .end = task.span.end,
                   .may_overlap = context_.changes_matter || context_.has_shapes});
    ++arena_.statistics.num_intervals;
    return {.num_contacts = arena_.statistics.num_predicted, .time = task.span.length()};
}

void QueueEngine::plan_windows(std::uint64_t count) {
    RICOCHET_CHECK_EQ(stage_, Stage::planning);
    stage_ = Stage::between_windows;
    state_.schedule.plan(context_.span, static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)),
                         no_predictions_);
    next_window_ = 0;
}

StepWindow* QueueEngine::next_window() {
    RICOCHET_CHECK_EQ(stage_, Stage::between_windows);
    if (is_last()) return nullptr;
    close_last_window();
    stage_ = Stage::in_window;
    ++next_window_;
    runner_.save();
    open();
    return this;
}

void QueueEngine::open() {
    context_.window = {state_.schedule.begin(next_window_ - 1), state_.schedule.end(next_window_ - 1)};
    island_ = state_.forest.add();
}

bool QueueEngine::resolve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    if (!state_.forest[island_].is_current) runner_.run(island_);
    return true;
}

void QueueEngine::undo() {
    if (state_.forest[island_].is_current) runner_.roll_back(island_);
}

void QueueEngine::halve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    undo();
    state_.schedule.halve(next_window_ - 1, {});
    state_.forest.clear(state_.local, arena_.pools);
    context_.remote.clear();
    open();
}

bool QueueEngine::set_remote_events(std::span<const BoundaryEvent> events) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    std::vector<RemoteEvent> next = localised(events);
    if (next == context_.remote) return false;
    undo();
    context_.remote = std::move(next);
    ++arena_.statistics.num_repairs;
    return true;
}

void QueueEngine::end_step() {
    SlabEngine::end_step();
    runner_.end_step();
}

EngineMemory QueueEngine::memory() const {
    return {runner_.structure_bytes(), runner_.memory_bytes() + state_.memory.memory_bytes() +
                                           state_.local.memory_bytes() + state_.forest.memory_bytes() +
                                           bytes_of(context_.step_midpoints_x)};
}

BlockVector<std::uint32_t> QueueEngine::spatial_order() {
    std::vector<Slot>& order = arena_.slot_scratch;
    order.clear();
    runner_.structure().append_order(order);
    return without_ended(order);
}

}  // namespace ricochet
