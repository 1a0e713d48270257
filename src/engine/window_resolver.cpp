// SPDX-License-Identifier: BSD-3-Clause
#include "engine/window_resolver.hpp"

#include "ricochet/core/check.hpp"

namespace ricochet {

// --- the start of the step ---------------------------------------------------------------------------------

ContactForecast WindowResolver::begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                                           const StepTask& task, const Coverage& coverage) {
    if (local.size() > most_local_particles) {
        throw RunError("one rank holds " + std::to_string(local.size()) + " particles, expected at most " +
                       std::to_string(most_local_particles) + ": use more ranks");
    }
    RICOCHET_CHECK_EQ(stage_, Stage::no_step);
    RICOCHET_CHECK_LE(num_owned, local.size());
    if (!coverage.is_whole_box) RICOCHET_CHECK_EQ(holders.size(), local.size());
    RICOCHET_CHECK_LE(task.span.begin, task.span.end);
    stage_ = Stage::planning;
    particles_ = &local;
    num_owned_ = num_owned;
    max_extent_ = {};
    num_contacts_ = 0;
    arena_.pools.contacts.keep(task.detail);
    context_.holders = &holders;
    context_.span = task.span;
    context_.step = task.number;
    context_.reach = task.reach;
    context_.coverage = coverage;
    if (has_tethers()) local.track.keep_tethers();
    arena_.faces.start(coverage);
    arena_.statistics = {};
    interval_search_.start(local);
    state_.set.load(local, num_owned, interval_search_.has_uniform_attributes(), task.span.begin,
                    context_.setting());
    state_.set.prepare(arena_.contact_scratch);
    if (!coverage.is_whole_box) shared_.build(std::span<const Motion>(local.motion), holders);
    interval_search_.find();
    return {arena_.statistics.num_predicted, context_.interval.end - task.span.begin};
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
    if (state_.set.latest_stamp() > std::numeric_limits<std::uint32_t>::max() / 2) {
        throw RunError("more than 2^31 contacts on one rank in one step: use a smaller run.timestep");
    }
    context_.remote.clear();
    arena_.pools.contacts.clear();
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
    const std::size_t num_pending = state_.forest.open(state_.set, state_.schedule.waiting(window));
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
    const LocalSet& set = state_.set;
    const NeighbourLists& neighbours = state_.neighbours;
    const auto for_each_slot = [this](std::uint32_t later, auto&& fetch) {
        // Of islands that have become one, the others name the same contacts.
        if (later >= state_.forest.size() || !state_.forest.is_root(later)) return;
        state_.forest.for_each_pending(later, [&fetch](const Prediction& contact) {
            fetch(contact.a);
            if (contact.b.is_particle()) fetch(contact.b.slot());
        });
        state_.forest.for_each_remote(later, [&](std::uint32_t k) { fetch(context_.remote[k].slot); });
    };
    for_each_slot(island + 3 * distance, [&](Slot slot) {
        set.prefetch_state(slot);
        neighbours.prefetch_head(slot);
        context_.prefetch_at_faces(slot);
    });
    for_each_slot(island + 2 * distance, [&](Slot slot) {
        set.prefetch_attributes(slot);
        interval_search_.prefetch_sphere(slot);
        neighbours.prefetch_list(slot);
    });
    for_each_slot(island + distance, [&](Slot slot) {
        neighbours.for_each_ahead(slot, [&set](Slot other) { set.prefetch_motion(other); });
    });
}

void WindowResolver::halve() {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    for (std::uint32_t island = 0; island < state_.forest.size(); ++island) {
        if (state_.forest.is_root(island)) state_.forest.roll_back(state_.set, arena_.pools, island);
    }
    state_.schedule.halve(next_window_ - 1, state_.forest.pending());
    state_.forest.clear(state_.set, arena_.pools);
    context_.remote.clear();
    ++num_halvings_;
    open_islands();
}

void WindowResolver::commit(ContactSink& contacts) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    stage_ = Stage::between_windows;
    IslandForest& forest = state_.forest;
    for (std::uint32_t k = 0; k < forest.size(); ++k) {
        if (!forest.is_root(k)) continue;
        const Island& island = forest[k];
        max_extent_ = max(max_extent_, island.max_extent());
        ++arena_.statistics.num_islands;
        arena_.statistics.largest_island = std::max<std::uint64_t>(
            arena_.statistics.largest_island, island.contacts.end - island.contacts.begin);
    }
    forest.clear(state_.set, arena_.pools);
    num_contacts_ += arena_.pools.contacts.size();
    arena_.pools.contacts.give_to(contacts);
}

Vec3 WindowResolver::max_extent() const {
    const IslandForest& forest = state_.forest;
    Vec3 extent = max_extent_;
    for (std::uint32_t k = 0; k < forest.size(); ++k)
        if (forest.is_root(k)) extent = max(extent, forest[k].max_extent());
    return extent;
}

// --- the exchange with the neighbours ----------------------------------------------------------------------

void WindowResolver::collect_boundary_events(unsigned neighbour, std::vector<BoundaryEvent>& events) const {
    // Sorted by what is small.
    struct Entry {
        double time;
        const BoundaryEvent* event;
    };
    const NeighbourMask bit = NeighbourMask{1} << neighbour;
    std::vector<Entry> entries;
    for (const OutgoingEvent& outgoing : arena_.pools.outgoing) {
        if ((outgoing.receivers & bit) != 0) entries.push_back({outgoing.event.key.time, &outgoing.event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        if (p.time != q.time) return p.time < q.time;
        return p.event->key != q.event->key ? p.event->key < q.event->key
                                            : p.event->particle < q.event->particle;
    });
    events.reserve(events.size() + entries.size());
    for (const Entry& entry : entries) events.push_back(*entry.event);
}

/// Those of local particles, in the order of (slot, key).
std::vector<RemoteEvent> WindowResolver::localised(std::span<const BoundaryEvent> events) const {
    struct Entry {
        Slot slot;
        const BoundaryEvent* event;
    };
    std::vector<Entry> entries;
    entries.reserve(events.size());
    for (const BoundaryEvent& event : events) {
        if (const std::optional<Slot> slot = shared_.slot_of(event.particle))
            entries.push_back({*slot, &event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        return p.slot != q.slot ? p.slot < q.slot : p.event->key < q.event->key;
    });
    std::vector<RemoteEvent> remote;
    remote.reserve(entries.size());
    for (const Entry& entry : entries) remote.push_back({entry.slot, *entry.event});
    return remote;
}

bool WindowResolver::set_remote_events(std::span<const BoundaryEvent> events) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    std::vector<RemoteEvent> next = localised(events);
    if (next == context_.remote) return false;
    reopen_changed(next);
    context_.remote = std::move(next);
    state_.forest.clear_remote();
    for (std::uint32_t k = 0; k < context_.remote.size(); ++k) {
        const std::uint32_t island = state_.set.status(context_.remote[k].slot).island;
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
    const std::uint32_t island = state_.set.status(slot).island;
    if (island != no_island) {
        const std::uint32_t root = state_.forest.find(island);
        state_.forest.roll_back(state_.set, arena_.pools, root);
        reopened_.push_back(root);
        ++arena_.statistics.num_repairs;
    }
    state_.forest.pin(state_.set, slot);
}

SweptPaths WindowResolver::swept_paths() const {
    SweptPaths paths{arena_.faces.reach(), std::nullopt};
    if (context_.has_whole_paths()) paths.spheres = context_.spheres.first(num_owned_);
    return paths;
}

std::optional<CapHit> WindowResolver::cap_hit() const { return state_.forest.cap_hit(); }

// --- the end of the step -----------------------------------------------------------------------------------

void WindowResolver::end_step() {
    RICOCHET_CHECK_EQ(stage_, Stage::between_windows);
    RICOCHET_CHECK(is_last());
    stage_ = Stage::no_step;
    const auto num_particles = static_cast<double>(std::max<std::size_t>(1, num_owned_));
    if (context_.span.length() > 0)
        interval_search_.note_contact_rate(2 * static_cast<double>(num_contacts_) /
                                           (num_particles * context_.span.length()));
    note_ended();
    if (context_.rules.remember_absorbed()) write_absorbed();
    // The few that leave the box are listed, so that the loop has no calls in it.
    constexpr std::size_t at_once = 256;
    const PeriodicWrap wrap(context_.box);
    std::array<std::size_t, at_once> outside;
    for (std::size_t begin = 0; begin < num_owned_; begin += at_once) {
        std::size_t num_outside = 0;
        for (std::size_t k = begin; k < std::min(num_owned_, begin + at_once); ++k) {
            Motion& motion = particles_->motion[k];
            motion.position = position_at(motion, context_.span.end);
            motion.time = 0;
            if (!wrap.is_inside(motion.position)) outside[num_outside++] = k;
        }
        for (const std::size_t k : std::span(outside).first(num_outside)) {
            TrackList::Image image = particles_->track.image(k);
            wrap(particles_->motion[k].position, image);
            particles_->track.set_image(k, image);
        }
    }
}

/// Whoever removes the absent moves the others down in their order.
void WindowResolver::note_ended() {
    ended_.clear();
    if (!context_.changes_matter) return;
    for (Slot slot = 0; slot < num_owned_; ++slot)
        if (state_.set.matter().is_absent(slot)) ended_.push_back(slot);
}

void WindowResolver::write_absorbed() {
    for (Slot slot = 0; slot < num_owned_; ++slot) {
        const ParticleId absorbed = state_.set.matter().absorbed(slot);
        if (absorbed != SlotMatter::nobody) particles_->track.set_absorbed(slot, absorbed);
    }
}

void WindowResolver::abandon_step() {
    RICOCHET_CHECK_NE(stage_, Stage::no_step);
    stage_ = Stage::no_step;
    state_.forest.clear(state_.set, arena_.pools);
    state_.set.restore_start();
}

BlockVector<std::uint32_t> WindowResolver::spatial_order() {
    RICOCHET_CHECK_EQ(stage_, Stage::no_step);
    BlockVector<std::uint32_t> order(state_.memory);
    for (const Slot slot : context_.search->order()) {
        if (slot >= num_owned_) continue;
        const auto next = std::lower_bound(ended_.begin(), ended_.end(), slot);
        if (next != ended_.end() && *next == slot) continue;
        order.push_back(slot - static_cast<Slot>(next - ended_.begin()));
    }
    return order;
}

}  // namespace ricochet
