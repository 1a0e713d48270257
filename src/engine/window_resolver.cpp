// SPDX-License-Identifier: BSD-3-Clause
#include "engine/window_resolver.hpp"

#include "ricochet/core/check.hpp"

namespace ricochet {

// --- the start of the step ---------------------------------------------------------------------------------

ContactForecast WindowResolver::begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                                           const StepTask& task, const Coverage& coverage) {
    start_step(local, num_owned, holders, task, coverage);
    num_compared_before_ = context_.search->num_compared();
    interval_search_.start(local);
    load_set(interval_search_.has_uniform_attributes());
    interval_search_.find();
    return {.num_contacts = arena_.statistics.num_predicted,
            .time = context_.interval.end - task.span.begin,
            .num_of_busiest = interval_search_.num_of_busiest()};
}

void WindowResolver::plan_windows(std::uint64_t count) {
    RICOCHET_CHECK_EQ(stage_, Stage::planning);
    stage_ = Stage::between_windows;
    state_.schedule.plan(context_.span, static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)),
                         interval_search_.initial_predictions());
    next_window_ = 0;
}

// --- one window --------------------------------------------------------------------------------------------

StepWindow* WindowResolver::next_window() {
    RICOCHET_CHECK_EQ(stage_, Stage::between_windows);
    if (is_last()) return nullptr;
    close_last_window();
    if (state_.schedule.end(next_window_) > context_.interval.end)
        interval_search_.search_again(*particles_, next_window_);
    stage_ = Stage::in_window;
    ++next_window_;
    num_halvings_ = 0;
    open_islands();
    return this;
}

void WindowResolver::open_islands() {
    const std::size_t window = next_window_ - 1;
    next_island_ = 0;
    reopened_.clear();
    context_.window = {state_.schedule.begin(window), state_.schedule.end(window)};
    const std::size_t num_pending = state_.forest.open(state_.local, state_.schedule.waiting(window));
    arena_.instants.clear(num_pending);
    // A contact takes two searches. Many more show that islands are run again and again. Events at one
    // instant are one island however short the window is: after a few halvings the work is done whatever it
    // takes.
    constexpr std::uint64_t searches_per_contact = 10, few = 1000;
    constexpr int most_halvings = 10;
    context_.most_searches = num_halvings_ < most_halvings
                                 ? arena_.statistics.num_searches + searches_per_contact * num_pending + few
                                 : std::numeric_limits<std::uint64_t>::max();
}

bool WindowResolver::resolve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    const auto run = [this](std::uint32_t island) {
        const std::uint32_t root = state_.forest.find(island);
        if (!state_.forest[root].is_current) runner_.run(root);
    };
    for (std::size_t k = 0; k < reopened_.size() && !runner_.is_overloaded(); ++k) run(reopened_[k]);
    reopened_.clear();
    for (; next_island_ < state_.forest.size() && !runner_.is_overloaded(); ++next_island_) {
        fetch_ahead(next_island_);
        run(next_island_);
    }
    runner_.file_later_contacts();
    return !runner_.is_overloaded();
}

/// Islands are run in a known order, and what each will read is known. So it is fetched before it is needed,
/// pointer by pointer. It goes to the second cache, but for the list, which is read soon (note 14 of
/// tests/bench/notes.md).
void WindowResolver::fetch_ahead(std::uint32_t island) {
    constexpr std::uint32_t distance = 2;
    const LocalMotion& local = state_.local;
    const NeighbourLists& neighbours = state_.neighbours;
    const auto for_each_slot = [this](std::uint32_t later, auto&& fetch) {
        // An island that has joined another names the same contacts as its root.
        if (later >= state_.forest.size() || !state_.forest.is_root(later)) return;
        state_.forest.for_each_pending(later, [&fetch](const Prediction& contact) {
            fetch(contact.a);
            if (contact.b.is_particle()) fetch(contact.b.slot());
        });
        state_.forest.for_each_remote(later, [&](std::uint32_t k) { fetch(context_.remote[k].slot); });
    };
    for_each_slot(island + 3 * distance, [&](Slot slot) {
        local.prefetch_state(slot);
        neighbours.prefetch_head(slot);
        context_.prefetch_at_faces(slot);
    });
    for_each_slot(island + 2 * distance, [&](Slot slot) {
        local.prefetch_attributes(slot);
        interval_search_.prefetch_sphere(slot);
        neighbours.prefetch_list(slot);
    });
    for_each_slot(island + distance, [&](Slot slot) {
        neighbours.for_each_ahead(slot, [&local](Slot other) { local.prefetch_motion(other); });
    });
}

void WindowResolver::halve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    for (std::uint32_t island = 0; island < state_.forest.size(); ++island) {
        if (state_.forest.is_root(island)) state_.forest.roll_back(state_.local, arena_.pools, island);
    }
    state_.schedule.halve(next_window_ - 1, state_.forest.pending());
    state_.forest.clear(state_.local, arena_.pools);
    context_.remote.clear();
    ++num_halvings_;
    open_islands();
}

// --- the exchange with the neighbours ----------------------------------------------------------------------

bool WindowResolver::set_remote_events(std::span<const BoundaryEvent> events) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    std::vector<RemoteEvent> next = localised(events);
    if (next == context_.remote) return false;
    reopen_changed(next);
    context_.remote = std::move(next);
    state_.forest.clear_remote();
    for (std::uint32_t k = 0; k < context_.remote.size(); ++k) {
        const std::uint32_t island = state_.local.status(context_.remote[k].slot).island;
        state_.forest.add_remote(state_.forest.find(island), k);
    }
    return true;
}

/// Walks both lists slot by slot; the island of every slot whose events differ runs again.
void WindowResolver::reopen_changed(const std::vector<RemoteEvent>& next) {
    const std::vector<RemoteEvent>& old = context_.remote;
    auto i = old.begin();
    auto j = next.begin();
    while (i != old.end() || j != next.end()) {
        const bool is_of_old = j == next.end() || (i != old.end() && i->slot < j->slot);
        const Slot slot = is_of_old ? i->slot : j->slot;
        const auto is_other = [slot](const RemoteEvent& remote) { return remote.slot != slot; };
        const auto i_end = std::find_if(i, old.end(), is_other);
        const auto j_end = std::find_if(j, next.end(), is_other);
        if (!std::equal(i, i_end, j, j_end)) reopen(slot);
        i = i_end;
        j = j_end;
    }
}

/// Makes the island of the slot run again, with the slot pinned to it.
void WindowResolver::reopen(Slot slot) {
    const std::uint32_t island = state_.local.status(slot).island;
    if (island != no_island) {
        const std::uint32_t root = state_.forest.find(island);
        state_.forest.roll_back(state_.local, arena_.pools, root);
        reopened_.push_back(root);
        ++arena_.statistics.num_repairs;
    }
    state_.forest.pin(state_.local, slot);
}

/// Small arrays, which do not grow with the number of particles, are left out.
EngineMemory WindowResolver::memory() const {
    return {context_.search->memory_bytes(), state_.memory.memory_bytes() + state_.neighbours.memory_bytes() +
                                                 state_.local.memory_bytes() + state_.forest.memory_bytes() +
                                                 interval_search_.memory_bytes() +
                                                 bytes_of(context_.step_midpoints_x)};
}

SweptPaths WindowResolver::swept_paths() const {
    SweptPaths paths{arena_.faces.reach(), std::nullopt};
    if (context_.has_whole_paths()) paths.spheres = context_.spheres.first(num_owned_);
    return paths;
}

// --- the end of the step -----------------------------------------------------------------------------------

void WindowResolver::end_step() {
    if (context_.span.length() > 0) {
        const auto num_particles = static_cast<double>(std::max<std::size_t>(1, num_owned_));
        interval_search_.note_contact_rate(2 * static_cast<double>(num_contacts_) /
                                           (num_particles * context_.span.length()));
    }
    arena_.statistics.num_compared = context_.search->num_compared() - num_compared_before_;
    SlabEngine::end_step();
}

BlockVector<std::uint32_t> WindowResolver::spatial_order() { return without_ended(context_.search->order()); }

}  // namespace ricochet
